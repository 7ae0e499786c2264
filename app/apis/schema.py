"""From a model to the structural schema that a CustomResourceDefinition takes.

Pydantic writes JSON Schema with references, titles and ``anyOf`` with null; Kubernetes wants one tree without them. What is
special to Kubernetes (rules, core types, "any JSON") is put in where it is declared: ``section``, ``core`` and ``types``.
"""

from __future__ import annotations

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


def structural_schema(model: type[Section], *, expand_core: bool = True) -> Object:
    """The structural schema of a model: no ``$ref``, no ``anyOf`` but that of int-or-string.

    Without ``expand_core`` a core type is left as ``{"x-core-type": name}``, for readers who know it by its name.
    """
    document = model.model_json_schema(by_alias=True, schema_generator=_WithoutNull)
    return _structural(document, document.get("$defs", {}), expand_core)


def _structural(schema: Object, definitions: Object, expand_core: bool) -> Object:
    if "$ref" in schema:
        target = definitions[schema["$ref"].removeprefix("#/$defs/")]
        # What is said beside a reference (the field's own description) wins over what the type says of itself.
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    if MARK in schema and expand_core:
        schema = {**core_schema(schema[MARK]), **{key: value for key, value in schema.items() if key != MARK}}
        return _described(schema, schema)
    result: Object = {}
    for key, value in schema.items():
        if key in _DROPPED:
            continue
        if key == "properties":
            result[key] = {name: _structural(field, definitions, expand_core) for name, field in value.items()}
        elif key == "items" or (key == "additionalProperties" and isinstance(value, dict)):
            result[key] = _structural(cast("Object", value), definitions, expand_core)
        else:
            result[key] = value
    return _described(result, schema)


def _described(result: Object, schema: Object) -> Object:
    """With the description as one paragraph at the front, and a default only where there is something to default to."""
    description = {"description": " ".join(schema["description"].split())} if "description" in schema else {}
    default = {"default": schema["default"]} if schema.get("default") is not None else {}
    rest = {key: value for key, value in result.items() if key not in {"description", "default", "title"}}
    return {**description, **rest, **default}
