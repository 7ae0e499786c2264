"""Where text goes: colour on a terminal, plain text of a fixed width in a pipe. One place decides how a tone looks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from app.cli.timeline import Tone

if TYPE_CHECKING:
    from rich.console import RenderableType

PIPE_WIDTH = 120
"""Wide enough for a message to stay on few lines, and the same everywhere, so that output can be compared."""

_MARKS = {Tone.GOOD: "✔", Tone.BAD: "✘", Tone.UNKNOWN: "…", Tone.ATTENTION: "!", Tone.PLAIN: "·"}
_ASCII_MARKS = {Tone.GOOD: "+", Tone.BAD: "x", Tone.UNKNOWN: "?", Tone.ATTENTION: "!", Tone.PLAIN: "-"}

THEME = Theme(
    {
        Tone.GOOD.value: "green",
        Tone.BAD.value: "red",
        Tone.UNKNOWN.value: "cyan",
        Tone.ATTENTION.value: "yellow",
        Tone.PLAIN.value: "default",
        "kind": "dim",
        "name": "bold",
        "detail": "dim",
        "heading": "bold",
        "guide": "bright_black",
    }
)


def console(*, stderr: bool = False) -> Console:
    """A console for standard output, or for standard error."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else PIPE_WIDTH
    return Console(file=stream, width=width, theme=THEME, highlight=False, emoji=False, markup=False)


def mark(target: Console, tone: Tone) -> Text:
    """One character in the tone's colour; colour alone is not for everyone."""
    marks = _ASCII_MARKS if target.options.ascii_only else _MARKS
    return Text(marks[tone], tone.value)


def show(target: Console, item: RenderableType) -> None:
    """Print; in a pipe without the blanks that fill a table up, unless that is recorded."""
    if target.is_terminal or target.record:
        target.print(item)
        return
    with target.capture() as captured:
        target.print(item)
    target.file.writelines(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def line(target: Console, head: Text, text: Text) -> None:
    """Print on one line, however long, in a pipe; on a terminal ``text`` is wrapped beside ``head``, between words."""
    if not target.is_terminal:
        target.print(Text.assemble(head, text), soft_wrap=True)
        return
    row = Table.grid()
    row.add_column(no_wrap=True, width=head.cell_len)
    row.add_column()
    row.add_row(head, text)
    target.print(row)
