"""The hooks in this process, for commands that need neither a cluster nor a network.

Proxies are imagined: at every address there is a LiteLLM that is well, has a licence, is content with the key it is shown, and
empty in the beginning. Where pods run at all, they are well at once. What real ones would say can't be known offline.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import httpx2
import typer

from app.cli.checks.folder import identity
from app.cli.checks.kinds import SERVED, unserved
from app.cli.checks.refusals import unknown_fields
from app.cli.problem import FaultyManifest, one_line
from app.controllers.context import Context
from app.hooks import application
from app.hooks.objects import resource_key
from app.litellm.admin.client import AdminClient
from app.litellm.answers import CACHE_PING
from app.litellm.probe import Prober
from app.registry import ADD_ONS, CONTROLLERS
from app.sim.callers import HookClient
from app.sim.cel import CelUnavailable
from app.sim.cluster import ApiError, NotFound
from app.sim.fake_litellm import FakeLiteLLM
from app.sim.fake_litellm.admin import Database
from app.sim.simulated_reader import SimulatedReader
from app.sim.simulation import Simulation

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from app.cli.files import Manifest
    from app.hooks.objects import Object
    from app.sim.clock import VirtualClock
    from app.sim.kubelet import Kubelet
    from app.sim.loop import Exchange
    from app.sim.simulation import RunPods

IMAGINED = "no network is touched: every proxy is imagined to be well"
"""What a user must know of everything that is said about a proxy here."""

IMAGINED_PODS = "no network is touched and nothing runs: proxies are imagined to be well, pods to start, and Jobs to succeed"
"""The same where workloads are imagined to run."""

BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
"""When time begins here: always the same, so that output can be compared, and before what a spec gives a time to end."""

SECONDS = 30.0
"""Of the cluster's time, which costs none of the user's: longer than anything waits that needs nobody's help."""


class ImaginedProxies(httpx2.AsyncBaseTransport):
    """A well LiteLLM at every address, licensed, with a Redis that is well, and all that it was told. ``now`` is its clock."""

    def __init__(self, now: Callable[[], datetime] = lambda: BEGINNING) -> None:
        self._now = now
        self._databases: dict[str, Database] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer as a proxy whose master key is the one in the request."""
        if request.url.path == CACHE_PING:
            return httpx2.Response(200, stream=httpx2.ByteStream(b'{"ping_response": true}'))
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        origin = f"{request.url.scheme}://{request.url.netloc.decode('ascii')}"
        database = self._databases.setdefault(origin, Database(now=self._now, licensed=True))
        return await httpx2.ASGITransport(app=FakeLiteLLM(master_key=key, database=database)).handle_async_request(request)


@asynccontextmanager
async def offline_simulation(
    clock: VirtualClock, on_exchange: Callable[[Exchange], None] | None = None, run_pods: RunPods | None = None
) -> AsyncGenerator[Simulation]:
    """A simulation whose hooks are in this process and whose proxies are imagined; pods are as in :class:`Simulation`."""
    proxies = ImaginedProxies(clock.now)
    prober = Prober(lambda trust: proxies, lambda: clock.now().timestamp())
    context = Context(
        now=clock.now,
        prober=prober,
        admin=AdminClient(lambda trust: proxies, lambda: clock.now().timestamp(), prober.doubt),
        reader=SimulatedReader(lambda: simulation.cluster),
        optional_apis=frozenset(add_on.optional_api for add_on in ADD_ONS),
    )
    async with HookClient.in_process(application(CONTROLLERS, context)) as call:
        simulation = Simulation(call, clock=clock, on_exchange=on_exchange, run_pods=run_pods)
        try:
            yield simulation
        finally:
            await context.aclose()


async def apply(
    simulation: Simulation, manifests: Sequence[Manifest], look: Callable[[Sequence[Object]], Awaitable[None]]
) -> None:
    """Apply in the order of the files; ``look`` sees all objects after each. A refusal is a fault at the object's place."""
    _say_what_is_replaced(manifests)
    for manifest in manifests:
        kind = SERVED.get(resource_key(manifest.item))
        if kind and (unknown := unknown_fields(manifest.item, kind)):
            raise FaultyManifest(unknown, where=manifest.origin, remedy=_LINT)
        try:
            await simulation.apply([manifest.item])
        except NotFound as refusal:
            if ours := unserved(manifest.item):
                raise FaultyManifest(ours, where=manifest.origin) from refusal
            remedy = "leave it out, or give its definition first"
            raise FaultyManifest(refusal.message, where=manifest.origin, remedy=remedy) from refusal
        except ApiError as refusal:
            raise FaultyManifest(refusal.message, where=manifest.origin, remedy=_LINT) from refusal
        except CelUnavailable as error:
            raise FaultyManifest(str(error), where=manifest.origin) from error
        await look(await simulation.objects())


_LINT = "palena lint shows everything that is wrong"


def _say_what_is_replaced(manifests: Sequence[Manifest]) -> None:
    """On standard error, of each object that stands in the files in other versions, which one is meant."""
    last = {identity(manifest.item): manifest for manifest in manifests}
    for manifest in manifests:
        lasting = last[identity(manifest.item)]
        if manifest.item != lasting.item:
            what = f"another version of {lasting} is in {lasting.origin} and takes its place; the two are not played as an edit"
            typer.echo(f"palena: {one_line(f'{manifest.origin}: {what}')}", err=True)


async def run_everything(kubelet: Kubelet, items: Sequence[Object]) -> None:
    """Every pod is ready and every Job has succeeded."""
    await kubelet.run()


def say_what_is_imagined(what: str = IMAGINED) -> None:
    """On standard error, once for a command that shows the status of an instance."""
    typer.echo(f"palena: {what}", err=True)
