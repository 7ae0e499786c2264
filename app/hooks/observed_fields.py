"""What an observed object says in a field. Whoever may write the object may have written anything there, so a value of another
form than is looked for counts as none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.hooks.objects import Object

    Json = Object | list[Any] | str | float | bool | None


def object_in(fields: Json, key: str) -> Object:
    """The object under the key; empty where there is none, or ``fields`` is no object itself."""
    value: Json = fields.get(key) if isinstance(fields, dict) else None
    return value if isinstance(value, dict) else {}


def objects_in(fields: Json, key: str) -> list[Object]:
    """The objects in the list under the key, without what is no object."""
    value: Json = fields.get(key) if isinstance(fields, dict) else None
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_in(fields: Json, key: str) -> str:
    """The text under the key; empty where there is none."""
    value: Json = fields.get(key) if isinstance(fields, dict) else None
    return value if isinstance(value, str) else ""


def number_in(fields: Json, key: str) -> int:
    """The whole number under the key; 0 where there is none."""
    value: Json = fields.get(key) if isinstance(fields, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
