"""Watching a cluster converge: a picture that changes on a terminal, a line a step in a pipe, a record for machines."""

from __future__ import annotations

import asyncio
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from rich.live import Live
from rich.text import Text

from app.cli.options import Output
from app.cli.terminal import line, mark
from app.cli.timeline import steps
from app.cli.tree import tree
from app.hooks.objects import object_key, resource_key

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence
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
        self._before: dict[tuple[str, str], Object] = {}

    async def look(self, items: Iterable[Object]) -> None:
        """See all objects of the cluster."""
        now = self._now()
        self._start = self._start or now
        present = {(resource_key(item), object_key(item)): item for item in items}
        # In the order in which they came, so that a picture holds still.
        seen = {key: present[key] for key in [*self._before, *present] if key in present}
        happened = steps(self._before.values(), seen.values(), (now - self._start).total_seconds())
        self._before = seen
        if happened:
            self.steps += happened
            await self.display.show(happened, self.seen)

    @property
    def seen(self) -> list[Object]:
        """What there was at the last look, in the order in which it came."""
        return list(self._before.values())


class Lines:
    """A line a step, without messages: they are in the tree. Where only the message is another, there is none."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._said: dict[tuple[str, str], str] = {}

    async def show(self, happened: Sequence[Step], items: Sequence[Object]) -> None:
        """Print the steps."""
        for step in happened:
            condition = (step.object, re.split("[= ]", step.what)[0])
            again = bool(step.message) and self._said.get(condition) == step.what
            self._said[condition] = step.what
            if again:
                continue
            head = Text.assemble(mark(self._console, step.tone), f" {step.seconds:7.1f}s  ")
            line(self._console, head, Text(f"{step.object}  {step.what}", step.tone.value))


class Picture:
    """The tree, drawn anew in the same place."""

    PACE_SECONDS = 0.25
    """Between two pictures, so that an eye can follow what takes a machine no time."""

    def __init__(self, console: Console, live: Live) -> None:
        self._console = console
        self._live = live
        self._items: Sequence[Object] | None = None

    async def show(self, happened: Sequence[Step], items: Sequence[Object]) -> None:
        """Draw the tree and let it be seen; where it is higher than the terminal, an object has one line."""
        self._items = items
        whole = tree(items, self._console)
        fits = len(self._console.render_lines(whole, pad=False)) < self._console.height
        self._live.update(whole if fits else tree(items, self._console, brief=True), refresh=True)
        await asyncio.sleep(self.PACE_SECONDS)

    def finish(self) -> None:
        """Leave the whole tree, however high: it moves no more."""
        if self._items is not None:
            self._live.update(tree(self._items, self._console))


class Silence:
    """Nothing; the watcher's record is what is wanted."""

    async def show(self, happened: Sequence[Step], items: Sequence[Object]) -> None:
        """Show nothing."""


def lines(console: Console, output: Output) -> Display:
    """A line a step wherever text goes to: what matters is the order."""
    return Silence() if output is Output.JSON else Lines(console)


@contextmanager
def display(console: Console, output: Output) -> Generator[Display]:
    """A picture on a terminal, which stays on the screen when it is left; lines elsewhere."""
    if output is Output.JSON or not console.is_terminal:
        yield lines(console, output)
    else:
        with Live(console=console, auto_refresh=False, vertical_overflow="ellipsis") as live:
            picture = Picture(console, live)
            try:
                yield picture
            finally:
                picture.finish()
