"""What the acts of the demo share: how they speak, and how they watch a cluster come to what it must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from app.cli.options import Output
from app.cli.terminal import line, mark, show
from app.cli.timeline import Tone
from app.cli.tree import tree
from app.cli.watching import display

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from app.cli.watching import Watcher
    from app.hooks.objects import Object
    from app.sim.simulation import Reached, Simulation


class Stage:
    """Where the acts are seen."""

    def __init__(self, target: Console) -> None:
        self._target = target

    def title(self, text: str) -> None:
        """The beginning of something."""
        self._target.print(f"\n{text}", style="heading")

    def say(self, name: str, text: str) -> None:
        """A fact under a name."""
        line(self._target, Text(f"{name:15} ", "name"), Text(text, "detail"))

    def tell(self, held: bool, what: str) -> bool:
        """Whether it is as it must be, which is also the result."""
        tone = Tone.GOOD if held else Tone.BAD
        line(self._target, Text.assemble(mark(self._target, tone), " "), Text(what, tone.value))
        return held

    async def watch(
        self, simulation: Simulation, watcher: Watcher, items: Sequence[Object], *, seconds: float, until: Reached
    ) -> None:
        """Apply the objects one by one and show what comes of them until it is there or time is up."""
        with display(self._target, Output.TEXT) as watcher.display:
            for item in items:
                await simulation.apply([item])
                await watcher.look(await simulation.objects())
            await simulation.converge(seconds=seconds, look=watcher.look, until=until)
        if not self._target.is_terminal:
            self._target.print()
            show(self._target, tree(watcher.seen, self._target))
