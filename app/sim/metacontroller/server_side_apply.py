"""Server-side apply: forced patches of one field manager, sent only when something seems to have changed.

What was sent is remembered in this process, with the child's uid and generation. So drift that moves no generation, such as
an edited label on a Deployment, is not seen; and since a creation is a forced patch too, a foreign object of the desired name
is taken over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from app.hooks.controller import Update
from app.hooks.objects import LAST_APPLIED, Object, Resource, object_key, terminating
from app.sim.cluster import ApiError, Conflict, NotFound
from app.sim.metacontroller.dynamic_apply import SYSTEM_METADATA
from app.sim.metacontroller.equality import identical
from app.sim.metacontroller.errors import SyncError
from app.sim.metacontroller.last_applied import annotations_of, without_record
from app.sim.metacontroller.ownership import claimed
from app.sim.metacontroller.recreate import recreate

if TYPE_CHECKING:
    from app.sim.cluster import Cluster

BAD_REQUEST, FORBIDDEN = 400, 403


@dataclass(frozen=True, slots=True)
class Sent:
    """What a child was after it had been applied last."""

    payload: bytes
    uid: str
    generation: int
    resource_version: str

    @classmethod
    def of(cls, payload: bytes, item: Object) -> Sent:
        """The memory of this payload having led to this object."""
        metadata = item["metadata"]
        return cls(payload, metadata["uid"], metadata.get("generation", 0), metadata["resourceVersion"])

    def still_holds(self, payload: bytes, observed: Object) -> bool:
        """Whether there is nothing to send. Only a kind without generation is judged by its resourceVersion."""
        now = Sent.of(payload, observed)
        if (self.payload, self.uid, self.generation) != (now.payload, now.uid, now.generation):
            return False
        return now.generation != 0 or self.resource_version == now.resource_version


class ServerSideApply:
    """Creates and updates by apply patch."""

    def __init__(self, cluster: Cluster, manager: str) -> None:
        self._cluster = cluster
        self._manager = manager
        self._sent: dict[tuple[str, str, str], Sent] = {}

    async def apply(self, resource: Resource, parent: Object, observed: Object | None, desired: Object, update: Update) -> None:
        """See :class:`~app.sim.metacontroller.environment.Applier`."""
        if observed is not None and terminating(observed):
            return
        wanted = payload(claimed(desired, parent))
        content = orjson.dumps(wanted, option=orjson.OPT_SORT_KEYS)
        key = self._key(resource, wanted)
        if observed is not None:
            sent = self._sent.get(key)
            if sent is not None and sent.still_holds(content, observed):
                return
            if update is Update.ON_DELETE:
                self._sent[key] = Sent.of(content, observed)
                return
            if update is Update.RECREATE:
                await self._recreate_if_changed(resource, observed, wanted, Sent.of(content, observed))
                return
            if LAST_APPLIED in annotations_of(observed) and not await self._drop_record(resource, observed):
                return
        try:
            applied = await self._cluster.apply(wanted, manager=self._manager)
        except Conflict:
            return
        self._sent[key] = Sent.of(content, applied)

    def forget(self, resource: Resource, item: Object) -> None:
        """The next child of that name is a new one."""
        self._sent.pop(self._key(resource, item), None)

    async def _recreate_if_changed(self, resource: Resource, observed: Object, wanted: Object, sent: Sent) -> None:
        """Ask by a dry run whether anything would change.

        A generation that moves in the dry run is taken for somebody else's edit and fails the pass. As a change of spec moves
        it too, kinds with a generation are never recreated.
        """
        key = self._key(resource, wanted)
        try:
            tried = await self._cluster.apply(wanted, manager=self._manager, dry_run=True)
        except ApiError as error:
            if error.status not in (BAD_REQUEST, FORBIDDEN):
                raise SyncError(f"the dry run failed: {error}") from error
            self._sent[key] = sent
            return
        trial = Sent.of(sent.payload, tried)
        if (trial.uid, trial.generation) != (sent.uid, sent.generation):
            raise SyncError(f"generation or uid changed during the dry run: {sent.generation} became {trial.generation}")
        if identical(payload(tried), payload(observed)):
            self._sent[key] = sent
            return
        await recreate(self._cluster, resource, observed)
        self._sent.pop(key, None)

    async def _drop_record(self, resource: Resource, observed: Object) -> bool:
        """Remove the record that dynamic apply has left; false if the child is gone."""
        metadata = observed["metadata"]
        patch: Object = {"metadata": {"annotations": {LAST_APPLIED: None}}}
        try:
            await self._cluster.merge_patch(resource, metadata.get("namespace", ""), metadata["name"], patch)
        except NotFound:
            return False
        return True

    def _key(self, resource: Resource, item: Object) -> tuple[str, str, str]:
        return resource.group, resource.kind, object_key(item)


def payload(item: Object) -> Object:
    """What of an object is ours to send or compare: all but what the API server fills in, the status and the record."""
    kept = {key: value for key, value in without_record(item).items() if key != "status"}
    metadata = {key: value for key, value in kept["metadata"].items() if key not in SYSTEM_METADATA}
    return {**kept, "metadata": metadata}
