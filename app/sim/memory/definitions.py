"""What the API server refuses about a CustomResourceDefinition, as far as nothing could be served without it.

Whether a schema is structural, and the rules about its rules, are left to the real one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from app.sim.json_values import is_object
from app.sim.validation.field_error import FieldError, Path, invalid, required, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

_SCOPES = ("Cluster", "Namespaced")
_TYPES = ("array", "boolean", "integer", "number", "object", "string")


def definition_errors(crd: Object) -> Iterator[FieldError]:
    """What is missing or can't be used. The types of the fields are right already (:mod:`.decoding`)."""
    spec: Object = crd.get("spec") or {}
    names: Object = spec.get("names") or {}
    group, plural, name = spec.get("group", ""), names.get("plural", ""), crd["metadata"].get("name", "")
    if name != f"{plural}.{group}":
        yield invalid(("metadata", "name"), name, 'must be spec.names.plural+"."+spec.group')
    if not group:
        yield required(("spec", "group"))
    if not spec.get("scope"):
        yield required(("spec", "scope"))
    elif spec["scope"] not in _SCOPES:
        yield _unsupported(("spec", "scope"), spec["scope"], _SCOPES)
    versions: list[Any] = spec.get("versions") or []
    if not versions:
        yield invalid(("spec", "versions"), None, "must have exactly one version marked as storage version")
    for position, version in enumerate(versions):
        yield from _version_errors(version or {}, ("spec", "versions", position))
    for field in ("plural", "kind"):
        if not names.get(field):
            yield required(("spec", "names", field))


def _version_errors(version: Object, path: Path) -> Iterator[FieldError]:
    if not version.get("name"):
        yield required((*path, "name"))
    validation: Object = version.get("schema") or {}
    yield from _schema_errors(validation.get("openAPIV3Schema"), (*path, "schema", "openAPIV3Schema"))


def _schema_errors(schema: Any, path: Path) -> Iterator[FieldError]:
    if not is_object(schema):
        yield required(path)
        return
    if schema.get("type") and schema["type"] not in _TYPES:
        yield _unsupported((*path, "type"), schema["type"], _TYPES)
    if schema.get("pattern"):
        yield from _pattern_errors(schema["pattern"], (*path, "pattern"))
    if "multipleOf" in schema and schema["multipleOf"] <= 0:
        yield invalid((*path, "multipleOf"), schema["multipleOf"], "must be greater than 0")
    if schema.get("x-kubernetes-list-type") == "map" and not schema.get("x-kubernetes-list-map-keys"):
        yield required((*path, "x-kubernetes-list-map-keys"))
    for position, rule in enumerate(schema.get("x-kubernetes-validations", [])):
        if not is_object(rule) or not rule.get("rule"):
            yield required((*path, f"x-kubernetes-validations[{position}]", "rule"))
    for step, child in _children(schema):
        yield from _schema_errors(child, (*path, *step))


def _children(schema: Object) -> Iterator[tuple[Path, Any]]:
    yield from ((("properties", name), child) for name, child in schema.get("properties", {}).items())
    yield from (((name,), schema[name]) for name in ("items", "not") if name in schema)
    if is_object(schema.get("additionalProperties")):
        yield ("additionalProperties",), schema["additionalProperties"]
    for name in ("allOf", "anyOf", "oneOf"):
        yield from (((name, position), child) for position, child in enumerate(schema.get(name, [])))


def _pattern_errors(pattern: str, path: Path) -> Iterator[FieldError]:
    try:
        re.compile(pattern, re.ASCII)
    except re.error as error:
        yield invalid(path, pattern, f"must be a valid regular expression, but isn't: {error}")


def _unsupported(path: Path, value: str, permitted: tuple[str, ...]) -> FieldError:
    return FieldError(path, f"Unsupported value: {shown(value)}: supported values: {', '.join(map(shown, permitted))}")
