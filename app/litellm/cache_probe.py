"""Asks proxies whether they reach the Redis behind their cache, at most once an interval and one at a time for each proxy.

The master key goes along, so only a proxy that was just seen alive is asked. Nothing is waited for longer than a moment: the
answer that is under way counts in the next sync.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.apis.litellm.sighting import CacheVerdict
from app.litellm.answers import CACHE_PING, cache_verdict
from app.litellm.client import FAILURES, Client, trouble
from app.litellm.faults import FAULT, log_fault

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx2

    from app.litellm.target import Target
    from app.litellm.trust import Trust

FLIGHT = 5.0
"""Seconds that a proxy has for its answer."""
PATIENCE = 1.0
"""Seconds that a hook waits for it."""
GOOD_FOR = 54.0
BAD_FOR = 5.0
MOST_PROXIES = 10_000


@dataclass(slots=True)
class _Asked:
    verdict: CacheVerdict | None = None
    until: float = float("-inf")
    flight: asyncio.Task[None] | None = None


class CacheProber:
    """What this process knows of the caches of proxies. ``clock`` is in seconds and only ever goes forward."""

    def __init__(self, transports: Callable[[Trust], httpx2.AsyncBaseTransport], clock: Callable[[], float]) -> None:
        self._transports = transports
        self._clock = clock
        self._asked: OrderedDict[tuple[str, str, str], _Asked] = OrderedDict()

    async def look(self, target: Target, key: str) -> CacheVerdict | None:
        """The verdict; nothing while the first one is under way. Never raises for what a proxy does."""
        asked = self._remembered(target, key)
        if asked.flight is None and self._clock() >= asked.until:
            asked.flight = asyncio.create_task(self._fly(asked, target, key))
        if asked.flight is not None:
            # A hook that is cancelled or runs out of patience must not end what others wait for.
            await asyncio.wait([asked.flight], timeout=PATIENCE)
        return asked.verdict

    async def aclose(self) -> None:
        """Ends every flight."""
        flights = [asked.flight for asked in self._asked.values() if asked.flight is not None]
        for flight in flights:
            flight.cancel()
        await asyncio.gather(*flights, return_exceptions=True)

    def _remembered(self, target: Target, key: str) -> _Asked:
        name = (target.endpoint, target.trust.digest, hashlib.sha256(key.encode()).hexdigest())
        asked = self._asked.setdefault(name, _Asked())
        self._asked.move_to_end(name)
        while len(self._asked) > MOST_PROXIES:
            self._asked.popitem(last=False)
        return asked

    async def _fly(self, asked: _Asked, target: Target, key: str) -> None:
        try:
            asked.verdict = await self._ask(target, key)
            asked.until = self._clock() + (GOOD_FOR if asked.verdict.connected else BAD_FOR)
        finally:
            asked.flight = None

    async def _ask(self, target: Target, key: str) -> CacheVerdict:
        try:
            async with asyncio.timeout(FLIGHT), Client(target.endpoint, self._transports(target.trust)) as client:
                return cache_verdict(await client.get(CACHE_PING, key=key))
        except FAILURES as error:
            return CacheVerdict(connected=False, trouble=trouble(error, CACHE_PING))
        except Exception as error:  # a fault of ours: it must not end as a failed hook
            log_fault(error)
            return CacheVerdict(connected=False, trouble=FAULT)
