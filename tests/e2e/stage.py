"""Sets up the worlds that scenarios are played in, for one shape of the installation, one apply strategy and one driver."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from app.registry import KINDS
from app.sim.callers import HookClient
from app.sim.clock import RealClock, VirtualClock
from app.sim.cluster_kube import KubeCluster
from app.sim.loop import Loop, Strategy
from app.sim.memory import MemoryCluster
from tests.e2e.controlplane.plane import METACONTROLLER, USER
from tests.e2e.proxy import Proxy
from tests.e2e.snapshot import difference
from tests.e2e.witness import Witnessed
from tests.e2e.world import NAMESPACE, ClusterWorld, MemoryWorld, World

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator

    from app.hooks.objects import Object
    from app.sim.cluster import Cluster
    from tests.e2e.controlplane.audit import AuditLog
    from tests.e2e.controlplane.plane import ControlPlane
    from tests.e2e.service import Service


@dataclass(frozen=True)
class Stage:
    """What outlives a scenario: the control plane with the generated rights, the service, the controllers that call it."""

    plane: ControlPlane
    service: Service
    controllers: list[Object]
    strategy: Strategy
    metacontroller: bool
    """Whether Metacontroller itself is running; our loop drives the hooks otherwise."""

    async def play(self, scenario: Callable[[World], Awaitable[None]]) -> None:
        """Play it in memory and then for real; at each rest all objects must be the same."""
        async with self._memory() as world:
            await scenario(world)
        expected = world.snapshots
        async with self._cluster() as world:
            await scenario(world)
        assert world.snapshots == expected, difference(expected, world.snapshots)

    @contextlib.asynccontextmanager
    async def _memory(self) -> AsyncGenerator[World]:
        clock = VirtualClock()
        user = MemoryCluster([kind.crd() for kind in KINDS], clock=clock.now, manager="kubectl")
        witness = Witnessed(user.client("metacontroller"))
        with proxy_on_loopback() as proxy:
            async with self._hooks() as call, _namespace(user) as namespace:
                loop = Loop(witness, self.controllers, call, clock=clock, strategy=self.strategy)
                yield MemoryWorld(user, namespace, self.service, proxy, self.strategy, loop=loop, witness=witness)

    @contextlib.asynccontextmanager
    async def at_work(self) -> AsyncGenerator[tuple[Cluster, str, AuditLog]]:
        """The cluster as a user has it, a namespace there on which the driver works, and who has written what from now on.

        Fails in the end if the driver was forbidden anything.
        """
        async with (
            KubeCluster.from_kubeconfig(self.plane.kubeconfig(USER), manager="kubectl") as user,
            self._driver(),
            _namespace(user) as namespace,
        ):
            audit = self.plane.audit()
            yield user, namespace, audit
            refused = [str(entry) for entry in audit.refusals(METACONTROLLER.user, namespace)]
            assert not refused, f"the generated rights are too narrow: {refused}"

    @contextlib.asynccontextmanager
    async def _cluster(self) -> AsyncGenerator[World]:
        with proxy_on_loopback() as proxy:
            async with self.at_work() as (user, namespace, audit):
                yield ClusterWorld(user, namespace, self.service, proxy, self.strategy, audit=audit, driver=METACONTROLLER.user)

    @contextlib.asynccontextmanager
    async def _driver(self) -> AsyncGenerator[None]:
        """Our loop at work with Metacontroller's account, unless Metacontroller is."""
        if self.metacontroller:
            yield
            return
        account = self.plane.kubeconfig(METACONTROLLER)
        async with KubeCluster.from_kubeconfig(account, manager="metacontroller") as cluster, self._hooks() as call:
            clock = RealClock()
            loop = Loop(cluster, self.controllers, call, clock=clock, strategy=self.strategy)
            work = asyncio.create_task(_for_ever(loop))
            try:
                yield
            finally:
                work.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await work

    def _hooks(self) -> HookClient:
        return HookClient(headers={"Authorization": f"Bearer {self.service.token}"})


async def _for_ever(loop: Loop) -> None:
    while True:
        await loop.run_until_quiet(1.0)


@contextlib.contextmanager
def proxy_on_loopback() -> Iterator[Proxy]:
    """A fake proxy at work."""
    proxy = Proxy()
    proxy.start()
    try:
        yield proxy
    finally:
        proxy.stop()


@contextlib.asynccontextmanager
async def _namespace(user: Cluster) -> AsyncGenerator[str]:
    """A namespace of its own, and no instance left in it that would still be synced."""
    name = f"e2e-{uuid4().hex[:8]}"
    await user.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    try:
        yield name
    finally:
        await user.delete(NAMESPACE, "", name)


def scenario(body: Callable[[World], Awaitable[None]]) -> Callable[[Stage], Awaitable[None]]:
    """Make a test of a scenario: it is played on the stage that the test is given."""

    async def test(stage: Stage) -> None:
        await stage.play(body)

    test.__name__, test.__qualname__, test.__doc__, test.__module__ = (
        body.__name__,
        body.__qualname__,
        body.__doc__,
        body.__module__,
    )
    return test
