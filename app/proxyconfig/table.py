"""Tables from fields of the spec to keys of the configuration, and the one loop that applies them.

A row is ``Setting("generalSettings.alertTypes", "alert_types")``: the field's path as the manifest has it, and LiteLLM's key.
What is absent or empty in the spec is left out, so that LiteLLM's own default applies; zero and false are values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.hooks.objects import Object


def as_it_is(value: Any) -> Any:
    """The form of most settings."""
    return value


def only_true(value: bool) -> bool | None:
    """True, or nothing: false is LiteLLM's default."""
    return value or None


def positive(value: int) -> int | None:
    """A number above 0, or nothing: for intervals and sizes that can't be 0."""
    return value if value > 0 else None


@dataclass(frozen=True, slots=True)
class Setting:
    """One row."""

    field: str
    """Path below ``spec``, e.g. ``security.ipAllowlist.allowedIPs``."""
    key: str
    """Key below the section; dots lead into nested maps."""
    when: str = ""
    """A boolean field that has to be true; empty for a setting that always counts."""
    form: Callable[[Any], Any] = as_it_is
    """The value that LiteLLM takes; ``None`` leaves the key out."""


def field(spec: Object, path: str) -> Any:
    """The value at a path, or ``None``."""
    value: Any = spec
    for step in _steps(path):
        if not isinstance(value, dict):
            return None
        value = cast("Object", value).get(step)
    return value


@cache
def _steps(path: str) -> tuple[str, ...]:
    # Paths are those of the tables, so there are only so many.
    return tuple(path.split("."))


def map_at(spec: Object, path: str) -> Object:
    """The map at a path; empty where there is none."""
    value = field(spec, path)
    return cast("Object", value) if isinstance(value, dict) else {}


def filled(spec: Object, *tables: Iterable[Setting]) -> Object:
    """A section of the configuration: the tables in their order, of which a later row replaces an earlier one's key."""
    section: Object = {}
    for table in tables:
        for row in table:
            if row.when and field(spec, row.when) is not True:
                continue
            value = field(spec, row.field)
            if value is not None and not is_empty(value := row.form(value)):
                put(section, row.key, value)
    return section


def put(section: Object, key: str, value: Any) -> None:
    """Set a key, making the maps that its dots lead through."""
    *path, last = key.split(".")
    for step in path:
        section = section.setdefault(step, {})
    section[last] = value


def is_empty(value: Any) -> bool:
    """Whether there is nothing to render: absent, or an empty text, list or map."""
    return value is None or value == "" or value == [] or value == {}
