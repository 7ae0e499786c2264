"""Watching a cluster converge: a picture that changes on a terminal, a line a step in a pipe, a record for machines."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from rich.live import Live
from rich.text import Text

from app.cli.options import Output
from app.cli.terminal import MARKS
from app.cli.timeline import steps
from app.cli.tree import tree

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from datetime import datetime

    from rich.console import Console

    from app.cli.timeline import Step
    from app.hooks.objects import Object


class Display(Protocol):
    """Shows what happened, and what there is now."""

    async def show(self, happened: Sequence[Step], items: Sequence[Object]) -> None:
        """Called only when something happened."""
        ...


class Watcher:
    """Turns looks at the cluster into steps, keeps them, and has them shown."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self.steps: list[Step] = []
        self.display: Display = Silence()
        """May be another one each time that there is something to watch."""
        self._now = now
        self._start: datetime | None = None
        self._before: Sequence[Object] = ()

    async def look(self, items: Sequence[Object]) -> None:
        """See all objects of the cluster."""
        now = self._now()
        self._start = self._start or now
        happened = steps(self._before, items, (now - self._start).total_seconds())
        self._before = items
        if happened:
            self.steps += happened
            await self.display.show(happened, items)


class Lines:
    """A line a step."""

    def __init__(self, console: Console) -> None:
        self._console = console

    async def show(self, happened: Sequence[Step], items: Sequence[Object]) -> None:
        """Print the steps."""
        for step in happened:
            self._console.print(Text(f"{MARKS[step.tone]} {step}", step.tone.value), soft_wrap=True)


class Picture:
    """The tree, drawn anew in the same place."""

    PACE_SECONDS = 0.25
    """Between two pictures, so that an eye can follow what takes a machine no time."""

    def __init__(self, live: Live) -> None:
        self._live = live

    async def show(self, happened: Sequence[Step], items: Sequence[Object]) -> None:
        """Draw the tree and let it be seen."""
        self._live.update(tree(items), refresh=True)
        await asyncio.sleep(self.PACE_SECONDS)


class Silence:
    """Nothing; the watcher's record is what is wanted."""

    async def show(self, happened: Sequence[Step], items: Sequence[Object]) -> None:
        """Show nothing."""


@contextmanager
def display(console: Console, output: Output) -> Generator[Display]:
    """What suits the place that text goes to; a picture stays on the screen when it is left."""
    if output is Output.JSON:
        yield Silence()
    elif not console.is_terminal:
        yield Lines(console)
    else:
        # What is higher than the terminal is cut while it moves and shown in full at the end.
        with Live(console=console, auto_refresh=False, vertical_overflow="ellipsis") as live:
            yield Picture(live)
