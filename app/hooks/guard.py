"""What no answer may contain, judged before it leaves.

Metacontroller believes us: a null list item kills its process, a bad label stops a parent's whole pass, a duplicate merge
key writes one port twice, a value in another form than the stored one is written again on every sync. So children rendered
here are checked strictly. Children kept from what was applied before are held to their place alone: they are what
Metacontroller made of an earlier answer, of ours or of another renderer, and changing them would be the breach.

Breaches are values. A controller may ask before it answers, and blame the field of the spec that caused one; what still
reaches :mod:`app.hooks.answer` is our own bug and is never sent. Problems never repeat a value: it may be a secret.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import orjson

from app.hooks.canonical.form import canonicalise
from app.hooks.canonical.stored_form import OPAQUE_MAPS, SYSTEM_METADATA
from app.hooks.field_path import field_path
from app.hooks.merge_keys import merge_key
from app.hooks.names import label_problems, name_problem
from app.hooks.objects import CONTROLLER_UID, DECORATOR, LAST_APPLIED, Object, Resource, object_key, resource_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Set

ANNOTATIONS_LIMIT = 262_144
"""Bytes of all annotations of an object; the last-applied record, a copy of the child, is one of them."""

_RECORD_EXTRA = 512
"""Room for what Metacontroller adds to the record: its label and the annotation's key."""


@dataclass(frozen=True, slots=True)
class Breach:
    """One reason for which an answer is not sent."""

    child: str
    """``<Kind>.<apiVersion> <namespace>/<name>``, or ``status``."""
    field: str
    problem: str

    def __str__(self) -> str:
        return f"{self.child}: {self.field} {self.problem}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where children of one parent may be."""

    namespace: str
    """The parent's; empty for a cluster-scoped parent, whose children may be anywhere."""
    declared: Mapping[str, Resource]
    """The controller's child rules by ``<Kind>.<apiVersion>``."""
    installed: Set[str]
    """Which of them, by the same key, Metacontroller was installed with; a child of any other is never seen again."""


def child_breaches(child: Object, place: Place) -> list[Breach]:
    """What is wrong with a child rendered here."""
    return place_breaches(child, place) or [*content_breaches(child), *size_breaches(child, len(_json(child)))]


def place_breaches(child: Object, place: Place, *, retained: bool = False) -> list[Breach]:
    """Whether a child's identity is legal where it is to be."""
    return _breaches(child, _place_problems(child, place, retained=retained))


def content_breaches(child: Object) -> list[Breach]:
    """Everything in a rendered child that is wrong wherever it is; its identity was judged before."""
    form, changes, unreadable = canonicalise(child)
    return [
        *_breaches(child, ((change.field, change.problem) for change in [*changes, *unreadable])),
        *_breaches(child, _metadata_problems(child)),
        *_breaches(child, _repeated_keys(form, "")),
        *_breaches(child, _float_problems(form, "", integers=False)),
    ]


def size_breaches(child: Object, size: int) -> list[Breach]:
    """Whether the last-applied record of a child, ``size`` bytes of JSON, still fits beside its other annotations."""
    if size < ANNOTATIONS_LIMIT // 8:
        return []
    body = _json(child)
    # Metacontroller's encoder writes these three as six bytes each.
    escaped = 5 * sum(body.count(mark) for mark in (b"<", b">", b"&"))
    others = len(_json(child["metadata"].get("annotations") or {}))
    if len(body) + escaped + others + _RECORD_EXTRA <= ANNOTATIONS_LIMIT:
        return []
    return [
        Breach(child_label(child), "metadata.annotations", f"would pass {ANNOTATIONS_LIMIT} bytes with the last-applied record")
    ]


def status_breaches(status: object) -> list[Breach]:
    """What is wrong with a status: it must be an object without nulls, NaN, infinities and integers written as floats."""
    if not isinstance(status, dict):
        return [Breach("status", "status", "must be an object")]
    # Where each value is counts only once one is wrong.
    if not any(item is None or isinstance(item, float) for item in _values(status)):
        return []
    problems = [*_null_problems(status, ""), *_float_problems(status, "")]
    return [Breach("status", field, problem) for field, problem in problems]


