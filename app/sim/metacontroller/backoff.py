"""How long to wait before a failed pass is tried again.

Each key doubles its own pause; all failing keys of one controller together are further held to ten a second, after a first
hundred at once.
"""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime, timedelta
from typing import Generic, TypeVar

FIRST, LONGEST = timedelta(milliseconds=5), timedelta(seconds=1000)
RATE_PER_SECOND, BURST = 10, 100

K = TypeVar("K", bound=Hashable)


class Backoff(Generic[K]):
    """Pauses of the keys of one controller."""

    def __init__(self) -> None:
        self._failures: dict[K, int] = {}
        self._tokens = float(BURST)
        self._counted_at: datetime | None = None

    def next(self, key: K, now: datetime) -> timedelta:
        """The pause after one more failure: 5 ms, 10 ms, 20 ms… up to 1000 s."""
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        own = min(FIRST * 2 ** min(failures, 32), LONGEST)
        return max(own, self._shared_pause(now))

    def forget(self, key: K) -> None:
        """A success: the next failure of that key is its first one."""
        self._failures.pop(key, None)

    def _shared_pause(self, now: datetime) -> timedelta:
        if self._counted_at is not None:
            elapsed = (now - self._counted_at).total_seconds()
            self._tokens = min(float(BURST), self._tokens + elapsed * RATE_PER_SECOND)
        self._counted_at = now
        self._tokens -= 1
        return timedelta(seconds=max(0.0, -self._tokens / RATE_PER_SECOND))
