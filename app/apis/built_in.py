"""Schemas of Kubernetes' own kinds that an instance owns: fields, types, and what has to be there.

The API server refuses an object with a field of the wrong type, silently drops a field that it does not know, and tells only
Metacontroller, which tries again for ever. So whatever is put into a child past the spec's own schema is held against these
first. They come from ``data/kubernetes-kinds.json``, an extract of one Kubernetes version made by
``tools/kubernetes_kinds.py`` and read once there is something to check: most services never load it.

Not here: values (an image pull policy that does not exist), which only the API server judges.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

import orjson

from app.hooks.field_path import field_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.hooks.objects import Object

_INTEGERS = {"int32": 2**31, "int64": 2**63}
_QUANTITY = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?")


def kinds_version() -> str:
    """The Kubernetes version that the schemas are from, e.g. ``v1.37.0``."""
    return str(_extract()["kubernetesVersion"])


def schema_problem(item: Object) -> str:
    """The first thing that is wrong, ``spec.replicas must be an integer``; empty if nothing, or if the kind is not built in.

    No value is quoted.
    """
    if item["kind"] not in _extract()["definitions"]:
        return ""
    return next(_problems(item, {"$ref": item["kind"]}, ""), "")


@cache
def _extract() -> Object:
    return cast("Object", orjson.loads(files("app.apis").joinpath("data/kubernetes-kinds.json").read_bytes()))


def _problems(value: Any, schema: Object, path: str) -> Iterator[str]:
    if "$ref" in schema:
        schema = _extract()["definitions"][schema["$ref"]]
    kind = str(schema["type"])
    fits, words = _TYPES[kind]
    if not fits(value):
        yield f"{path} must be {words}"
    elif kind == "object":
        yield from _object_problems(cast("Object", value), schema, path)
    elif kind == "array":
        for index, item in enumerate(cast("list[Any]", value)):
            yield from _problems(item, schema["items"], f"{path}[{index}]")
    elif kind == "integer" and not -(bound := _INTEGERS[schema.get("format", "int64")]) <= value < bound:
        yield f"{path} must be a number of {schema['format'][3:]} bits"
    elif schema.get("format") == "byte" and not _base64(value):
        yield f"{path} must be base64"


def _object_problems(value: Object, schema: Object, path: str) -> Iterator[str]:
    for name in schema.get("required", ()):
        if value.get(name) is None:
            yield f"{field_path(path, name)} must be given"
    fields: Object | None = schema.get("properties")
    entries: Object | None = schema.get("additionalProperties")
    for name, item in value.items():
        known = fields.get(name) if fields is not None else entries
        if known is None and (fields is not None or entries is not None):
            yield f"{field_path(path, name)} is no field that Kubernetes {kinds_version()} knows"
        elif known is not None and item is not None:
            yield from _problems(item, known, field_path(path, name))


def _base64(text: str) -> bool:
    try:
        b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    return _integer(value) or isinstance(value, float)


_TYPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "any": (lambda value: value is not None, "given"),
    "array": (lambda value: isinstance(value, list), "a list"),
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "int-or-string": (lambda value: isinstance(value, str) or _integer(value), "an integer or a text"),
    "integer": (_integer, "an integer"),
    "number": (_number, "a number"),
    "object": (lambda value: isinstance(value, dict), "an object"),
    "quantity": (lambda value: _number(value) or (isinstance(value, str) and bool(_QUANTITY.fullmatch(value))), "a quantity"),
    "string": (lambda value: isinstance(value, str), "a text"),
}
