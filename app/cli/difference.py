"""How rendered objects differ from those that are there: in files, or as they were applied last in a cluster.

What Secrets hold is not compared, only under which keys: made-up values are other ones each time, and none belongs on a screen.
Nor are the digests of it on a Deployment and its pods, for the same reason, nor the copies of those pods that
``upgrade.autoRollback`` keeps in ControllerRevisions. How many pods there are is an autoscaler's to say where one is wanted.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

import orjson

from app.cli.problem import Problem
from app.controllers.rollout import TEMPLATE_DIGEST
from app.hooks.objects import CONTROLLER_UID, reference
from app.hooks.replay import replay
from app.resources.content_digests import OPTIONAL_DIGESTS, SECRET_DIGEST
from app.resources.kinds import AUTOSCALER, CONTROLLER_REVISION
from app.sim.cluster import ApiError, NotFound
from app.sim.json_values import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.hooks.objects import Object
    from app.sim.cluster import Cluster

HIDDEN = "(not compared)"

_DIGESTS = frozenset({SECRET_DIGEST, OPTIONAL_DIGESTS, TEMPLATE_DIGEST})
"""Annotations that are other ones with other values in Secrets."""


def difference(wanted: Sequence[Object], present: Sequence[Object], written: Callable[[Object], str]) -> list[str]:
    """A unified diff, object by object, from what is present to what is wanted; ``written`` makes them text."""
    scaled = {_target(item) for item in wanted if item["kind"] == AUTOSCALER.kind}
    old, new = (
        {
            reference(item): written(_compared(item, scaled=reference(item) in scaled)).splitlines()
            for item in items
            if item["kind"] != CONTROLLER_REVISION.kind
        }
        for items in (present, wanted)
    )
    lines: list[str] = []
    for name in sorted({*old, *new}):
        lines += difflib.unified_diff(old.get(name, []), new.get(name, []), f"{name} (there)", f"{name} (rendered)", lineterm="")
    return lines


async def applied(cluster: Cluster, wanted: Sequence[Object]) -> list[Object]:
    """Of the objects in the cluster that have the names of the wanted ones, what Metacontroller applied last.

    Raises :class:`Problem` where the cluster cannot be read.
    """
    found: list[Object] = []
    for item in wanted:
        metadata = item["metadata"]
        try:
            resource = await cluster.resource_of(item["apiVersion"], item["kind"])
            found.append(_applied(await cluster.get(resource, metadata.get("namespace", ""), metadata["name"])))
        except NotFound:
            continue
        except ApiError as error:
            raise Problem(f"{reference(item)} cannot be read: {error.message}") from error
    return found


def _applied(live: Object) -> Object:
    return without_owner(orjson.loads(replay(live).body))


def without_owner(child: Object) -> Object:
    """The child without the label by which Metacontroller knows its parent in one cluster."""
    metadata: Object = child["metadata"]
    if not is_object(labels := metadata.get("labels")):
        return child
    others = {name: value for name, value in labels.items() if name != CONTROLLER_UID}
    return {**child, "metadata": {**metadata, "labels": others}}


def _target(autoscaler: Object) -> str:
    """What an autoscaler scales, as :func:`~app.hooks.objects.reference` calls it."""
    target: Object = autoscaler["spec"]["scaleTargetRef"]
    return reference({"kind": target["kind"], "metadata": {**autoscaler["metadata"], "name": target["name"]}})


def _compared(item: Object, *, scaled: bool) -> Object:
    if scaled and is_object(item.get("spec")):
        item = {**item, "spec": {name: field for name, field in item["spec"].items() if name != "replicas"}}
    if item["kind"] != "Secret":
        return _without_digests(item)
    held = {field: values for field in ("data", "stringData") if is_object(values := item.get(field))}
    return {**item, **{field: dict.fromkeys(values, HIDDEN) for field, values in held.items()}}


def _without_digests(value: Any) -> Any:
    if is_object(value):
        return {name: HIDDEN if name in _DIGESTS else _without_digests(field) for name, field in value.items()}
    return [_without_digests(element) for element in value] if is_list(value) else value
