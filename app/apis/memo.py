"""Decisions about a spec, remembered by its content: a steady sync brings the same one every time."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_CONTENTS = 1024
_LARGEST = 64 * 1024


def by_content(decide: Callable[[bytes], T]) -> Callable[[bytes], T]:
    """``decide``, a pure function of some JSON, with a memory of what it was asked last. What is large is not remembered."""
    remembered = lru_cache(maxsize=_CONTENTS)(decide)

    def decided(content: bytes) -> T:
        return remembered(content) if len(content) <= _LARGEST else decide(content)

    return decided
