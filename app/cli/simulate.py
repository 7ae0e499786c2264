"""``palena simulate``: apply files to a cluster in memory and watch it settle."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from app.cli.files import read
from app.cli.offline import BEGINNING, IMAGINED_PODS, SECONDS, apply, offline_simulation, run_everything, say_what_is_imagined
from app.cli.options import Files, Named, Output, paths
from app.cli.terminal import console, show
from app.cli.tree import tree
from app.cli.watching import Watcher, display, lines
from app.hooks.objects import reference
from app.sim.clock import VirtualClock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from app.cli.files import Manifest
    from app.cli.timeline import Step
    from app.hooks.objects import Object


def simulate(
    files: Files = None,
    named: Named = None,
    delete: Annotated[bool, typer.Option("--delete", help="Then delete everything, and show the order.")] = False,
    output: Annotated[Output, typer.Option("-o", "--output", help="Text for people, JSON for programs.")] = Output.TEXT,
) -> None:
    """Watch resources settle in a cluster in memory.

    The files are applied and the objects shown with their conditions. No network is touched and nothing runs: every proxy is
    imagined to be well, every pod to become ready, and every Job to succeed.
    """
    manifests = read(paths(files, named))
    say_what_is_imagined(IMAGINED_PODS)
    asyncio.run(_simulate(manifests, delete=delete, output=output, target=console()))


async def _simulate(manifests: Sequence[Manifest], *, delete: bool, output: Output, target: Console) -> None:
    clock = VirtualClock(BEGINNING)
    watcher = Watcher(clock.now)
    async with offline_simulation(clock, run_pods=run_everything) as simulation:
        with display(target, output) as watcher.display:
            await apply(simulation, manifests, watcher.look)
            await simulation.converge(seconds=SECONDS, look=watcher.look)
        settled = watcher.seen
        if output is Output.TEXT and not target.is_terminal:
            target.print()
            show(target, tree(settled, target))
        if delete:
            _say(target, output, "\nDelete, last object first")
            watcher.display = lines(target, output)
            for manifest in reversed(manifests):
                await simulation.delete([manifest.item])
                await watcher.look(await simulation.objects())
            await simulation.converge(seconds=SECONDS, look=watcher.look, until=lambda items: not items)
            left = ", ".join(reference(item) for item in watcher.seen)
            _say(target, output, f"Not everything is gone. Left: {left}." if left else "Everything is gone.")
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
