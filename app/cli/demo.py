"""``palena demo``: attached gateways coming up, told truthfully, and going again, in a few seconds and without a cluster.

What runs is the product: the hook service as a process of its own, called over HTTP with a bearer token by a loop with
Metacontroller's semantics, the generated CRDs in an API server in memory. Only the proxies are stand-ins. What comes out is
compared with what must come out; the exit code tells.
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
from rich.text import Text

from app.cli.demo_cast import Part, cast, manifests, namesake
from app.cli.local_servers import address, closed_port, hook_service, serving
from app.cli.options import Output
from app.cli.terminal import MARKS, console, show
from app.cli.timeline import Tone
from app.cli.tree import tree
from app.cli.watching import Watcher, display
from app.hooks.objects import object_key
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
    """Attach to four proxies, and let go again.

    The service is the real one, over HTTP; proxies and cluster are in memory. The exit code is 1 if anything is amiss.
    """
    started = time.monotonic()
    target = console()
    failures = asyncio.run(_Demo(target).play())
    took = f"{time.monotonic() - started:.1f} s"
    if failures:
        target.print(f"{len(failures)} of the demo's expectations failed, in {took}.", style="bad")
        raise typer.Exit(1)
    target.print(f"All as it must be, in {took}.", style="heading")


class _Demo:
    """The acts, in order. What fails is kept."""

    def __init__(self, target: Console) -> None:
        self._target = target
        self._failures: list[str] = []
        self._clock = RealClock()
        self._watcher = Watcher(self._clock.now)

    async def play(self) -> list[str]:
        """Everything; gives the expectations that failed."""
        parts, token = cast(), secrets.token_urlsafe(32)
        with TemporaryDirectory(prefix="palena-demo-") as folder:
            async with AsyncExitStack() as stack:
                endpoints = [await self._stand_in(part, stack) for part in parts]
                url = await stack.enter_async_context(hook_service(token, Path(folder)))
                self._say("hook service", f"{url}, a process of its own, with a bearer token")
                headers = {"Authorization": f"Bearer {token}"}
                call = await stack.enter_async_context(HookClient(base_url=url, headers=headers))
                simulation = Simulation(call, clock=self._clock)
                rules = "their Python twins, for want of a CEL engine" if simulation.engine.uses_twins else "a CEL engine"
                self._say("cluster", f"in memory, with Metacontroller's semantics; rules by {rules}")
                await self._acts(simulation, parts, endpoints)
        return self._failures

    async def _stand_in(self, part: Part, stack: AsyncExitStack) -> str:
        if part.proxy is None:
            endpoint = address(stack.enter_context(closed_port()))
        else:
            endpoint = await stack.enter_async_context(serving(part.proxy))
        self._say(part.name, f"{part.story}: {endpoint}")
        return endpoint

    async def _acts(self, simulation: Simulation, parts: Sequence[Part], endpoints: Sequence[str]) -> None:
        await simulation.apply([namesake()])
        (before,) = await simulation.objects()
        instances = await self._attach(simulation, parts, endpoints)
        await self._delete(simulation, instances)
        left = {object_key(item): item for item in await simulation.objects() if item["kind"] == "Deployment"}
        self._expect("Deployment gateway, somebody else's, is as it was, to the byte", [before] == list(left.values()))
        keyed = {call.path for part in parts if part.proxy for call in part.proxy.calls if call.key}
        self._expect("the master key went to /health/license only", keyed == {"/health/license"})

    async def _attach(self, simulation: Simulation, parts: Sequence[Part], endpoints: Sequence[str]) -> list[Object]:
        self._title("Apply")
        items = [item for part, endpoint in zip(parts, endpoints, strict=True) for item in manifests(part, endpoint)]
        instances = [item for item in items if item["kind"] == "LiteLLMInstance"]

        def settled(present: Sequence[Object]) -> bool:
            live = {item["metadata"]["name"]: item for item in present if item["kind"] == "LiteLLMInstance"}
            return all(part.name in live and not part.differences(live[part.name]) for part in parts)

        with display(self._target, Output.TEXT) as self._watcher.display:
            await simulation.apply(items)
            await simulation.converge(seconds=SECONDS, look=self._watcher.look, until=settled)
        present = await simulation.objects()
        if not self._target.is_terminal:
            show(self._target, tree(present))
        self._target.print()
        live = {item["metadata"]["name"]: item for item in present if item["kind"] == "LiteLLMInstance"}
        for part in parts:
            differences = part.differences(live[part.name]) if part.name in live else ["it is not there"]
            self._expect(f"{part.name}, {part.story}: {part.outcome}", not differences, "; ".join(differences))
        return instances

    async def _delete(self, simulation: Simulation, instances: Sequence[Object]) -> None:
        self._title("Delete")
        with display(self._target, Output.TEXT) as self._watcher.display:
            await simulation.delete(instances)

            def gone(present: Sequence[Object]) -> bool:
                return all(item["kind"] != "LiteLLMInstance" for item in present)

            ended = await simulation.converge(seconds=SECONDS, look=self._watcher.look, until=gone)
        self._expect("every instance is gone; what is left was never ours", ended)

    def _say(self, name: str, text: str) -> None:
        self._target.print(Text.assemble((f"{name:15} ", "name"), (text, "detail")), soft_wrap=True)

    def _title(self, text: str) -> None:
        self._target.print(f"\n{text}", style="heading")

    def _expect(self, what: str, held: bool, why: str = "") -> None:
        tone = Tone.GOOD if held else Tone.BAD
        self._target.print(
            Text(f"{MARKS[tone]} {what}{f': {why}' if why else ''}", tone.value), soft_wrap=not self._target.is_terminal
        )
        if not held:
            self._failures.append(what)
