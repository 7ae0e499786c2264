"""``palena simulate``: apply files to a cluster in memory and watch it settle."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from app.cli.files import read
from app.cli.offline import SECONDS, apply, offline_simulation
from app.cli.options import Files, More, Output
from app.cli.terminal import console, show
from app.cli.tree import tree
from app.cli.watching import Watcher, display
from app.sim.clock import VirtualClock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from app.cli.files import Manifest
    from app.cli.timeline import Step
    from app.hooks.objects import Object


def simulate(
    files: Files,
    more: More = None,
    delete: Annotated[bool, typer.Option("--delete", help="Then delete everything again and show the order.")] = False,
    output: Annotated[Output, typer.Option("-o", "--output", help="For people or for machines.")] = Output.TEXT,
) -> None:
    """Watch resources settle in a cluster in memory.

    The files are applied and the objects shown with their conditions. Proxies that instances attach to are imagined to be well.
    """
    asyncio.run(_simulate(read([*files, *(more or [])]), delete=delete, output=output, target=console()))


async def _simulate(manifests: Sequence[Manifest], *, delete: bool, output: Output, target: Console) -> None:
    clock = VirtualClock()
    watcher = Watcher(clock.now)
    async with offline_simulation(clock) as simulation:
        with display(target, output) as watcher.display:
            await apply(simulation, manifests)
            await simulation.converge(seconds=SECONDS, look=watcher.look)
        settled = await simulation.objects()
        if output is Output.TEXT and not target.is_terminal:
            show(target, tree(settled))
        if delete:
            _say(target, output, "Deleting what was applied, last object first.")
            await simulation.delete(manifest.item for manifest in reversed(manifests))
            with display(target, output) as watcher.display:
                gone = await simulation.converge(seconds=SECONDS, look=watcher.look, until=lambda items: not items)
            _say(target, output, "Everything is gone." if gone else "Not everything is gone; see above what is left.")
    if output is Output.JSON:
        typer.echo(_record(watcher.steps, settled))


def _say(target: Console, output: Output, text: str) -> None:
    if output is Output.TEXT:
        target.print(text, style="heading")


def _record(steps: Sequence[Step], settled: Sequence[Object]) -> str:
    """What happened and what it came to. Without contents: a Secret's values are nobody's business here."""
    objects = [
        {
            "apiVersion": item["apiVersion"],
            "kind": item["kind"],
            "namespace": item["metadata"].get("namespace", ""),
            "name": item["metadata"]["name"],
            "status": item.get("status", {}),
        }
        for item in settled
    ]
    record = {"steps": [asdict(step) for step in steps], "objects": objects}
    return orjson.dumps(record, option=orjson.OPT_INDENT_2).decode()
