"""Where the objects of the in-memory API server lie, and who is told when they change.

Objects are kept as JSON bytes beside one parsed form that never leaves the server: what is handed out is parsed anew, so
nobody can change the store by accident. Nothing here knows a rule of the API.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from app.sim.cluster import ChangeType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.hooks.objects import Object

Collection = tuple[str, str]
"""Group and plural."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One object at rest. ``live`` is only to be read; :meth:`copied` is the caller's to keep."""

    collection: Collection
    live: Object
    text: bytes

    def copied(self) -> Object:
        """A new copy of the object."""
        return orjson.loads(self.text)


class Store:
    """All objects by collection, namespace and name; and the counters that the whole cluster shares."""

    def __init__(self) -> None:
        self._objects: dict[Collection, dict[tuple[str, str], Stored]] = {}
        self._subscribers: list[Callable[[ChangeType, Stored], None]] = []
        self._uids = 0
        self.revision = 0
        """The resourceVersion of the latest write."""

    def subscribe(self, subscriber: Callable[[ChangeType, Stored], None]) -> None:
        """Call this on every later change."""
        self._subscribers.append(subscriber)

    def get(self, collection: Collection, namespace: str, name: str) -> Stored | None:
        """One object, or nothing."""
        return self._objects.get(collection, {}).get((namespace, name))

    def list(self, collection: Collection, namespace: str = "") -> Iterator[Stored]:
        """The objects of a collection, in one namespace or in all."""
        for (where, _), stored in list(self._objects.get(collection, {}).items()):
            if not namespace or where == namespace:
                yield stored

    def everything(self) -> Iterator[Stored]:
        """All objects of all collections."""
        for collection in list(self._objects):
            yield from self.list(collection)

    def new_uid(self) -> str:
        """A uid of the right form. They are counted, not drawn, so that two runs give the same ones."""
        self._uids += 1
        return f"00000000-0000-4000-8000-{self._uids:012x}"

    def put(self, collection: Collection, item: Object) -> Stored:
        """Store an object under a new resourceVersion, which is written into it."""
        metadata = item["metadata"]
        key = (metadata.get("namespace", ""), metadata["name"])
        objects = self._objects.setdefault(collection, {})
        change = ChangeType.MODIFIED if key in objects else ChangeType.ADDED
        objects[key] = stored = self._stamped(collection, item)
        self._report(change, stored)
        return stored

    def remove(self, stored: Stored, last: Object) -> Stored:
        """Remove an object for good; ``last`` is its last state, which watchers see under the resourceVersion of the removal."""
        metadata = stored.live["metadata"]
        del self._objects[stored.collection][metadata.get("namespace", ""), metadata["name"]]
        removed = self._stamped(stored.collection, last)
        self._report(ChangeType.DELETED, removed)
        return removed

    def _stamped(self, collection: Collection, item: Object) -> Stored:
        self.revision += 1
        item["metadata"]["resourceVersion"] = str(self.revision)
        return Stored(collection, item, orjson.dumps(item))

    def _report(self, change: ChangeType, stored: Stored) -> None:
        for subscriber in self._subscribers:
            subscriber(change, stored)
