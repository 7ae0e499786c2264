"""What a text in YAML or JSON is read into: a document, or what is wrong in its place.

The value of a document is JSON and nothing else: no dates, no bytes, no integer beyond 64 bits, nothing that contains itself; and
it is small enough to be walked, whatever its aliases multiply. Kubernetes is not known here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MAX_DEPTH = 100
"""Levels of maps and lists; a CustomResourceDefinition, the deepest object there is, has a few dozen."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document and the line, counted from 1, where it begins. An empty document is none."""

    line: int
    value: Any


class Malformed(Exception):
    """A text that can't be read, or not as JSON. ``line`` is 0 where it is not known."""

    def __init__(self, what: str, line: int, remedy: str = "") -> None:
        super().__init__(what)
        self.what, self.line, self.remedy = what, line, remedy
