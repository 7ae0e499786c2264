"""The fields of an object that its schema describes: how everything here walks down an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.sim.json_values import is_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object


def known_fields(value: Object, schema: Object) -> Iterator[tuple[str, Object]]:
    """Each known field's name with its schema: properties, and the entries of a map. Unknown ones are left out."""
    properties: Object = schema.get("properties", {})
    others = schema.get("additionalProperties")
    for name in value:
        if name in properties:
            yield name, properties[name]
        elif is_object(others):
            yield name, others
