"""The caches that a controller reads instead of the API server, and the changes that wake it.

One cache for each kind, of all namespaces, filled by one list and kept by the watch. Cached objects are shared: nobody
changes them in place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.sim.cluster import ChangeType

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


class Informers:
    """Caches of the kinds that were asked for."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._caches: dict[Kind, dict[str, dict[str, Object]]] = {}

    async def start(self, resource: Resource) -> None:
        """Watch a kind from now on; when this returns its cache is full. Repeating a kind is harmless."""
        kind = (resource.api_version, resource.kind)
        if kind in self._caches:
            return
        self._cluster.watch([resource])
        cache = self._caches[kind] = {}
        for item in await self._cluster.list(resource):
            _put(cache, item)

    def get(self, kind: Kind, namespace: str, name: str) -> Object | None:
        """One cached object, or nothing."""
        return self._caches[kind].get(namespace, {}).get(name)

    def items(self, kind: Kind, namespace: str = "") -> list[Object]:
        """The cached objects of a kind, in one namespace or in all."""
        cache = self._caches[kind]
        if namespace:
            return [*cache.get(namespace, {}).values()]
        return [item for group in cache.values() for item in group.values()]

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
        group = cache.setdefault(metadata.get("namespace", ""), {})
        old = group.get(metadata["name"])
        if change.type is ChangeType.DELETED:
            if old is None or old["metadata"]["uid"] != metadata["uid"]:
                return None
            del group[metadata["name"]]
            return Transition(item, None)
        if old is not None and not _newer(item, old):
            return None
        group[metadata["name"]] = item
        return Transition(old, item)


def _put(cache: dict[str, dict[str, Object]], item: Object) -> None:
    cache.setdefault(item["metadata"].get("namespace", ""), {})[item["metadata"]["name"]] = item


def _newer(item: Object, known: Object) -> bool:
    """Whether this is news: the first list may already hold what the watch reports once more."""
    return int(item["metadata"]["resourceVersion"]) > int(known["metadata"]["resourceVersion"])
