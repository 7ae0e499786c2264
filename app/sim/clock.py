"""Time for the control loop: a virtual clock that jumps to the next thing that is due, and the real one.

Both are used in the same way, so one loop serves tests (which never wait) and a real API server (whose watch events arrive
while time passes).
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """What the loop needs to know of time."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        ...

    async def idle(self, until: datetime) -> None:
        """Let time pass, until that moment at the latest."""
        ...


class VirtualClock:
    """Time that stands still until it is told to go on. ``clock.now`` also serves a memory cluster or a hook as their clock."""

    def __init__(self, start: datetime = datetime(2030, 1, 1, tzinfo=UTC)) -> None:
        self._now = start

    def now(self) -> datetime:
        """The present moment, in UTC."""
        return self._now

    async def idle(self, until: datetime) -> None:
        """Jump to that moment."""
        self._now = max(self._now, until)


class RealClock:
    """The wall clock. It never idles longer than ``poll_seconds``, since the cluster's changes don't announce themselves."""

    def __init__(self, poll_seconds: float = 0.02) -> None:
        self._poll = timedelta(seconds=poll_seconds)

    def now(self) -> datetime:
        """The present moment, in UTC."""
        return datetime.now(UTC)

    async def idle(self, until: datetime) -> None:
        """Sleep for one poll, or less."""
        pause = min(until - self.now(), self._poll)
        await asyncio.sleep(max(0.0, pause.total_seconds()))
