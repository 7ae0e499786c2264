"""Answers of hooks, decoded exactly as strictly as Metacontroller decodes them.

What is missing or null is empty: an answer ``{}`` asks for all children to be deleted. In strict mode an unknown key, or one
that occurs twice, is an error; in loose mode it is ignored. A null among the children ends the process.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import orjson

from app.sim.metacontroller.errors import ProcessCrash, SyncError
from app.sim.metacontroller.selectors import Selector, SelectorError, label_selector

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.hooks.objects import Object


@dataclass(frozen=True, slots=True)
class SyncAnswer:
    """What sync and finalize of a composite, or of a decorator, ask for."""

    status: Object | None
    """Null and missing are the same; what they mean differs between composites (wiped) and decorators (left alone)."""
    children: list[Object]
    resync_after_seconds: float
    finalized: bool
    labels: Mapping[str, str | None]
    """Decorators only; a null removes the key."""
    annotations: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class RelatedRule:
    """One rule of a customize answer. Without any restriction, or with an empty list of names, it selects everything."""

    api_version: str
    plural: str
    namespace: str
    names: tuple[str, ...]
    labels: Selector | None
    namespaces: Selector | None
    """A selector on the labels of namespaces."""


def composite_answer(body: bytes, *, strict: bool) -> SyncAnswer:
    """The answer of a CompositeController's hook. Raises :class:`SyncError` or :class:`ProcessCrash`."""
    return _sync_answer(_Fields.read(body, {"status", "children", "resyncAfterSeconds", "finalized"}, strict=strict), "children")


def decorator_answer(body: bytes, *, strict: bool) -> SyncAnswer:
    """The answer of a DecoratorController's hook. Raises :class:`SyncError` or :class:`ProcessCrash`."""
    known = {"labels", "annotations", "status", "attachments", "resyncAfterSeconds", "finalized"}
    return _sync_answer(_Fields.read(body, known, strict=strict), "attachments")


def customize_answer(body: bytes, *, strict: bool) -> list[RelatedRule]:
    """The rules of a customize answer. Raises :class:`SyncError` or :class:`ProcessCrash`."""
    fields = _Fields.read(body, {"relatedResources"}, strict=strict)
    return [_related_rule(rule, strict=strict) for rule in fields.items("relatedResources")]


def _sync_answer(fields: _Fields, children: str) -> SyncAnswer:
    return SyncAnswer(
        status=fields.get("status", _is_object, "an object"),
        children=[_child(item) for item in fields.items(children)],
        resync_after_seconds=float(fields.get("resyncAfterSeconds", _is_number, "a number") or 0),
        finalized=bool(fields.get("finalized", _is_flag, "true or false")),
        labels=fields.get("labels", _is_text_map, "a map of strings") or {},
        annotations=fields.get("annotations", _is_text_map, "a map of strings") or {},
    )


def _child(item: Object) -> Object:
    if not isinstance(item.get("kind"), str) or not item["kind"]:
        raise SyncError(f"the answer has an object without kind: {json.dumps(item)[:200]}")
    return item


def _related_rule(rule: Object, *, strict: bool) -> RelatedRule:
    known = {"apiVersion", "resource", "labelSelector", "namespaceSelector", "namespace", "names"}
    fields = _Fields(rule, known, "a related rule", strict=strict)
    return RelatedRule(
        api_version=fields.get("apiVersion", _is_text, "a string") or "",
        plural=fields.get("resource", _is_text, "a string") or "",
        namespace=fields.get("namespace", _is_text, "a string") or "",
        names=tuple(fields.get("names", _is_texts, "a list of strings") or ()),
        labels=_selector(fields.get("labelSelector", _is_object, "an object"), strict=strict),
        namespaces=_selector(fields.get("namespaceSelector", _is_object, "an object"), strict=strict),
    )


def _selector(selector: Object | None, *, strict: bool) -> Selector | None:
    """The selector; in loose mode a misshapen one, such as ``{app: web}``, has no requirement left and selects everything."""
    if selector is None:
        return None
    _Fields(selector, {"matchLabels", "matchExpressions"}, "a selector", strict=strict)
    try:
        return label_selector(selector)
    except SelectorError as error:
        raise SyncError(f"the answer has a selector that can't be read: {error}") from error


class _Fields:
    """The top level of an answer, or of a rule in one."""

    def __init__(self, values: Object, known: set[str], what: str, *, strict: bool) -> None:
        unknown = sorted(values.keys() - known)
        if strict and unknown:
            raise SyncError(f"{what} has unknown fields: {', '.join(unknown)}; known are {', '.join(sorted(known))}")
        self._values = values

    @classmethod
    def read(cls, body: bytes, known: set[str], *, strict: bool) -> _Fields:
        try:
            values = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            raise SyncError(f"the answer is no JSON: {error}") from error
        if values is not None and not isinstance(values, dict):
            raise SyncError(f"the answer must be a JSON object, not {type(values).__name__}")
        if strict:
            _refuse_repeated_keys(body)
        return cls(cast("Object", values or {}), known, "the answer", strict=strict)

    def get(self, name: str, fits: Callable[[Any], bool], wanted: str) -> Any:
        value = self._values.get(name)
        if value is not None and not fits(value):
            raise SyncError(f"{name} must be {wanted}, not {json.dumps(value)[:200]}")
        return value

    def items(self, name: str) -> list[Object]:
        items = cast("list[Any]", self.get(name, _is_list, "a list") or [])
        if None in items:
            raise ProcessCrash(f"{name} holds a null, which ends Metacontroller's process")
        for item in items:
            if not isinstance(item, dict):
                raise SyncError(f"{name} must hold objects only, not {json.dumps(item)[:200]}")
        return cast("list[Object]", items)


class _Noted(dict[str, Any]):
    """A JSON object that remembers which of its keys came more than once."""

    repeated: tuple[str, ...] = ()


def _refuse_repeated_keys(body: bytes) -> None:
    """Inside a child a repeated key goes unnoticed; anywhere else it is an error."""
    answer = json.loads(body, object_pairs_hook=_noted)
    if isinstance(answer, _Noted):
        outside = (answer, *(answer.get(name) for name in ("status", "labels", "annotations")))
        repeated = sorted(key for part in outside for key in _repeated(part, deep=part is not answer))
        if repeated:
            raise SyncError(f"the answer repeats the keys {', '.join(repeated)}")


def _noted(pairs: list[tuple[str, Any]]) -> _Noted:
    noted = _Noted(pairs)
    if len(noted) != len(pairs):
        names = [name for name, _ in pairs]
        noted.repeated = tuple(sorted({name for name in names if names.count(name) > 1}))
    return noted


def _repeated(value: Any, *, deep: bool) -> list[str]:
    if isinstance(value, _Noted):
        inner = [key for one in value.values() for key in _repeated(one, deep=True)] if deep else []
        return [*value.repeated, *inner]
    if isinstance(value, list) and deep:
        return [key for one in cast("list[Any]", value) for key in _repeated(one, deep=True)]
    return []


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in cast("list[Any]", value))


def _is_text_map(value: Any) -> bool:
    return isinstance(value, dict) and all(one is None or isinstance(one, str) for one in cast("Object", value).values())
