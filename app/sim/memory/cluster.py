"""The in-memory API server as a client sees it: the :class:`~app.sim.cluster.Cluster` interface."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from app.sim.cel import Engine
from app.sim.cluster import Change, ChangeType, Propagation
from app.sim.memory.collector import Collector
from app.sim.memory.server import ApiServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from app.hooks.objects import Object, Resource
    from app.sim.memory.store import Stored


class MemoryCluster:
    """One client of an in-memory API server.

    The garbage collector works whenever a client has read its :meth:`changes`, so a watcher learns of a deletion before it
    learns what the collector made of it. Who never watches calls :meth:`settle`.
    """

    def __init__(
        self,
        crds: Iterable[Object] = (),
        *,
        clock: Callable[[], datetime],
        manager: str = "palena",
        engine: Engine | None = None,
        server: ApiServer | None = None,
    ) -> None:
        """``crds`` are created at once; ``manager`` is this client's name in ``managedFields``.

        ``engine`` evaluates CEL rules (give one with Python twins where CEL may be missing); ``server`` is a shared API server.
        """
        self.server = server or ApiServer(clock=clock, engine=engine or Engine())
        self.manager = manager
        self._clock = clock
        self._collector = Collector(self.server)
        self._watched: dict[tuple[str, str], Resource] = {}
        self._unread: deque[tuple[ChangeType, Stored]] = deque()
        for crd in crds:
            self.server.create(crd, manager=manager)

    def client(self, manager: str) -> MemoryCluster:
        """Another client of the same API server, with watches of its own."""
        return MemoryCluster(clock=self._clock, manager=manager, server=self.server)

    async def resource(self, api_version: str, plural: str) -> Resource:
        """The served kind; :class:`~app.sim.cluster.NotFound` if it is not served."""
        return self.server.kinds.plural(api_version, plural).resource

    async def resource_of(self, api_version: str, kind: str) -> Resource:
        """The served kind by its name; :class:`~app.sim.cluster.NotFound` if it is not served."""
        return self.server.kinds.named(api_version, kind).resource

    async def get(self, resource: Resource, namespace: str, name: str) -> Object:
        """One object, live."""
        kind = self.server.kinds.plural(resource.api_version, resource.plural)
        return _as_version(self.server.find(kind, namespace, name), resource)

    async def list(self, resource: Resource, namespace: str = "") -> list[Object]:
        """All objects of a kind, in one namespace or in all."""
        kind = self.server.kinds.plural(resource.api_version, resource.plural)
        return [_as_version(stored, resource) for stored in self.server.store.list(kind.collection, namespace)]

    async def create(self, item: Object) -> Object:
        """POST. Returns the object as stored."""
        return self.server.create(item, manager=self.manager).copied()

    async def update(self, item: Object, *, subresource: str = "") -> Object:
        """PUT of a whole object, or of its ``status``."""
        return self.server.update(item, manager=self.manager, subresource=subresource).copied()

    async def merge_patch(self, resource: Resource, namespace: str, name: str, patch: Object, *, subresource: str = "") -> Object:
        """PATCH with a JSON merge patch."""
        kind = self.server.kinds.plural(resource.api_version, resource.plural)
        return self.server.merge_patch(kind, namespace, name, patch, manager=self.manager, subresource=subresource).copied()

    async def apply(self, item: Object, *, manager: str, force: bool = True, dry_run: bool = False) -> Object:
        """Server-side apply."""
        return self.server.apply(item, manager=manager, force=force, dry_run=dry_run).copied()

    async def delete(
        self, resource: Resource, namespace: str, name: str, *, propagation: Propagation = Propagation.BACKGROUND, uid: str = ""
    ) -> None:
        """DELETE; with ``uid`` only the object of that uid."""
        kind = self.server.kinds.plural(resource.api_version, resource.plural)
        self.server.delete(kind, namespace, name, propagation=propagation, uid=uid)

    def watch(self, resources: Sequence[Resource]) -> None:
        """From now on changes of these kinds are reported by :meth:`changes`."""
        if not self._watched and resources:
            self.server.store.subscribe(self._note)
        for resource in resources:
            self._watched.setdefault((resource.group, resource.plural), resource)

    async def changes(self) -> list[Change]:
        """The changes of the watched kinds since the last call, in order. What the garbage collector does now comes next time."""
        told = [Change(change, _as_version(stored, self._watched[stored.collection])) for change, stored in self._unread]
        self._unread.clear()
        await self.settle()
        return told

    async def settle(self) -> None:
        """Let the garbage collector do what is to be done now."""
        self._collector.collect()

    def _note(self, change: ChangeType, stored: Stored) -> None:
        if stored.collection in self._watched:
            self._unread.append((change, stored))


def _as_version(stored: Stored, resource: Resource) -> Object:
    item = stored.copied()
    item["apiVersion"] = resource.api_version
    return item
