"""Lists that may not have one item twice: ``x-kubernetes-list-type`` ``set`` and ``map``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from app.sim.json_values import is_list, is_object
from app.sim.validation.field_error import FieldError, Path, duplicate, invalid
from app.sim.validation.known_fields import known_fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object


def duplicates(value: Any, schema: Object, path: Path = ()) -> Iterator[FieldError]:
    """An error for each item whose key, or in a set: whose value, was there before, and for each that can't have a key."""
    if is_object(value):
        for name, child in known_fields(value, schema):
            yield from duplicates(value[name], child, (*path, name))
    elif is_list(value):
        seen: set[bytes] = set()
        for position, item in enumerate(value):
            identity = key_of(item, schema)
            if identity is None and schema.get("x-kubernetes-list-type") == "map":
                yield invalid((*path, position), item, "must be an object for an array of list-type map")
            if identity is not None:
                text = orjson.dumps(identity, option=orjson.OPT_SORT_KEYS)
                if text in seen:
                    yield duplicate((*path, position), identity)
                seen.add(text)
            if "items" in schema:
                yield from duplicates(item, schema["items"], (*path, position))


def key_of(item: Any, schema: Object) -> Any:
    """What tells an item of a list with this schema from its siblings; none where the list has no keys."""
    match schema.get("x-kubernetes-list-type"):
        case "set":
            return item
        case "map" if is_object(item):
            return {name: item[name] for name in schema["x-kubernetes-list-map-keys"] if name in item}
        case _:
            return None
