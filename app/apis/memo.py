"""Decisions about a spec, remembered by its content: a steady sync brings the same one every time."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_CONTENTS = 1024
_BYTES = 512 * 1024
"""Of content. What is decided takes several times as much."""
_LARGEST = 64 * 1024


def by_content(decide: Callable[[bytes], T]) -> Callable[[bytes], T]:
    """``decide``, a pure function of some JSON, with a memory of what it was asked last. What is large is not remembered."""
    return _Remembered(decide)


class _Remembered(Generic[T]):
    """Bounded by number and by size; the content that was not asked for the longest goes first."""

    def __init__(self, decide: Callable[[bytes], T]) -> None:
        self._decide = decide
        self._decided: OrderedDict[bytes, T] = OrderedDict()
        self._held = 0

    def __call__(self, content: bytes) -> T:
        if content in self._decided:
            self._decided.move_to_end(content)
            return self._decided[content]
        decided = self._decide(content)
        if len(content) <= _LARGEST:
            self._decided[content] = decided
            self._held += len(content)
        while self._held > _BYTES or len(self._decided) > _CONTENTS:
            oldest, _ = self._decided.popitem(last=False)
            self._held -= len(oldest)
        return decided
