"""What a user did that can't be done, in one line: where, what is wrong, and what to do about it."""

from __future__ import annotations


class Problem(Exception):
    """Ends the command with exit code 2 and this text; there is never a stack trace."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what)
        self.what, self.where, self.remedy = what, where, remedy

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text}; {self.remedy}" if self.remedy else text
