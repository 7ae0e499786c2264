"""From a model to the structural schema that a CustomResourceDefinition takes.

Pydantic writes JSON Schema with references, titles and ``anyOf`` with null; Kubernetes wants one tree without them. What is
special to Kubernetes (rules, core types, "any JSON") is put in where it is declared: ``section``, ``core`` and ``types``.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast

from pydantic.json_schema import GenerateJsonSchema

from app.apis.core import MARK, core_schema

if TYPE_CHECKING:
    from pydantic_core import core_schema as pydantic_schema

    from app.apis.section import Section
    from app.hooks.objects import Object

_DROPPED = frozenset({"title", "$defs", "default"})


class _WithoutNull(GenerateJsonSchema):
    """``X | None`` is an X that may be absent: a null is never stored."""

    def nullable_schema(self, schema: pydantic_schema.NullableSchema) -> dict[str, Any]:
        return self.generate_inner(schema["schema"])


@cache
def structural_schema(model: type[Section], *, expand_core: bool = True) -> Object:
    """The structural schema of a model: no ``$ref``, no ``anyOf`` but that of int-or-string. Shared: never change it.

    Without ``expand_core`` a core type is left as ``{"x-core-type": name}``, for readers who know it by its name.
    """
    document = model.model_json_schema(by_alias=True, schema_generator=_WithoutNull)
    return _structural(document, document.get("$defs", {}), expand_core)


def _structural(schema: Object, definitions: Object, expand_core: bool) -> Object:
    if "$ref" in schema:
        target = definitions[schema["$ref"].removeprefix("#/$defs/")]
        # What is said beside a reference (the field's own description) wins over what the type says of itself.
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    elif expand_core and MARK in schema:
        return {**_head(schema), **core_schema(schema[MARK])}
    result = _head(schema)
    for key, value in schema.items():
        if key == "properties":
            result[key] = {name: _structural(field, definitions, expand_core) for name, field in value.items()}
        elif key == "items" or (key == "additionalProperties" and isinstance(value, dict)):
            result[key] = _structural(cast("Object", value), definitions, expand_core)
        elif key not in _DROPPED:
            result.setdefault(key, value)
    return result


def _head(schema: Object) -> Object:
    """What a reader wants first: the description as one paragraph, the type, and a default where there is one."""
    head: Object = {}
    if "description" in schema:
        head["description"] = " ".join(schema["description"].split())
    if "type" in schema:
        head["type"] = schema["type"]
    # Pydantic writes a null default for what may be absent.
    if schema.get("default") is not None:
        head["default"] = schema["default"]
    return head
