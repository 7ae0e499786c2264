"""How a pass can end other than well.

::

    PassEnded
    ├── SyncError        Event, and again after a growing pause
    └── TooManyRequests  no Event, and again after what the hook's Retry-After says
    CreateError          the controller itself can't start; tried again after a growing pause
    ProcessCrash         the real Metacontroller's process would have died
    Restless             the loop would never come to rest: one parent is synced again and again while no time passes
"""

from __future__ import annotations


class PassEnded(Exception):
    """A pass that has to be repeated."""


class SyncError(PassEnded):
    """Something failed. Before the hook has answered this means that nothing was applied."""


class TooManyRequests(PassEnded):
    """The hook answered 429; ``seconds`` is its Retry-After, 0 if that is missing or not a whole number."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the hook asked to come again in {seconds} s")
        self.seconds = seconds


class CreateError(Exception):
    """A controller's manifest can't be followed: an unserved kind, or something that this loop doesn't do."""


class ProcessCrash(Exception):
    """A null among the children, attachments or related resources ends Metacontroller's process, and with it every controller."""


class Restless(Exception):
    """The same parent was synced over and over without time passing: a hot loop."""
