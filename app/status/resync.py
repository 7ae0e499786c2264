"""When Metacontroller should ask again, where no event will tell.

It asks by itself every :data:`TICK`, and a timer of ours beside that doubles the syncs of a parent at rest, each of which reads
the parent from the API server. So nothing is asked for that the tick brings as early.

The jitter comes from the parent's uid: parents spread out, and each has always the same interval. It only ever lengthens an
interval, so a result that is good for nine tenths of it has run out when the next sync comes.
"""

from __future__ import annotations

import hashlib

TICK = 300
"""Seconds: ``resyncPeriodSeconds`` of every manifest."""

READY = 60
UNREACHABLE = 30
MISSING_REFERENCE = TICK
"""The arrival of a related object starts a sync anyway."""
PENDING = 2
NEVER = 0
"""Only an edit can help, and an edit starts a sync."""


def jittered(seconds: int, uid: str) -> int:
    """The interval, lengthened by up to a tenth; none if the tick comes first. Whole seconds; short ones stay as they are."""
    if seconds >= TICK:
        return NEVER
    spread = seconds // 10
    if not spread:
        return seconds
    return seconds + int.from_bytes(hashlib.sha256(uid.encode()).digest()[:4]) % (spread + 1)
