"""Nulls and defaults, as the API server treats them for custom resources.

The order is its order: a null in a field that is not ``nullable`` is dropped first, so that the default takes its place.
Both functions change the value they are given; hand them a copy of your own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from app.sim.json_values import is_list, is_object
from app.sim.validation.known_fields import known_fields

if TYPE_CHECKING:
    from app.hooks.objects import Object


def prune_nulls(value: Any, schema: Object) -> None:
    """Drop nulls of fields that are known and not ``nullable``; nulls in lists stay, for validation to refuse."""
    if is_object(value):
        for name, child in list(known_fields(value, schema)):
            if value[name] is None:
                if not child.get("nullable"):
                    del value[name]
            else:
                prune_nulls(value[name], child)
    elif is_list(value) and "items" in schema:
        for item in value:
            prune_nulls(item, schema["items"])


def apply_defaults(value: Any, schema: Object) -> None:
    """Fill in the defaults of absent fields, outermost first: a default object gets its own defaults in turn.

    A null counts as absent where the field is not ``nullable``: server-side apply defaults without dropping nulls first.
    """
    if is_object(value):
        for name, child in schema.get("properties", {}).items():
            if "default" in child and (name not in value or (value[name] is None and not child.get("nullable"))):
                value[name] = orjson.loads(orjson.dumps(child["default"]))
        for name, child in known_fields(value, schema):
            apply_defaults(value[name], child)
    elif is_list(value) and "items" in schema:
        for item in value:
            apply_defaults(item, schema["items"])
