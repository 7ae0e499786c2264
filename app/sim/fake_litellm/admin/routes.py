"""Routes of the fake admin API as a table: verb and path to a handler, one module a kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.hooks.objects import Object

Reply = tuple[int, Any]
"""HTTP status and JSON."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request whose key was accepted."""

    query: Mapping[str, str]
    body: Any
    named: Mapping[str, str]
    """What the path's placeholders stand for, decoded."""


@dataclass(slots=True)
class Database:
    """What the proxy has stored: rows by table and id. ``release`` is its minor version: answers differ by it.

    ``now`` is its clock.
    """

    release: int = 110
    licensed: bool = False
    store_model_in_db: bool = True
    """``general_settings.store_model_in_db``."""
    has_models: bool = True
    """Whether a model is loaded."""
    loses_models: bool = False
    """Whether new models are accepted and not stored."""
    now: Callable[[], datetime] = lambda: datetime(2026, 1, 1, tzinfo=UTC)
    tables: dict[str, dict[str, Object]] = field(default_factory=dict[str, dict[str, "Object"]])

    def table(self, name: str) -> dict[str, Object]:
        """Rows by id, in the order in which they were made."""
        return self.tables.setdefault(name, {})

    @property
    def first_generation(self) -> bool:
        """Measured at 1.81.14; 1.108.14 and later answer differently."""
        return self.release < 108


Handler = Callable[[Database, Asked], Reply]


@dataclass(frozen=True, slots=True)
class Route:
    """One verb on one path; ``{name}`` in the path is one encoded part of it."""

    method: str
    path: str
    handler: Handler

    def match(self, method: str, raw_path: str) -> Mapping[str, str] | None:
        """What the placeholders stand for, or nothing if this is not the route."""
        if method != self.method:
            return None
        found = _pattern(self.path).fullmatch(raw_path)
        return {name: unquote(value) for name, value in found.groupdict().items()} if found else None


@cache
def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(path)))


def error(status: int, message: str, kind: str = "internal_server_error") -> Reply:
    """Shape A, which most routes answer with."""
    return status, {"error": {"message": message, "type": kind, "param": "None", "code": str(status)}}


def detail(status: int, message: str) -> Reply:
    """Shape B1."""
    return status, {"detail": {"error": message}}


def plain_detail(status: int, message: str) -> Reply:
    """Shape B2."""
    return status, {"detail": message}
