"""``palena demo``: gateways attached to, told truthfully and let go, and one that is run, in a few seconds without a cluster.

What runs is the product: the hook service as a process of its own, called over HTTP with a bearer token by a loop with
Metacontroller's semantics, the generated CRDs in an API server in memory. Only the proxies are stand-ins. The gateway that is
run (:mod:`app.cli.demo_gateway`) has its hooks in this process. What comes out is compared with what must come out; the exit
code tells.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import typer

from app.cli.demo_cast import Part, cast, manifests, namesake
from app.cli.demo_gateway import play_gateway
from app.cli.demo_stage import Stage
from app.cli.local_servers import address, closed_port, hook_service, serving
from app.cli.options import Output
from app.cli.terminal import console
from app.cli.watching import Watcher, lines
from app.hooks.objects import reference
from app.sim.callers import HookClient
from app.sim.clock import RealClock
from app.sim.simulation import Simulation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from app.hooks.objects import Object

SECONDS = 15.0
"""How long anything may take. A second is usual."""


def demo() -> None:
    """Attach to four proxies, and have a gateway run.

    The four are let go again; the fifth is upgraded in vain and flipped to unmanaged. Attaching is by the real service over HTTP;
    cluster, proxies and pods are stand-ins. The exit code is 1 if anything is amiss.
    """
    started = time.monotonic()
    target = console()
    held = asyncio.run(_play(Stage(target), target))
    took = f"{time.monotonic() - started:.1f} s"
    if not held:
        target.print(f"\nNot all is as it must be, after {took}.", style="bad")
        raise typer.Exit(1)
    target.print(f"\nAll as it must be, in {took}.", style="heading")


async def _play(stage: Stage, target: Console) -> bool:
    attached = await _Attaching(stage, target).play()
    # Not skipped if the first went wrong.
    return await play_gateway(stage) and attached


class _Attaching:
    """The acts with proxies that somebody else runs, in order."""

    def __init__(self, stage: Stage, target: Console) -> None:
        self._stage = stage
        self._target = target
        self._clock = RealClock()
        self._watcher = Watcher(self._clock.now)

    async def play(self) -> bool:
        """Everything; says whether all was as it must be."""
        parts, token = cast(), secrets.token_urlsafe(32)
        with TemporaryDirectory(prefix="palena-demo-") as folder:
            async with AsyncExitStack() as stack:
                endpoints = [await self._stand_in(part, stack) for part in parts]
                url = await stack.enter_async_context(hook_service(token, Path(folder)))
                self._stage.say("hook service", f"{url}, a process of its own, with a bearer token")
                headers = {"Authorization": f"Bearer {token}"}
                call = await stack.enter_async_context(HookClient(base_url=url, headers=headers))
                simulation = Simulation(call, clock=self._clock)
                rules = "their Python twins, for want of a CEL engine" if simulation.engine.uses_twins else "a CEL engine"
                self._stage.say("cluster", f"in memory, with Metacontroller's semantics; rules by {rules}")
                return await self._acts(simulation, parts, endpoints)

    async def _stand_in(self, part: Part, stack: AsyncExitStack) -> str:
        if part.proxy is None:
            endpoint = address(stack.enter_context(closed_port()))
        else:
            endpoint = await stack.enter_async_context(serving(part.proxy))
        self._stage.say(part.name, f"{part.story}: {endpoint}")
        return endpoint

    async def _acts(self, simulation: Simulation, parts: Sequence[Part], endpoints: Sequence[str]) -> bool:
        await simulation.apply([namesake()])
        (before,) = await simulation.objects()
        self._stage.title("Attach")
        applied = [item for part, endpoint in zip(parts, endpoints, strict=True) for item in manifests(part, endpoint)]
        # The Secret is in every example.
        items = list({reference(item): item for item in applied}.values())
        differences = await self._attach(simulation, parts, items)
        self._stage.title("Let go")
        await self._delete(simulation, items)
        self._stage.title("Compare")
        left = await simulation.objects()
        keyed = {call.path for part in parts if part.proxy for call in part.proxy.calls if call.key}
        return all(
            [
                *(self._stage.tell(False, difference) for difference in differences),
                self._stage.tell(not differences, "each instance had the status that its proxy deserves"),
                self._stage.tell(not any(_is_instance(item) for item in left), "every instance is gone"),
                self._stage.tell(before in left, "Deployment ai/gateway, somebody else's, is as it was, to the byte"),
                self._stage.tell(keyed == {"/health/license"}, "the master key went to /health/license only"),
            ]
        )

    async def _attach(self, simulation: Simulation, parts: Sequence[Part], items: Sequence[Object]) -> list[str]:
        """How the statuses, once they are settled or time is up, differ from what they must be."""

        def differences(present: Sequence[Object]) -> list[str]:
            live = {item["metadata"]["name"]: item for item in present if _is_instance(item)}
            return [f"{part.name}: {one}" for part in parts for one in part.differences(live.get(part.name, {}))]

        await self._stage.watch(simulation, self._watcher, items, seconds=SECONDS, until=lambda present: not differences(present))
        return differences(self._watcher.seen)

    async def _delete(self, simulation: Simulation, items: Sequence[Object]) -> None:
        self._watcher.display = lines(self._target, Output.TEXT)
        for item in reversed(items):
            await simulation.delete([item])
            await self._watcher.look(await simulation.objects())
        await simulation.converge(
            seconds=SECONDS, look=self._watcher.look, until=lambda present: not any(_is_instance(item) for item in present)
        )


def _is_instance(item: Object) -> bool:
    return item["kind"] == "LiteLLMInstance"
