"""Stops asking a proxy that has stopped answering, so that its entities cost no waiting while it is away."""

from __future__ import annotations

from dataclasses import dataclass

STRIKES = 3
"""Calls in a row without an answer, after which no more are made for a while."""

PAUSE_SECONDS = 10.0
"""Then one call finds out whether the proxy is back; the others wait no longer than that for the news."""


@dataclass(slots=True)
class Breaker:
    """What the last calls to one proxy came to. Times are of a clock that only ever goes forward."""

    strikes: int = 0
    _closed_again: float = float("-inf")

    def lets_through(self, now: float) -> bool:
        """Whether a call is to be made now. After a pause the first one is, and pays for the others."""
        if self.strikes < STRIKES:
            return True
        if now < self._closed_again:
            return False
        self._closed_again = now + PAUSE_SECONDS
        return True

    def answered(self) -> None:
        """The proxy answered, whatever it said."""
        self.strikes = 0

    def failed(self, now: float) -> None:
        """The proxy did not answer."""
        self.strikes += 1
        self._closed_again = now + PAUSE_SECONDS
