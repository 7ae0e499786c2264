"""A control loop with Metacontroller's semantics over any :class:`~app.sim.cluster.Cluster`.

One pass at a time: changes are read and wake parents, timers that are due wake theirs, and the parent that has waited longest
is synced by its controller. In memory time is virtual and jumps to the next timer; against a real API server it passes. The
same code does both.

The passes themselves are in :mod:`app.sim.metacontroller`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from app.hooks.replay import FIELD_MANAGER
from app.sim.cluster import ApiError
from app.sim.metacontroller.backoff import Backoff
from app.sim.metacontroller.calls import CallFailed, Exchange, HookCall, Hooks, Reply
from app.sim.metacontroller.composite import Composite
from app.sim.metacontroller.decorator import Decorator
from app.sim.metacontroller.dynamic_apply import DynamicApply
from app.sim.metacontroller.environment import Environment
from app.sim.metacontroller.errors import CreateError, PassEnded, ProcessCrash, Restless, TooManyRequests
from app.sim.metacontroller.informers import Informers, Kind, Transition, kind_of
from app.sim.metacontroller.manifest import ControllerKind, Manifest, manifest
from app.sim.metacontroller.queue import WorkQueue
from app.sim.metacontroller.server_side_apply import ServerSideApply

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from app.hooks.objects import Object
    from app.sim.clock import Clock
    from app.sim.cluster import Cluster
    from app.sim.metacontroller.controller import Controller

__all__ = ["CallFailed", "Event", "Exchange", "HookCall", "Loop", "ProcessCrash", "Reply", "Restless", "Strategy"]

PATIENCE = 100
"""Passes over one parent while no time passes; a loop that wants more would never end."""


class Strategy(StrEnum):
    """How children are written, for all controllers alike."""

    DYNAMIC_APPLY = "dynamic-apply"
    SERVER_SIDE_APPLY = "server-side-apply"


@dataclass(frozen=True, slots=True)
class Event:
    """A Warning that Metacontroller would put on the parent (``SyncError``), or on the controller (``CreateError``)."""

    reason: str
    regarding: str
    """``<Kind> <namespace>/<name>``."""
    message: str


@dataclass(frozen=True, slots=True)
class Key:
    """A parent in the queue: for which controller, and which object."""

    controller: str
    kind: Kind
    namespace: str
    name: str


@dataclass(slots=True)
class _Running:
    """A controller at work, and when all its parents are due again whatever happens."""

    controller: Controller
    backoff: Backoff[Key]
    resync_at: datetime


class Loop:
    """Metacontroller, for the controllers of the given manifests."""

    def __init__(
        self,
        cluster: Cluster,
        controllers: Iterable[Object],
        call: HookCall,
        *,
        clock: Clock,
        strategy: Strategy | str = Strategy.DYNAMIC_APPLY,
        on_exchange: Callable[[Exchange], None] | None = None,
    ) -> None:
        """``call`` reaches the hooks (:mod:`app.sim.callers` has two); ``on_exchange`` is told of each call and its answer."""
        self.events: list[Event] = []
        self._clock = clock
        self._informers = Informers(cluster)
        dynamic = Strategy(strategy) is Strategy.DYNAMIC_APPLY
        self._env = Environment(
            cluster=cluster,
            informers=self._informers,
            hooks=Hooks(call, clock.now, on_exchange or (lambda exchange: None)),
            applier=DynamicApply(cluster) if dynamic else ServerSideApply(cluster, FIELD_MANAGER),
            now=clock.now,
        )
        self._waiting = {_identity(source): (source, clock.now()) for source in controllers}
        self._running: dict[str, _Running] = {}
        self._start_backoff = Backoff[str]()
        self._queue = WorkQueue[Key]()
        self._stillness = clock.now()
        self._passes: Counter[Key] = Counter()

    async def run_until_quiet(self, horizon_seconds: float = 0.0) -> None:
        """Do all that is due now and within so many seconds; afterwards that much time has passed.

        Raises :class:`ProcessCrash` and :class:`Restless`.
        """
        await self.run_until(_never, horizon_seconds)

    async def run_until(self, reached: Callable[[], Awaitable[bool]], horizon_seconds: float) -> bool:
        """Work until ``reached`` says so, asked after each pass; false if it has not within so many seconds.

        Raises :class:`ProcessCrash` and :class:`Restless`.
        """
        deadline = self._clock.now() + timedelta(seconds=horizon_seconds)
        while not await reached():
            if await self.step():
                continue
            if self._clock.now() >= deadline:
                return False
            await self._clock.idle(min(deadline, self.next_due() or deadline))
        return True

    async def step(self) -> bool:
        """Do what is due now, one pass at most. False if nothing was due and nothing has changed.

        Raises :class:`ProcessCrash` where the real process would die, and :class:`Restless` for a hot loop.
        """
        await self._start_controllers()
        transitions = await self._informers.take_changes()
        await self._wake_parents(transitions)
        key = self._queue.take()
        if key is None:
            return bool(transitions)
        self._count_pass(key)
        await self._pass(key)
        return True

    def next_due(self) -> datetime | None:
        """When the next timer fires: a retry, a resync, another attempt to start a controller."""
        timers = [self._queue.next_due(), *(one.resync_at for one in self._running.values())]
        return min((due for due in (*timers, *(due for _, due in self._waiting.values())) if due is not None), default=None)

    async def _start_controllers(self) -> None:
        """Start those that are due. One that can't be started leaves the others alone and is tried again, ever more rarely."""
        for name, (source, due) in [*self._waiting.items()]:
            if due > self._clock.now():
                continue
            try:
                controller = _controller(manifest(source), self._env)
                await controller.start()
            except (CreateError, ApiError) as error:
                self.events.append(Event("CreateError", name, str(error)))
                self._waiting[name] = (source, self._clock.now() + self._start_backoff.next(name, self._clock.now()))
                continue
            del self._waiting[name]
            self._running[name] = _Running(controller, Backoff(), self._clock.now())

    async def _wake_parents(self, transitions: Sequence[Transition]) -> None:
        now = self._clock.now()
        for name, running in self._running.items():
            controller = running.controller
            woken = await controller.awakened(transitions)
            if running.resync_at <= now:
                running.resync_at = now + timedelta(seconds=controller.manifest.resync_seconds)
                woken += [parent for parent in controller.parents() if controller.cares_for(parent)]
            for parent in woken:
                self._queue.add(_key(name, parent))
        self._queue.release(now)

    async def _pass(self, key: Key) -> None:
        parent = self._informers[key.kind].get(key.namespace, key.name)
        running = self._running[key.controller]
        try:
            if parent is not None:
                await running.controller.sync(parent, lambda seconds: self._again(key, timedelta(seconds=seconds)))
        except TooManyRequests as refusal:
            if refusal.seconds > 0:
                self._again(key, timedelta(seconds=refusal.seconds))
            else:
                self._queue.add(key)
        except (PassEnded, ApiError) as error:
            self.events.append(Event("SyncError", f"{key.kind[1]} {key.namespace}/{key.name}", str(error)))
            self._again(key, running.backoff.next(key, self._clock.now()))
        else:
            running.backoff.forget(key)

    def _again(self, key: Key, pause: timedelta) -> None:
        self._queue.add_at(key, self._clock.now() + pause)

    def _count_pass(self, key: Key) -> None:
        if self._clock.now() != self._stillness:
            self._stillness = self._clock.now()
            self._passes.clear()
        self._passes[key] += 1
        if self._passes[key] > PATIENCE:
            raise Restless(f"{key.controller} syncs {key.kind[1]} {key.namespace}/{key.name} again and again, without a pause")


async def _never() -> bool:
    return False


def _controller(read: Manifest, environment: Environment) -> Controller:
    return (Composite if read.kind is ControllerKind.COMPOSITE else Decorator)(read, environment)


def _identity(source: Object) -> str:
    return f"{source.get('kind', '')} {source['metadata']['name']}"


def _key(controller: str, parent: Object) -> Key:
    metadata = parent["metadata"]
    return Key(controller, kind_of(parent), metadata.get("namespace", ""), metadata["name"])
