"""One value that the API server would store in another form."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """Where it is and what is wrong with it. The problem never repeats a value that may be a secret."""

    field: str
    problem: str
