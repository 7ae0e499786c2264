"""Answers that are given again, when the same request comes byte for byte, as it does from a parent at rest.

A response may say how to tell whether it holds (``SyncResponse.holds``). Whatever its decision looked at is part of the request,
and so the same, or is looked at again by that function. So no answer is given again that would not be made again.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.hooks.response import Holds


class Key(NamedTuple):
    """Stands for one request."""

    path: str
    length: int
    checksum: int
    digest: bytes


def request_key(path: str, body: bytes) -> Key:
    """The key of a request; no two have the same."""
    return Key(path, len(body), crc32(body), sha256(body).digest())


@dataclass(frozen=True, slots=True)
class Settled:
    """An answer, and what its log line says."""

    answer: bytes
    holds: Holds
    said: Mapping[str, Any]


class SettledAnswers:
    """Remembers ``limit`` bytes of answers; the one that was not asked for the longest goes first."""

    def __init__(self, limit: int = 8 * 1024 * 1024) -> None:
        self._limit = limit
        self._answers: OrderedDict[Key, Settled] = OrderedDict()
        self._lengths: Counter[int] = Counter()
        self._checksums: Counter[int] = Counter()
        self._held = 0

    def key(self, path: str, body: bytes) -> Key | None:
        """What stands for that request, if it may have been answered. A digest is dear, so what tells most apart comes first."""
        if len(body) not in self._lengths or crc32(body) not in self._checksums:
            return None
        return request_key(path, body)

    def find(self, key: Key) -> Settled | None:
        """What was answered to that request before; whether it holds is still to be asked."""
        settled = self._answers.get(key)
        if settled is not None:
            self._answers.move_to_end(key)
        return settled

    def keep(self, key: Key, settled: Settled) -> None:
        """Remember what was answered to that request."""
        self._forget(key)
        self._answers[key] = settled
        self._lengths[key.length] += 1
        self._checksums[key.checksum] += 1
        self._held += len(settled.answer)
        while self._held > self._limit:
            self._forget(next(iter(self._answers)))

    def _forget(self, key: Key) -> None:
        settled = self._answers.pop(key, None)
        if settled is None:
            return
        self._held -= len(settled.answer)
        for counts, value in ((self._lengths, key.length), (self._checksums, key.checksum)):
            counts[value] -= 1
            if not counts[value]:
                del counts[value]