def child_label(child: object) -> str:
    """The child's kind and key for messages, however broken it is."""
    try:
        return f"{resource_key(cast('Object', child))} {object_key(cast('Object', child))}"
    except (KeyError, TypeError, AttributeError):
        return "a child without apiVersion, kind or metadata.name"


def _breaches(child: Object, problems: Iterable[tuple[str, str]]) -> list[Breach]:
    found = list(problems)
    label = child_label(child) if found else ""
    return [Breach(label, field, problem) for field, problem in found]


def _place_problems(child: Object, place: Place, *, retained: bool) -> list[tuple[str, str]]:
    if not isinstance(child, dict) or not isinstance(child.get("metadata"), dict):  # pyright: ignore[reportUnnecessaryIsInstance]
        return [("metadata", "must be an object")]
    key = f"{child.get('kind')}.{child.get('apiVersion')}"
    resource = place.declared.get(key)
    found: list[tuple[str, str]] = []
    if key not in place.installed:
        found.append(("kind", "is not among the child rules that Metacontroller was installed with"))
    elif resource is None and not retained:
        found.append(("kind", "is not among the controller's child rules"))
    # A name that the API server stored is legal, whatever its rules were then.
    if not retained and (problem := name_problem(key, child["metadata"].get("name"))):
        found.append(("metadata.name", problem))
    if problem := _namespace_problem(child["metadata"].get("namespace"), resource, place):
        found.append(("metadata.namespace", problem))
    return found


def _namespace_problem(namespace: object, resource: Resource | None, place: Place) -> str:
    if resource is not None and not resource.namespaced:
        return "must be absent: the kind has no namespaces" if namespace else ""
    if place.namespace:
        return "" if namespace == place.namespace else "must be the parent's namespace"
    return "must be given: the parent has none" if resource is not None and not namespace else ""


def _metadata_problems(child: Object) -> Iterator[tuple[str, str]]:
    metadata = cast("Object", child["metadata"]) if isinstance(child.get("metadata"), dict) else {}
    for field in SYSTEM_METADATA:
        if field in metadata:
            yield f"metadata.{field}", "belongs to the API server and Metacontroller"
    if "status" in child:
        yield "status", "of a child cannot be answered"
    for field, key in (("labels", CONTROLLER_UID), ("annotations", LAST_APPLIED), ("annotations", DECORATOR)):
        entries = metadata.get(field)
        if isinstance(entries, dict) and key in entries:
            yield field_path(f"metadata.{field}", key), "belongs to Metacontroller"
    yield from label_problems(metadata)


def _repeated_keys(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in cast("Object", value).items():
            if key not in OPAQUE_MAPS:
                yield from _repeated_keys(item, field_path(path, key))
    elif isinstance(value, list):
        items = cast("list[Any]", value)
        identity = merge_key(items)
        seen: list[Any] = []
        for index, item in enumerate(items):
            if identity is not None and item[identity] in seen:
                yield (
                    f"{path}[{index}].{identity}",
                    "repeats an earlier item's; dynamic apply would write one of them twice",
                )
            elif identity is not None:
                seen.append(item[identity])
            yield from _repeated_keys(item, f"{path}[{index}]")


def _values(value: Any) -> Iterator[Any]:
    """Everything below that is neither object nor list."""
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, dict):
            left.extend(cast("Object", item).values())
        elif isinstance(item, list):
            left.extend(cast("list[Any]", item))
        else:
            yield item


def _null_problems(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every null at or below ``path``."""
    if value is None:
        yield path, "is null"
    elif isinstance(value, dict):
        for key, item in cast("Object", value).items():
            yield from _null_problems(item, field_path(path, key))
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[Any]", value)):
            yield from _null_problems(item, f"{path}[{index}]")


def _float_problems(value: Any, path: str, *, integers: bool = True) -> Iterator[tuple[str, str]]:
    if isinstance(value, float):
        if not math.isfinite(value):
            yield path, "is no JSON number"
        elif integers and value.is_integer():
            yield path, "must be written as an integer"
    elif isinstance(value, dict):
        for key, item in cast("Object", value).items():
            yield from _float_problems(item, field_path(path, key), integers=integers)
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[Any]", value)):
            yield from _float_problems(item, f"{path}[{index}]", integers=integers)


def _json(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:
        return b""
