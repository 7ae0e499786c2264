"""What a probe saw of a proxy: facts that the prober writes and the status reads.

Texts in here are our own words and end up in conditions. They never quote a proxy's answer (some repeat parts of the key)
and hold nothing that changes from probe to probe (addresses, durations), so that a status keeps its bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reach(StrEnum):
    """Whether the liveliness route could be asked, and was answered well."""

    ALIVE = "alive"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    """We did not connect: the endpoint's address is one that the service must not reach."""


@dataclass(frozen=True, slots=True)
class Health:
    """What the two unauthenticated health routes said."""

    reach: Reach
    trouble: str = ""
    """Why the proxy is not alive, to follow the endpoint in a sentence: ``answered 502 to /health/liveliness``."""
    readiness_trouble: str = ""
    """Why an alive proxy is not ready; empty when it is, or when its readiness route tells nothing."""
    version: str = ""
    """``litellm_version`` of the readiness answer; empty unless the proxy discloses it."""

    @property
    def alive(self) -> bool:
        """Whether liveliness was answered with 200 and something other than a web page."""
        return self.reach is Reach.ALIVE

    @property
    def good(self) -> bool:
        """Whether nothing at all is wrong, so that the answer may be reused for long."""
        return self.alive and not self.readiness_trouble


class KeyState(StrEnum):
    """What the proxy thinks of the master key."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class KeyVerdict:
    """The outcome of one keyed read. ``detail`` says why unless the key was accepted."""

    state: KeyState
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Sighting:
    """All that is known of a proxy at the moment of a sync."""

    health: Health | None = None
    """Nothing while the first probe is still under way."""
    key: KeyVerdict | None = None
    """Nothing while the key was not asked about, or the answer is still under way."""
    pending: bool = False
    """A probe is under way: what is said here may be old, and it is worth coming back soon."""


UNSEEN = Sighting()
"""Nobody looked."""


@dataclass(frozen=True, slots=True)
class CacheVerdict:
    """What a proxy said about the Redis behind its cache."""

    connected: bool
    trouble: str = ""
    """Why it is not connected, to follow "the proxy": ``answered 503 to /cache/ping``."""
