"""Contents remembered by their digest, so that what did not change is not judged again."""

from __future__ import annotations

from hashlib import sha256


def digest(content: bytes) -> bytes:
    """Sixteen bytes that stand for the content."""
    return sha256(content).digest()[:16]


class Digests:
    """Digests of contents with one verdict. Bounded: when full it starts over, which costs time and never correctness."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._known: set[bytes] = set()

    def __contains__(self, key: bytes) -> bool:
        return key in self._known

    def add(self, key: bytes) -> None:
        """Remember one more."""
        if len(self._known) >= self._limit:
            self._known.clear()
        self._known.add(key)
