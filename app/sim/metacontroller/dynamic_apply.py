"""Dynamic apply, Metacontroller's default: a three-way merge on our side, and a record of what was applied on each child."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.controller import Update
from app.hooks.objects import Object, Resource, terminating
from app.sim.cluster import AlreadyExists, Conflict, NotFound
from app.sim.metacontroller.equality import identical
from app.sim.metacontroller.last_applied import last_applied, with_record, without_record
from app.sim.metacontroller.merge import merge_objects
from app.sim.metacontroller.ownership import claimed
from app.sim.metacontroller.recreate import recreate

if TYPE_CHECKING:
    from app.sim.cluster import Cluster

SYSTEM_METADATA = (
    "selfLink",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "managedFields",
)
"""Fields that the API server fills in; whatever a hook says about them is no difference."""


class DynamicApply:
    """Creates by POST, updates by PUT of the merged object."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def apply(self, resource: Resource, parent: Object, observed: Object | None, desired: Object, update: Update) -> None:
        """See :class:`~app.sim.metacontroller.environment.Applier`."""
        if observed is None:
            await self._create(parent, desired)
            return
        merged = updated(observed, desired)
        if identical(merged, observed) or terminating(observed) or update is Update.ON_DELETE:
            return
        if update is Update.RECREATE:
            await recreate(self._cluster, resource, observed)
            return
        try:
            await self._cluster.update(merged)
        except (Conflict, NotFound):
            return  # the change that we have not seen yet leads to another pass

    def forget(self, resource: Resource, item: Object) -> None:
        """Nothing is remembered here: the record is on the child."""

    async def _create(self, parent: Object, desired: Object) -> None:
        try:
            await self._cluster.create(claimed(with_record(desired, desired), parent))
        except AlreadyExists:
            return  # the name is somebody else's, and nobody is told


def updated(observed: Object, desired: Object) -> Object:
    """The child as it should be: desired over observed, less what was applied and is no longer desired, with a new record."""
    wanted = without_record(desired)
    merged = merge_objects(observed, last_applied(observed), wanted)
    metadata = {**merged["metadata"]}
    for name in SYSTEM_METADATA:
        _revert(metadata, observed["metadata"], name)
    merged = {**merged, "metadata": metadata}
    _revert(merged, observed, "status")
    return with_record(merged, wanted)


def _revert(target: Object, observed: Object, name: str) -> None:
    if name in observed:
        target[name] = observed[name]
    else:
        target.pop(name, None)
