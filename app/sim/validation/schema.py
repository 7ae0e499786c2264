"""Checks a custom resource against its structural schema.

The engine is ``jsonschema``; a structural schema is first turned into the JSON Schema that means the same. What the engine
finds becomes an error in the API server's words in :mod:`.messages`. Nulls, defaults and unknown fields are dealt with before
(:mod:`.defaulting`, :mod:`.pruning`); keyed lists and CEL rules after (:mod:`.keyed_lists`, :mod:`.rules`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from jsonschema import Draft202012Validator, ValidationError, validators

from app.sim.json_values import is_object
from app.sim.validation.formats import fits_integer, of_format
from app.sim.validation.messages import field_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object
    from app.sim.validation.field_error import FieldError

_COPIED = ("minLength", "maxLength", "multipleOf", "minItems", "maxItems", "uniqueItems", "enum", "required")
_COPIED_LAST = ("minProperties", "maxProperties")
_JUNCTORS = ("allOf", "anyOf", "oneOf")


class StructuralSchema:
    """A compiled structural schema. Compiling is dear (a large CRD takes some ten milliseconds): keep it."""

    def __init__(self, schema: Object) -> None:
        self._validator: Any = _Engine(as_json_schema(schema))

    def errors(self, item: Any) -> Iterator[FieldError]:
        """Everything that is wrong, in an order that does not vary. (The API server's own varies between fields.)"""
        for error in self._validator.iter_errors(item):
            yield from field_errors(error)


def as_json_schema(schema: Object) -> Object:
    """The JSON Schema of a structural schema, its keywords in the order in which the API server checks them."""
    result: Object = {}
    if types := _types(schema):
        result["type"] = types
    for name in _JUNCTORS:
        if name in schema:
            result[name] = [as_json_schema(one) for one in schema[name]]
    if "not" in schema:
        result["not"] = as_json_schema(schema["not"])
    result |= {name: schema[name] for name in _COPIED if name in schema}
    if schema.get("nullable") and "enum" in result:
        result["enum"] = [*result["enum"], None]
    if "pattern" in schema:
        result["pattern"] = f"(?a){schema['pattern']}"
    if "format" in schema:
        result["format"] = schema["format"]
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if bound in schema:
            result[exclusive if schema.get(exclusive) else bound] = schema[bound]
    if is_object(schema.get("items")):
        result["items"] = as_json_schema(schema["items"])
    if "properties" in schema:
        result["properties"] = {name: as_json_schema(one) for name, one in sorted(schema["properties"].items())}
    if is_object(schema.get("additionalProperties")):
        result["additionalProperties"] = as_json_schema(schema["additionalProperties"])
    return result | {name: schema[name] for name in _COPIED_LAST if name in schema}


def _types(schema: Object) -> list[str]:
    types = ["integer", "string"] if schema.get("x-kubernetes-int-or-string") else [schema["type"]] if "type" in schema else []
    return [*types, "null"] if types and schema.get("nullable") else types


# Keywords for which the engine says less than the API server does. Their signatures are the engine's.


def _required(_: Any, names: list[str], value: Any, __: Object) -> Iterator[ValidationError]:
    if is_object(value) and any(name not in value for name in names):
        yield ValidationError("required")


def _format(_: Any, name: str, value: Any, __: Object) -> Iterator[ValidationError]:
    number = isinstance(value, int) and not isinstance(value, bool)
    if (isinstance(value, str) and not of_format(value, name)) or (number and not fits_integer(cast("int", value), name)):
        yield ValidationError("format")


def _all_of(engine: Any, branches: list[Object], value: Any, _: Object) -> Iterator[ValidationError]:
    findings = _findings(engine, branches, value)
    if failed := [branch for branch in findings if branch]:
        said = ". None validated" if len(failed) == len(branches) else ""
        yield ValidationError(said, context=[error for branch in failed for error in branch])


def _one_of(engine: Any, branches: list[Object], value: Any, _: Object) -> Iterator[ValidationError]:
    findings = _findings(engine, branches, value)
    valid = sum(not branch for branch in findings)
    if valid != 1:
        said = f"Found {valid} valid alternatives" if valid else "Found none valid"
        yield ValidationError(said, context=[] if valid else min(findings, key=len))


def _any_of(engine: Any, branches: list[Object], value: Any, _: Object) -> Iterator[ValidationError]:
    findings = _findings(engine, branches, value)
    if all(findings):
        yield ValidationError("", context=min(findings, key=len))


def _findings(engine: Any, branches: list[Object], value: Any) -> list[list[ValidationError]]:
    return [list(engine.descend(value, branch, schema_path=position)) for position, branch in enumerate(branches)]


def _integer(_: Any, value: Any) -> bool:
    """A whole number that 64 bits hold; what does not fit is a float to the API server."""
    number = not isinstance(value, bool) and isinstance(value, int | float)
    return number and -(2**63) <= value < 2**63 and value == int(value)


_extend = cast("Any", validators).extend
_Engine = _extend(
    Draft202012Validator,
    {"required": _required, "format": _format, "allOf": _all_of, "oneOf": _one_of, "anyOf": _any_of},
    type_checker=cast("Any", Draft202012Validator).TYPE_CHECKER.redefine("integer", _integer),
)
