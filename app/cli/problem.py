"""What ends a command before it is done, in one line: where, what is wrong, and what to do about it."""

from __future__ import annotations


class Problem(Exception):
    """Ends the command with this text and its exit code; there is never a stack trace."""

    exit_code = 2
    """The command was called wrongly: nothing was looked at."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what)
        self.what, self.where, self.remedy = what, where, remedy

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text}; {self.remedy}" if self.remedy else text


class FaultyManifest(Problem):
    """A file was read and what it holds can't be used: no YAML, no object, or one that the API server refuses."""

    exit_code = 1
