"""The garbage collector, and what ends namespaces: controllers that every cluster runs beside its API server.

:meth:`Collector.collect` does everything that is to be done now and returns; nothing runs in between.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from app.hooks.objects import terminating
from app.sim.cluster import Propagation
from app.sim.memory.metadata import NAMESPACES
from app.sim.memory.server import FOREGROUND, ORPHAN

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.memory.server import ApiServer
    from app.sim.memory.store import Stored

_MANAGER = "kube-controller-manager"


class Collector:
    """Deletes what has lost all its owners, finishes foreground and orphaning deletions, and empties namespaces."""

    def __init__(self, server: ApiServer) -> None:
        self._server = server
        self._settled_at = -1

    def collect(self) -> None:
        """Go round until there is nothing left to do. Costs nothing if nothing was written since the last time."""
        store = self._server.store
        while self._settled_at != store.revision:
            self._settled_at = store.revision
            self._round()

    def _round(self) -> None:
        items = list(self._server.store.everything())
        by_uid = {stored.live["metadata"]["uid"]: stored for stored in items}
        dependents: dict[str, list[Stored]] = defaultdict(list)
        for stored in items:
            for owner in _owners(stored.live):
                dependents[owner["uid"]].append(stored)
        for stored in items:
            if terminating(stored.live):
                self._finish_deletion(stored, dependents[stored.live["metadata"]["uid"]])
            elif _owners(stored.live):
                self._judge_by_owners(stored, by_uid, has_dependents=bool(dependents[stored.live["metadata"]["uid"]]))

    def _finish_deletion(self, stored: Stored, dependents: list[Stored]) -> None:
        finalizers = stored.live["metadata"].get("finalizers", [])
        uid = stored.live["metadata"]["uid"]
        if ORPHAN in finalizers:
            for dependent in dependents:
                self._keep_owners(dependent, [owner for owner in _owners(dependent.live) if owner["uid"] != uid])
            self._take_off(stored, ORPHAN)
        elif FOREGROUND in finalizers:
            if not any(_blocks(dependent.live, uid) for dependent in dependents):
                self._take_off(stored, FOREGROUND)
        elif stored.collection == NAMESPACES:
            self._empty(stored)

    def _judge_by_owners(self, stored: Stored, by_uid: dict[str, Stored], *, has_dependents: bool) -> None:
        solid: list[Object] = []
        waiting: list[Object] = []
        for owner in _owners(stored.live):
            found = by_uid.get(owner["uid"])
            if found is None or not _may_own(found.live, stored.live):
                continue
            going = terminating(found.live) and FOREGROUND in found.live["metadata"].get("finalizers", [])
            (waiting if going else solid).append(owner)
        if len(solid) == len(_owners(stored.live)):
            return
        if solid:
            self._keep_owners(stored, solid)
        else:
            self._delete(stored, Propagation.FOREGROUND if waiting and has_dependents else Propagation.BACKGROUND)

    def _empty(self, namespace: Stored) -> None:
        name = namespace.live["metadata"]["name"]
        content = [stored for stored in self._server.store.everything() if stored.live["metadata"].get("namespace") == name]
        for stored in content:
            if not terminating(stored.live):
                self._delete(stored, Propagation.BACKGROUND)
        if not content:
            self._server.remove(namespace, namespace.copied())

    def _delete(self, stored: Stored, propagation: Propagation) -> None:
        live = stored.live["metadata"]
        own = {FOREGROUND: Propagation.FOREGROUND, ORPHAN: Propagation.ORPHAN}
        asked = next((own[name] for name in live.get("finalizers", []) if name in own), propagation)
        kind = self._server.kinds.named(stored.live["apiVersion"], stored.live["kind"])
        if self._server.store.get(stored.collection, live.get("namespace", ""), live["name"]) is not None:
            self._server.delete(kind, live.get("namespace", ""), live["name"], propagation=asked)

    def _keep_owners(self, stored: Stored, owners: list[Object]) -> None:
        self._patch(stored, {"ownerReferences": owners or None})

    def _take_off(self, stored: Stored, finalizer: str) -> None:
        left = [name for name in stored.live["metadata"]["finalizers"] if name != finalizer]
        self._patch(stored, {"finalizers": left or None})

    def _patch(self, stored: Stored, change: Object) -> None:
        live = stored.live["metadata"]
        kind = self._server.kinds.named(stored.live["apiVersion"], stored.live["kind"])
        if self._server.store.get(stored.collection, live.get("namespace", ""), live["name"]) is not None:
            self._server.merge_patch(kind, live.get("namespace", ""), live["name"], {"metadata": change}, manager=_MANAGER)


def _owners(item: Object) -> list[Object]:
    return item["metadata"].get("ownerReferences", [])


def _may_own(owner: Object, item: Object) -> bool:
    """An owner is cluster-scoped or in the same namespace; any other counts as absent."""
    return owner["metadata"].get("namespace", item["metadata"].get("namespace")) == item["metadata"].get("namespace")


def _blocks(item: Object, uid: str) -> bool:
    return any(owner["uid"] == uid and owner.get("blockOwnerDeletion") for owner in _owners(item))
