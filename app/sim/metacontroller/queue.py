"""What is to be synced, now and later. A key is in each part at most once.

A key that is added while it waits for a moment is synced at once *and* then: only a timer that is due earlier replaces a
timer. Retries, Retry-After and resyncAfterSeconds share that one timer.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from datetime import datetime

K = TypeVar("K", bound=Hashable)


class WorkQueue(Generic[K]):
    """First come, first served."""

    def __init__(self) -> None:
        self._ready: dict[K, None] = {}
        self._timers: dict[K, datetime] = {}

    def add(self, key: K) -> None:
        """Sync this key soon; nothing changes if it is waiting for that already."""
        self._ready.setdefault(key)

    def add_at(self, key: K, due: datetime) -> None:
        """Sync this key at a moment, unless an earlier one is noted."""
        self._timers[key] = min(due, self._timers.get(key, due))

    def release(self, now: datetime) -> None:
        """Make ready what is due."""
        for key in sorted((key for key, due in self._timers.items() if due <= now), key=self._timers.__getitem__):
            del self._timers[key]
            self.add(key)

    def take(self) -> K | None:
        """The next key to sync, or nothing."""
        key = next(iter(self._ready), None)
        if key is not None:
            del self._ready[key]
        return key

    def next_due(self) -> datetime | None:
        """When the next timer fires, if there is one."""
        return min(self._timers.values(), default=None)
