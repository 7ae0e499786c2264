"""What an observed object says in a field. Whoever may write the object may have written anything there, so a value of another
form than is looked for counts as none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from app.hooks.objects import Object


def object_in(fields: Any, key: str) -> Object:
    """The object under the key; empty where there is none, or ``fields`` is no object itself."""
    value = _value(fields, key)
    return cast("Object", value) if isinstance(value, dict) else {}


def objects_in(fields: Any, key: str) -> list[Object]:
    """The objects in the list under the key, without what is no object."""
    value = _value(fields, key)
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("Object", item) for item in items if isinstance(item, dict)]


def text_in(fields: Any, key: str) -> str:
    """The text under the key; empty where there is none."""
    value = _value(fields, key)
    return value if isinstance(value, str) else ""


def number_in(fields: Any, key: str) -> int:
    """The whole number under the key; 0 where there is none."""
    value = _value(fields, key)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _value(fields: Any, key: str) -> Any:
    return cast("Object", fields).get(key) if isinstance(fields, dict) else None
