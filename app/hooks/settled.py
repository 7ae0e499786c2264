"""Answers that are given again, when the same request comes byte for byte, as it does from a parent at rest.

A response may say how to tell whether it holds (``SyncResponse.holds``). Whatever its decision looked at is part of the request,
and so the same, or is looked at again by that function. So no answer is given again that would not be made again.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.hooks.response import Holds


class Key(NamedTuple):
    """Stands for one request; no two have the same."""

    path: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class Settled:
    """An answer, and what its log line says."""

    answer: bytes
    holds: Holds
    said: Mapping[str, Any]


class SettledAnswers:
    """Remembers ``limit`` bytes of answers; the one that was not asked for the longest goes first.

    Most requests never come again, and a digest is dear. So the first time that a request gets an answer which may be given
    again, a number of it is noted (two may share one, which costs a digest). The second time it has a key, under which its answer
    is kept, and from the third time on it is answered from here. Requests whose answers are never given again are not noted: they
    are never digested, and crowd out no others.
    """

    def __init__(self, limit: int = 8 * 1024 * 1024, *, sights: int = 8192) -> None:
        self._limit = limit
        self._answers: OrderedDict[Key, Settled] = OrderedDict()
        self._held = 0
        self._sights: OrderedDict[int, None] = OrderedDict()
        self._most_sights = sights

    def key(self, path: str, body: bytes) -> Key | None:
        """What stands for that request; nothing if it was not noted before."""
        sight = hash(body)
        if sight not in self._sights:
            return None
        self._sights.move_to_end(sight)
        return Key(path, sha256(body).digest())

    def note(self, body: bytes) -> None:
        """Have a key for that request when it comes again."""
        self._sights[hash(body)] = None
        if len(self._sights) > self._most_sights:
            self._sights.popitem(last=False)

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
        self._held += len(settled.answer)
        while self._held > self._limit:
            self._forget(next(iter(self._answers)))

    def _forget(self, key: Key) -> None:
        settled = self._answers.pop(key, None)
        if settled is not None:
            self._held -= len(settled.answer)
