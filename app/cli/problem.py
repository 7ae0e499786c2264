"""What ends a command before it is done, in one line: where, what is wrong, and what to do about it."""

from __future__ import annotations

import traceback
from pathlib import Path

import app

_SOURCE = Path(app.__file__).parent


class Problem(Exception):
    """Ends the command with this text and its exit code; there is never a stack trace."""

    exit_code = 2
    """The command was called wrongly: nothing was looked at."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what)
        self.what, self.where, self.remedy = what, where, remedy

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return one_line(f"{text}; {self.remedy}" if self.remedy else text)


class FaultyManifest(Problem):
    """A file was read and what it holds can't be used: no YAML, no object, or one that the API server refuses."""

    exit_code = 1


def problem_of(error: Exception) -> Problem:
    """What to say of any exception. One that nobody foresaw is named with its place; its text may hold what is secret."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, OSError) and error.strerror:
        return Problem(error.strerror, where=str(error.filename or "standard output"))
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(_SOURCE)]
    place = f" at app/{Path(frames[-1].filename).relative_to(_SOURCE)}:{frames[-1].lineno}" if frames else ""
    remedy = "please report it with the file that shows it"
    return Problem(f"this is a bug of palena: {type(error).__name__}{place}", remedy=remedy)


def one_line(text: str) -> str:
    """The text with what is no printable character escaped: a name from a file must move neither line nor cursor."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
