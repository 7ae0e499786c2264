"""Nulls and defaults, as the API server treats them for custom resources.

The order is its order: a null in a field that is not ``nullable`` is dropped first, so that the default takes its place.
Both functions change the value they are given; hand them a copy of your own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object


def prune_nulls(value: Any, schema: Object) -> None:
    """Drop nulls of properties that are known and not ``nullable``; nulls in lists stay, for validation to refuse."""
    if isinstance(value, dict):
        for name, child in list(known_fields(value, schema)):
            if value[name] is None:
                if not child.get("nullable"):
                    del value[name]
            else:
                prune_nulls(value[name], child)
    elif isinstance(value, list) and "items" in schema:
        for item in value:
            prune_nulls(item, schema["items"])


def apply_defaults(value: Any, schema: Object) -> None:
    """Fill in the defaults of absent fields, outermost first: a default object gets its own defaults in turn."""
    if isinstance(value, dict):
        for name, child in schema.get("properties", {}).items():
            if name not in value and "default" in child:
                value[name] = orjson.loads(orjson.dumps(child["default"]))
        for name, child in known_fields(value, schema):
            apply_defaults(value[name], child)
    elif isinstance(value, list) and "items" in schema:
        for item in value:
            apply_defaults(item, schema["items"])


def known_fields(value: Object, schema: Object) -> Iterator[tuple[str, Object]]:
    """The fields of an object that its schema describes, each with its schema."""
    properties: Object = schema.get("properties", {})
    others = schema.get("additionalProperties")
    for name in value:
        if name in properties:
            yield name, properties[name]
        elif isinstance(others, dict):
            yield name, others
