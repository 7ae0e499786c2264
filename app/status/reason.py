"""What a condition says: its reason, declared once, and a message for this time.

A reason belongs to a condition type and has one status; ``docs/reasons`` has a page for each, and every message ends with
its path. Programs may rely on type, status and reason; messages are for people and may change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ConditionStatus = Literal["True", "False", "Unknown"]

LONGEST_MESSAGE = 1024
"""Characters of a message. The API allows 32,768; nobody reads them, and every sync would carry them."""

PAGES = "docs/reasons"
"""Where the pages are in this project, and what messages refer to."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition as decided, before it is compared with the observed one."""

    type: str
    status: ConditionStatus
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a condition has its status."""

    type: str
    status: ConditionStatus
    reason: str
    meaning: str
    """One sentence: what is the case."""
    remedy: str
    """One sentence: what the user does about it."""
    attention: bool = False
    """Whether the condition is there only when a user should read it: ``True`` is then no good news."""
    passing: bool = False
    """Whether it is a step on the way, which ends by itself: ``False`` is then no bad news."""
    told_with: str = ""
    """The condition type whose page tells of this reason too, where several types share it."""
    published: bool = False
    """Whether the message is part of a published contract, word for word. It then does not end with the page's path."""

    @property
    def page(self) -> str:
        """The path of the reason's page within the project."""
        return f"{PAGES}/{self.told_with or self.type}-{self.reason}.md"

    def because(self, message: str) -> Condition:
        """The condition with this message, cut to its limit, and the way to the page."""
        link = "" if self.published else f" (see {self.page})"
        room = LONGEST_MESSAGE - len(link)
        text = message if len(message) <= room else message[: room - 1] + "…"
        return Condition(self.type, self.status, self.reason, text + link)


READY = "Ready"
"""The condition type that every kind has."""
