"""The finalizer by which a controller holds its parents until finalize has said that all is cleaned up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.objects import Object, Resource, reference, terminating
from app.sim.cluster import ApiError
from app.sim.metacontroller.atomic import atomic_update
from app.sim.metacontroller.errors import SyncError

if TYPE_CHECKING:
    from app.sim.cluster import Cluster
    from app.sim.metacontroller.manifest import Manifest

COLLECTORS = {"foregroundDeletion", "orphan"}
"""Finalizers of the garbage collector. While one is there the children are its business."""


def held(parent: Object, manifest: Manifest) -> bool:
    """Whether the parent has this controller's finalizer."""
    return manifest.finalizer in _finalizers(parent)


def manages_children(parent: Object, manifest: Manifest) -> bool:
    """Whether children of this parent are created, updated and deleted: it lives, or it is our turn to tear it down."""
    if not terminating(parent):
        return True
    return manifest.finalize is not None and held(parent, manifest) and not COLLECTORS & set(_finalizers(parent))


async def sync_finalizer(cluster: Cluster, resource: Resource, parent: Object, manifest: Manifest) -> Object:
    """Put our finalizer on the parent, or take it off if there is no finalize hook any more. The parent as it is then."""
    wanted = manifest.finalize is not None
    if held(parent, manifest) == wanted or (wanted and terminating(parent)):
        return parent
    return await _set(cluster, resource, parent, manifest.finalizer, present=wanted)


async def remove_finalizer(cluster: Cluster, resource: Resource, parent: Object, manifest: Manifest) -> Object:
    """Let the parent go. The parent as it is then."""
    return await _set(cluster, resource, parent, manifest.finalizer, present=False)


async def _set(cluster: Cluster, resource: Resource, parent: Object, finalizer: str, *, present: bool) -> Object:
    def changed(live: Object) -> Object:
        known = _finalizers(live)
        if (finalizer in known) == present:
            return live
        return _with_finalizers(live, [*known, finalizer] if present else [one for one in known if one != finalizer])

    try:
        return await atomic_update(cluster, resource, parent, changed)
    except ApiError as error:
        raise SyncError(f"can't {'add' if present else 'remove'} the finalizer of {reference(parent)}: {error}") from error


def without_finalizer(item: Object, finalizer: str) -> Object:
    """The item without this finalizer."""
    return _with_finalizers(item, [one for one in _finalizers(item) if one != finalizer])


def _with_finalizers(item: Object, finalizers: list[str]) -> Object:
    metadata = {key: value for key, value in item["metadata"].items() if key != "finalizers"}
    return {**item, "metadata": {**metadata, "finalizers": finalizers} if finalizers else metadata}


def _finalizers(item: Object) -> list[str]:
    return item["metadata"].get("finalizers") or []
