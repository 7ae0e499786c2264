"""Answers that are given again, when the same request comes byte for byte, as it does from a parent at rest.

A response may say how to tell whether it holds (``SyncResponse.holds``). Whatever its decision looked at is part of the request,
and so the same, or is looked at again by that function. So no answer is given again that would not be made again.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.hooks.response import Holds


_MOST_NOTED = 16_384
"""Requests. When there are more the notes start over, which costs time and never correctness."""


class Key(NamedTuple):
    """Stands for one request."""

    path: str
    digest: bytes


def request_key(path: str, body: bytes) -> Key:
    """The key of a request; no two have the same."""
    return Key(path, sha256(body).digest())


@dataclass(frozen=True, slots=True)
class Settled:
    """An answer, and what its log line says."""

    answer: bytes
    holds: Holds
    said: Mapping[str, Any]


class SettledAnswers:
    """Remembers ``limit`` bytes of answers; the one that was not asked for the longest goes first.

    A digest is dear and most requests that bring something new come once. So the first answer is not kept, only the request's
    length and checksum, and a request is digested that may have come before.
    """

    def __init__(self, limit: int = 4 * 1024 * 1024) -> None:
        self._limit = limit
        self._answers: OrderedDict[Key, Settled] = OrderedDict()
        self._lengths: set[int] = set()
        self._checksums: set[int] = set()
        self._held = 0

    def key(self, path: str, body: bytes) -> Key | None:
        """What stands for that request, if it may have come before."""
        if len(body) not in self._lengths or crc32(body) not in self._checksums:
            return None
        return request_key(path, body)

    def find(self, key: Key) -> Settled | None:
        """What was answered to that request before; whether it holds is still to be asked."""
        settled = self._answers.get(key)
        if settled is not None:
            self._answers.move_to_end(key)
        return settled

    def note(self, body: bytes) -> None:
        """Have the answer to that request kept when it comes again."""
        if len(self._checksums) >= _MOST_NOTED:
            self._lengths.clear()
            self._checksums.clear()
        self._lengths.add(len(body))
        self._checksums.add(crc32(body))

    def keep(self, key: Key, settled: Settled) -> None:
        """Remember what was answered to that request."""
        before = self._answers.pop(key, None)
        self._held += len(settled.answer) - (len(before.answer) if before is not None else 0)
        self._answers[key] = settled
        while self._held > self._limit:
            _, oldest = self._answers.popitem(last=False)
            self._held -= len(oldest.answer)
