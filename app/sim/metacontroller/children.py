"""Bringing children to their desired state: all deletions first, then creations and updates, kind by kind.

A failure stops nothing else; all failures are reported together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from app.hooks.controller import Update
from app.hooks.objects import Object, Resource, terminating
from app.sim.cluster import ApiError, NotFound
from app.sim.metacontroller.errors import SyncError
from app.sim.metacontroller.informers import Kind

if TYPE_CHECKING:
    from app.sim.metacontroller.environment import Environment

Desired = Mapping[Kind, Mapping[str, Object]]
Observed = Mapping[Resource, Mapping[str, Object]]
Updates = Mapping[tuple[str, str], Update]
"""The update method of each group and kind, whatever its version."""


def placed(children: Iterable[Object], parent: Object) -> list[Object]:
    """The children with the parent's namespace where they name none."""
    namespace = parent["metadata"].get("namespace", "")
    return [child if _metadata(child).get("namespace") else _in_namespace(child, namespace) for child in children]


def grouped(children: Iterable[Object]) -> dict[Kind, dict[str, Object]]:
    """Desired children by kind and ``namespace/name``. Of two of one name the later wins."""
    groups: dict[Kind, dict[str, Object]] = {}
    for child in children:
        groups.setdefault((child.get("apiVersion", ""), child["kind"]), {})[child_key(child)] = child
    return groups


def child_key(item: Object) -> str:
    """``namespace/name``, also for a child that forgot its name: the API server is to refuse it, not we."""
    metadata = item["metadata"]
    return f"{metadata['namespace']}/{metadata.get('name', '')}" if metadata.get("namespace") else metadata.get("name", "")


async def reconcile(env: Environment, parent: Object, observed: Observed, desired: Desired, updates: Updates) -> None:
    """Delete what is not desired, then create and update. Raises :class:`SyncError` with all that failed, at the end."""
    known = {(resource.api_version, resource.kind): group for resource, group in observed.items()}
    failures: list[str] = []
    for resource in sorted(observed, key=lambda one: (one.group, one.version, one.kind)):
        wanted = desired.get((resource.api_version, resource.kind), {})
        failures += await _delete(env, resource, [item for key, item in sorted(observed[resource].items()) if key not in wanted])
    for kind in sorted(desired, key=_kind_order):
        try:
            resource = await env.cluster.resource_of(*kind)
        except NotFound:
            failures.append(f"discovery: can't find kind {kind[1]} in apiVersion {kind[0]!r}")
            continue
        update = updates.get((resource.group, resource.kind), Update.ON_DELETE)
        for key, child in sorted(desired[kind].items()):
            try:
                await env.applier.apply(resource, parent, known.get(kind, {}).get(key), child, update)
            except (ApiError, SyncError) as error:
                failures.append(f"can't reconcile {kind[1]} {key}: {error}")
    if failures:
        raise SyncError("; ".join(failures))


async def _delete(env: Environment, resource: Resource, items: Iterable[Object]) -> list[str]:
    failures: list[str] = []
    for item in items:
        if terminating(item):
            continue
        metadata = item["metadata"]
        try:
            await env.cluster.delete(resource, metadata.get("namespace", ""), metadata["name"], uid=metadata["uid"])
        except NotFound:
            continue
        except ApiError as error:
            failures.append(f"can't delete {resource.kind} {child_key(item)}: {error}")
            continue
        env.applier.forget(resource, item)
    return failures


def _kind_order(kind: Kind) -> tuple[str, str, str]:
    group, _, version = kind[0].rpartition("/")
    return group, version, kind[1]


def _in_namespace(child: Object, namespace: str) -> Object:
    metadata = {key: value for key, value in _metadata(child).items() if key != "namespace"}
    return {**child, "metadata": {**metadata, "namespace": namespace} if namespace else metadata}


def _metadata(child: Object) -> Object:
    return cast("Object", child.get("metadata") or {})
