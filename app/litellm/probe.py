"""Asks proxies whether they are alive, ready, and content with the master key; shares what it learned.

One flight per endpoint and CA at a time, whoever waits for it; each flight has a conversation of its own, so that proxies
that never answer hold up nobody else. A hook waits a short while and otherwise works with what is known; the flight goes on.
The key goes to :data:`~app.litellm.answers.LICENSE` only, and only to a proxy that was just seen alive; it does not wait for
the readiness, which is asked at the same time.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.apis.litellm.sighting import Health, KeyState, KeyVerdict, Reach, Sighting
from app.litellm.answers import (
    LICENSE,
    LIVELINESS,
    READINESS,
    Answer,
    disclosed_version,
    key_verdict,
    liveliness_trouble,
    readiness_trouble,
)
from app.litellm.cache_probe import CacheProber
from app.litellm.client import FAILURES, OWN_FAILURES, Client, trouble
from app.litellm.faults import FAULT, log_fault
from app.litellm.target import Target
from app.litellm.transport import AddressRefused, NotAsked

__all__ = ["Budgets", "Prober", "Target"]

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    import httpx2

    from app.litellm.trust import Trust

    Transports = Callable[[Trust], httpx2.AsyncBaseTransport]


@dataclass(frozen=True, slots=True)
class Budgets:
    """How long things may take, and how long what was learned is good for. All in seconds."""

    flight: float = 5.0
    """The whole of one health probe, or of one question about a key."""
    first_wait: float = 2.0
    """How long a hook waits for a proxy of which nothing is known."""
    known_wait: float = 0.2
    """How long a hook waits where it has something to say already."""
    good_for: float = 54.0
    """A good result: nine tenths of the interval at which a ready instance is synced again."""
    bad_for: float = 5.0
    key_for: float = 600.0
    """What a proxy said about a key, yes or no."""
    most_proxies: int = 10_000
    """Proxies remembered; the one not asked about for the longest time is forgotten first."""
    most_keys: int = 64
    """Keys remembered for one proxy."""


@dataclass(slots=True)
class _Verdict:
    """The last verdict on one key, until when it holds, and the flight that asks again."""

    value: KeyVerdict | None = None
    until: float = float("-inf")
    flight: asyncio.Task[None] | None = None
    queued: bool = False
    """Whether the last flight ended before it could ask."""


@dataclass(slots=True)
class _Proxy:
    """The last health of one proxy, until when it holds, and the flight that asks again."""

    health: Health | None = None
    until: float = float("-inf")
    flight: asyncio.Task[None] | None = None
    queued: bool = False
    """Whether the last flight ended before it could ask: what is known is older than it should be."""
    alive: bool = False
    """What is known by now of its liveliness; while a flight asks for the readiness, this is newer than ``health``."""
    liveliness_known: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by the flight, at the latest when it ends."""
    doubted: bool = False
    """Whether a keyed call has failed since the flight began."""
    verdicts: OrderedDict[str, _Verdict] = field(default_factory=OrderedDict[str, _Verdict])


