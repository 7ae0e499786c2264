"""On an update, what was wrong before and has not been touched may stay wrong.

So an object stored before its schema was tightened can still get a status or a label (Kubernetes 1.30 and later).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.sim.json_values import is_list, is_object
from app.sim.validation.keyed_lists import key_of

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.validation.field_error import Path


def untouched(path: Path, new: Any, old: Any, schema: Object) -> bool:
    """Whether the value at ``path`` is what it was. Items of a keyed list are found again by key, others not at all."""
    for step in path:
        if new == old:
            return True
        if isinstance(step, str):
            if not (is_object(new) and is_object(old) and step in new and step in old):
                return False
            new, old = new[step], old[step]
            schema = schema.get("properties", {}).get(step) or _schema_of_values(schema)
        else:
            if not (is_list(new) and is_list(old)) or (key := key_of(new[step], schema)) is None:
                return False
            same = [item for item in old if key_of(item, schema) == key]
            if not same:
                return False
            new, old, schema = new[step], same[0], schema.get("items", {})
    return bool(new == old)


def _schema_of_values(schema: Object) -> Object:
    others = schema.get("additionalProperties")
    return others if is_object(others) else {}
