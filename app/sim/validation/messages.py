"""The API server's words for each way in which a value can break its schema.

A table from the engine's keyword to the text, so that it can be held against what a real API server answers
(``tests/cases/validation_messages.yaml``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.sim.validation.field_error import FieldError, Path, dotted, invalid, required, shown, too_long

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jsonschema import ValidationError

    from app.hooks.objects import Object

_JSON_TYPES: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def field_errors(error: ValidationError) -> Iterator[FieldError]:
    """One finding of the engine as errors of the API server."""
    keyword, limit, value = cast("str", error.validator), cast("Any", error.validator_value), cast("Any", error.instance)
    path: Path = tuple(error.absolute_path)
    if keyword in _TEXTS:
        yield invalid(path, *_TEXTS[keyword](dotted(path), value, limit))
    else:
        yield from _LONGER[keyword](path, value, limit, error)


def _type_errors(path: Path, value: Any, limit: Any, error: ValidationError) -> Iterator[FieldError]:
    wanted, found = ",".join(name for name in limit if name != "null"), _JSON_TYPES[type(value)]
    form = cast("Object", error.schema).get("format", "")
    if form and not isinstance(value, str | list | None):
        wanted, found = form, "float64" if isinstance(value, float) else ""
    yield invalid(path, found, f"{dotted(path)} in body must be of type {wanted}: {shown(found)}", blocking=True)
    if isinstance(value, float) and "integer" in limit and "string" not in limit:
        form = f"with format {form}" if form else "(default format)"
        yield _unnamed(path, f"Checked value must be of type integer {form} in {dotted(path)}")


def _format_errors(path: Path, value: Any, limit: Any, _: ValidationError) -> Iterator[FieldError]:
    if isinstance(value, str):
        yield invalid(path, value, f"{dotted(path)} in body must be of type {limit}: {shown(value)}", blocking=True)
    else:
        yield _unnamed(path, f"Checked value must be of type integer with format {limit} in {dotted(path)}")


def _enum_errors(path: Path, value: Any, limit: Any, _: ValidationError) -> Iterator[FieldError]:
    permitted = ", ".join(shown(one if isinstance(one, str) else shown(one)) for one in limit if one is not None)
    yield FieldError(path, f"Unsupported value: {shown(value)}: supported values: {permitted}", blocking=True)


def _missing(path: Path, value: Any, limit: Any, _: ValidationError) -> Iterator[FieldError]:
    yield from (required((*path, name)) for name in limit if name not in value)


def _too_long(path: Path, _: Any, limit: Any, __: ValidationError) -> Iterator[FieldError]:
    yield too_long(path, limit)


def _too_many(path: Path, value: Any, limit: Any, _: ValidationError) -> Iterator[FieldError]:
    yield FieldError(path, f"Too many: {len(value)}: must have at most {limit} items", blocking=True)


def _all_of(path: Path, _: Any, __: Any, error: ValidationError) -> Iterator[FieldError]:
    yield from _of_branches(error)
    yield _unnamed(path, f"{shown(dotted(path))} must validate all the schemas (allOf){error.message}")


def _any_of(path: Path, _: Any, __: Any, error: ValidationError) -> Iterator[FieldError]:
    yield _unnamed(path, f"{shown(dotted(path))} must validate at least one schema (anyOf)")
    yield from _of_branches(error)


def _one_of(path: Path, _: Any, __: Any, error: ValidationError) -> Iterator[FieldError]:
    yield _unnamed(path, f"{shown(dotted(path))} must validate one and only one schema (oneOf). {error.message}")
    yield from _of_branches(error)


def _of_branches(error: ValidationError) -> Iterator[FieldError]:
    for one in error.context or ():
        yield from field_errors(one)


def _must_not(path: Path, _: Any, __: Any, ___: ValidationError) -> Iterator[FieldError]:
    yield _unnamed(path, f"{shown(dotted(path))} must not validate the schema (not)")


def _unnamed(path: Path, text: str) -> FieldError:
    return FieldError(path, f'Invalid value: "": {text}', unnamed=True)


_TEXTS: dict[str, Callable[[str, Any, Any], tuple[Any, str]]] = {
    "minLength": lambda path, value, limit: (value, f"{path} in body should be at least {limit} chars long"),
    "pattern": lambda path, value, limit: (value, f"{path} in body should match '{limit.removeprefix('(?a)')}'"),
    "minimum": lambda path, value, limit: (value, f"{path} in body should be greater than or equal to {limit}"),
    "maximum": lambda path, value, limit: (value, f"{path} in body should be less than or equal to {limit}"),
    "exclusiveMinimum": lambda path, value, limit: (value, f"{path} in body should be greater than {limit}"),
    "exclusiveMaximum": lambda path, value, limit: (value, f"{path} in body should be less than {limit}"),
    "multipleOf": lambda path, value, limit: (value, f"{path} in body should be a multiple of {limit}"),
    "minItems": lambda path, value, limit: (len(value), f"{path} in body should have at least {limit} items"),
    "minProperties": lambda path, value, limit: (len(value), f"{path} in body should have at least {limit} properties"),
    "uniqueItems": lambda path, value, _: (value, f"{path} in body shouldn't contain duplicates"),
}
"""What comes behind ``Invalid value:``: the value shown, and the text."""

_LONGER: dict[str, Callable[[Path, Any, Any, ValidationError], Iterator[FieldError]]] = {
    "type": _type_errors,
    "format": _format_errors,
    "enum": _enum_errors,
    "required": _missing,
    "maxLength": _too_long,
    "maxItems": _too_many,
    "maxProperties": _too_many,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _must_not,
}
