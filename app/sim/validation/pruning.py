"""Fields that the schema does not know vanish, unless it says ``x-kubernetes-preserve-unknown-fields``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.sim.json_values import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

ALWAYS_KNOWN = ("apiVersion", "kind", "metadata")
"""The fields of a whole object that its own schema need not mention."""


def prune(item: Object, schema: Object) -> list[str]:
    """Drop unknown fields of a whole object, in place. Returns their paths (``spec.bogus``, ``spec.list[0].bogus``), sorted."""
    return sorted(_pruned(item, schema, "", whole_object=True))


def _pruned(value: Any, schema: Object, path: str, *, whole_object: bool = False) -> Iterator[str]:
    if is_object(value):
        properties: Object = schema.get("properties", {})
        others = schema.get("additionalProperties")
        keeps_unknown = bool(schema.get("x-kubernetes-preserve-unknown-fields")) or others is True
        whole_object = whole_object or bool(schema.get("x-kubernetes-embedded-resource"))
        for name in list(value):
            here = f"{path}.{name}" if path else name
            if whole_object and name in ALWAYS_KNOWN:
                continue
            if name in properties:
                yield from _pruned(value[name], properties[name], here)
            elif is_object(others):
                yield from _pruned(value[name], others, here)
            elif not keeps_unknown:
                del value[name]
                yield here
    elif is_list(value) and "items" in schema:
        for position, element in enumerate(value):
            yield from _pruned(element, schema["items"], f"{path}[{position}]")