class Prober:
    """What this process knows of proxies. ``clock`` is in seconds and only ever goes forward."""

    def __init__(self, transports: Transports, clock: Callable[[], float], budgets: Budgets | None = None) -> None:
        self._transports = transports
        self._clock = clock
        self._budgets = budgets or Budgets()
        self._proxies: OrderedDict[tuple[str, str], _Proxy] = OrderedDict()
        self._flights: set[asyncio.Task[None]] = set()
        self.caches = CacheProber(transports, clock)
        """Asks proxies about the Redis behind their cache."""

    async def look(self, target: Target, key: str = "", *, known: bool = False) -> Sighting:
        """What is known of the proxy now, after a short wait for what is due. Never raises for what a proxy does.

        Without ``key`` the key is not asked about. ``known`` says that the caller has something to fall back to.
        """
        proxy = self._remembered(target)
        verdict = self._remembered_verdict(proxy, key) if key else None
        pending = False
        patience = self._budgets.known_wait if known or proxy.health else self._budgets.first_wait
        try:
            async with asyncio.timeout(patience):
                flights = [self._health_flight(proxy, target)]
                if verdict:
                    await proxy.liveliness_known.wait()
                    if proxy.alive:
                        flights.append(self._verdict_flight(proxy, verdict, target, key))
                for flight in flights:
                    if flight is not None:
                        # A hook that is cancelled or runs out of patience must not end what others wait for.
                        await asyncio.shield(flight)
        except TimeoutError:
            pending = True
        return _sighting(proxy, verdict, pending=pending)

    def at_hand(self, target: Target, key: str = "") -> Sighting | None:
        """What is known of the proxy, or nothing if some of it is due: nearly every hook needs no more than this."""
        proxy = self._remembered(target)
        verdict = self._remembered_verdict(proxy, key) if key else None
        return None if self._due(proxy, verdict) else _sighting(proxy, verdict)

    def doubt(self, target: Target) -> None:
        """A call to that proxy failed elsewhere: what was seen before may not hold any more."""
        proxy = self._proxies.get((target.endpoint, target.trust.digest))
        if proxy is not None and proxy.health is not None and proxy.health.good:
            proxy.until = float("-inf")

    async def aclose(self) -> None:
        """Ends every flight."""
        flights = list(self._flights)
        for flight in flights:
            flight.cancel()
        await asyncio.gather(*flights, return_exceptions=True)
        await self.caches.aclose()

    def _remembered(self, target: Target) -> _Proxy:
        name = (target.endpoint, target.trust.digest)
        proxy = self._proxies.setdefault(name, _Proxy())
        self._proxies.move_to_end(name)
        while len(self._proxies) > self._budgets.most_proxies:
            self._proxies.popitem(last=False)
        return proxy

    def _remembered_verdict(self, proxy: _Proxy, key: str) -> _Verdict:
        digest = hashlib.sha256(key.encode()).hexdigest()
        verdict = proxy.verdicts.setdefault(digest, _Verdict())
        proxy.verdicts.move_to_end(digest)
        while len(proxy.verdicts) > self._budgets.most_keys:
            proxy.verdicts.popitem(last=False)
        return verdict

    def _due(self, proxy: _Proxy, verdict: _Verdict | None) -> bool:
        """Whether there is anything to wait for."""
        now = self._clock()
        if proxy.flight or now >= proxy.until:
            return True
        return bool(verdict and proxy.health and proxy.health.alive and (verdict.flight or now >= verdict.until))

    def _health_flight(self, proxy: _Proxy, target: Target) -> asyncio.Task[None] | None:
        """The flight that asks after the proxy's health; nothing where what is known is still good."""
        if proxy.flight is None and self._clock() >= proxy.until:
            proxy.liveliness_known.clear()
            proxy.doubted = False
            proxy.flight = self._launch(self._fly(proxy, target))
        return proxy.flight

    def _verdict_flight(self, proxy: _Proxy, verdict: _Verdict, target: Target, key: str) -> asyncio.Task[None] | None:
        """The same for the key."""
        if verdict.flight is None and self._clock() >= verdict.until:
            verdict.flight = self._launch(self._ask(proxy, verdict, target, key))
        return verdict.flight

    def _launch(self, flight: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(flight)
        self._flights.add(task)
        task.add_done_callback(self._flights.discard)
        return task

    async def _fly(self, proxy: _Proxy, target: Target) -> None:
        try:
            health = await self._health(proxy, target)
            proxy.queued = health is None
            if health is None:
                return
            proxy.health, proxy.alive = health, health.alive
            good_for = self._budgets.good_for if health.good else self._budgets.bad_for
            proxy.until = float("-inf") if proxy.doubted else self._clock() + good_for
        finally:
            proxy.flight = None
            proxy.liveliness_known.set()

    def _seen_alive(self, proxy: _Proxy) -> None:
        if not proxy.alive:
            # Whoever comes back may have been restarted with another key.
            for verdict in proxy.verdicts.values():
                verdict.until = float("-inf")
        proxy.alive = True
        proxy.liveliness_known.set()

    async def _ask(self, proxy: _Proxy, verdict: _Verdict, target: Target, key: str) -> None:
        try:
            found = await self._verdict(proxy, target, key)
            verdict.queued = found is None
            if found is None:
                return
            verdict.value = found
            now = self._clock()
            if found.state is KeyState.UNKNOWN:
                if proxy.flight is not None:
                    await asyncio.wait([proxy.flight])
                # A proxy without that route answers so for ever: it is enough to ask again when its health is due.
                verdict.until = max(now + self._budgets.bad_for, proxy.until)
            else:
                verdict.until = now + self._budgets.key_for
        finally:
            verdict.flight = None

    async def _health(self, proxy: _Proxy, target: Target) -> Health | None:
        """What the health routes say; nothing if we did not come to ask."""
        try:
            return await self._asked_health(proxy, target)
        except NotAsked:
            return None
        except Exception as error:  # a fault of ours: it must not end as a failed hook
            log_fault(error)
            return Health(Reach.UNREACHABLE, FAULT)

    async def _asked_health(self, proxy: _Proxy, target: Target) -> Health:
        deadline = asyncio.get_running_loop().time() + self._budgets.flight
        async with Client(target.endpoint, self._transports(target.trust)) as client:
            try:
                answer = await _get_by(deadline, client, LIVELINESS)
            except NotAsked:
                raise
            except AddressRefused as error:
                return Health(Reach.REFUSED, str(error))
            except FAILURES as error:
                return Health(Reach.UNREACHABLE, trouble(error, LIVELINESS))
            if why := liveliness_trouble(answer):
                return Health(Reach.UNREACHABLE, why)
            self._seen_alive(proxy)
            try:
                answer = await _get_by(deadline, client, READINESS)
            except NotAsked:
                raise
            except FAILURES as error:
                return Health(Reach.ALIVE, readiness_trouble=trouble(error, READINESS))
            return Health(Reach.ALIVE, "", readiness_trouble(answer), disclosed_version(answer))

    async def _verdict(self, proxy: _Proxy, target: Target, key: str) -> KeyVerdict | None:
        """What the proxy says about the key; nothing if we did not come to ask."""
        deadline = asyncio.get_running_loop().time() + self._budgets.flight
        try:
            async with Client(target.endpoint, self._transports(target.trust)) as client:
                return key_verdict(await _get_by(deadline, client, LICENSE, key))
        except NotAsked:
            return None
        except FAILURES as error:
            if not isinstance(error, OWN_FAILURES):
                # A call that fails makes what was seen before doubtful, and what is being asked at this moment.
                proxy.until, proxy.doubted = float("-inf"), True
            return KeyVerdict(KeyState.UNKNOWN, trouble(error, LICENSE))
        except Exception as error:  # a fault of ours: it must not end as a failed hook
            log_fault(error)
            return KeyVerdict(KeyState.UNKNOWN, FAULT)


def _sighting(proxy: _Proxy, verdict: _Verdict | None, *, pending: bool = False) -> Sighting:
    queued = proxy.queued or (verdict is not None and verdict.queued)
    return Sighting(proxy.health, verdict.value if verdict else None, pending or queued)


async def _get_by(deadline: float, client: Client, path: str, key: str = "") -> Answer:
    async with asyncio.timeout_at(deadline):
        return await client.get(path, key=key)
