"""The caches that a controller reads instead of the API server, and the changes that wake it.

One cache for each kind, of all namespaces, filled by one list and kept by the watch. Cached objects are shared: nobody
changes them in place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.sim.cluster import ChangeType
from app.sim.metacontroller.ownership import controller_of

if TYPE_CHECKING:
    from app.hooks.objects import Object, Resource
    from app.sim.cluster import Change, Cluster

Kind = tuple[str, str]
"""apiVersion and kind."""


@dataclass(frozen=True, slots=True)
class Transition:
    """An object before and after a change: ``old`` is nothing for a new one, ``new`` for one that is gone."""

    old: Object | None
    new: Object | None

    @property
    def latest(self) -> Object:
        """The state after the change, or the last one there was."""
        item = self.new or self.old
        assert item is not None  # noqa: S101  one of the two is always given
        return item


def kind_of(item: Object) -> Kind:
    """The kind of an object, as caches are sorted by it."""
    return item["apiVersion"], item["kind"]


class Cache:
    """The objects of one kind, found by name, by namespace or by controller."""

    def __init__(self) -> None:
        self._items: dict[str, dict[str, Object]] = {}
        self._by_controller: dict[str, dict[tuple[str, str], Object]] = {}

    def get(self, namespace: str, name: str) -> Object | None:
        """One object, or nothing."""
        return self._items.get(namespace, {}).get(name)

    def items(self, namespace: str = "") -> list[Object]:
        """The objects of one namespace, or of all."""
        if namespace:
            return [*self._items.get(namespace, {}).values()]
        return [item for group in self._items.values() for item in group.values()]

    def controlled_by(self, uid: str, namespace: str = "") -> list[Object]:
        """The objects that the object of this uid controls; with an empty uid those that nobody does."""
        found = self._by_controller.get(uid, {})
        return [item for (where, _), item in found.items() if not namespace or where == namespace]

    def put(self, item: Object) -> None:
        """Add an object, or put it in place of its former state."""
        namespace, name = self._place(item)
        former = self.get(namespace, name)
        if former is not None:
            self.remove(former)
        self._items.setdefault(namespace, {})[name] = item
        self._by_controller.setdefault(_controller_uid(item), {})[namespace, name] = item

    def remove(self, item: Object) -> None:
        """Remove an object; it must be the very state that was put."""
        namespace, name = self._place(item)
        del self._items[namespace][name]
        del self._by_controller[_controller_uid(item)][namespace, name]

    def _place(self, item: Object) -> tuple[str, str]:
        return item["metadata"].get("namespace", ""), item["metadata"]["name"]


class Informers:
    """Caches of the kinds that were asked for."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._caches: dict[Kind, Cache] = {}

    async def start(self, resource: Resource) -> None:
        """Watch a kind from now on; when this returns its cache is full. Repeating a kind is harmless."""
        kind = (resource.api_version, resource.kind)
        if kind in self._caches:
            return
        self._cluster.watch([resource])
        cache = self._caches[kind] = Cache()
        for item in await self._cluster.list(resource):
            cache.put(item)

    def __getitem__(self, kind: Kind) -> Cache:
        """The cache of a kind that was started."""
        return self._caches[kind]

    async def take_changes(self) -> list[Transition]:
        """Bring the caches up to date; what has changed in them, in order."""
        noted = (self._note(change) for change in await self._cluster.changes())
        return [transition for transition in noted if transition is not None]

    def _note(self, change: Change) -> Transition | None:
        item = change.item
        cache = self._caches.get(kind_of(item))
        if cache is None:
            return None
        metadata = item["metadata"]
        old = cache.get(metadata.get("namespace", ""), metadata["name"])
        if change.type is ChangeType.DELETED:
            if old is None or old["metadata"]["uid"] != metadata["uid"]:
                return None
            cache.remove(old)
            return Transition(item, None)
        if old is not None and not _newer(item, old):
            return None
        cache.put(item)
        return Transition(old, item)


def _controller_uid(item: Object) -> str:
    owner = controller_of(item)
    return owner["uid"] if owner is not None else ""


def _newer(item: Object, known: Object) -> bool:
    """Whether this is news: the first list may already hold what the watch reports once more."""
    return int(item["metadata"]["resourceVersion"]) > int(known["metadata"]["resourceVersion"])
