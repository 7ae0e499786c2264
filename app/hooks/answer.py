"""The bytes of an answer, in Metacontroller's version 2 strict form, or no answer at all.

Each child is serialised once; its size and, in the steady state, the verdict of the guard come from those bytes. Children
are ordered by kind and key, so that the same facts give the same bytes. A breach is an
:class:`~app.hooks.errors.AnswerRefused`: the parent then keeps what it has.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import orjson

from app.hooks.digests import Digests, digest
from app.hooks.errors import AnswerRefused
from app.hooks.guard import (
    Breach,
    Place,
    child_label,
    content_breaches,
    place_breaches,
    size_breaches,
    status_breaches,
)
from app.hooks.names import label_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.hooks.controller import ChildRule, CompositeController, Controller, DecoratorController
    from app.hooks.objects import Object, Resource
    from app.hooks.request import CustomizeRequest, SyncRequest
    from app.hooks.response import CustomizeResponse, DecoratorResponse, RelatedRule, Retained, SyncResponse

_STRICT = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
_NAMED_BREACHES = 3


class Clean:
    """JSON that the guard found nothing wrong with where it was to go, so that unchanged children are not walked again."""

    def __init__(self) -> None:
        self._clean = Digests(limit=16_384)

    def breaches(self, body: bytes, judge: Callable[[], list[Breach]], where: bytes = b"") -> list[Breach]:
        """What ``judge`` finds, unless it found nothing in the same bytes before. ``where`` is what else it looks at."""
        key = digest(where + body)
        if key in self._clean:
            return []
        found = judge()
        if not found:
            self._clean.add(key)
        return found


def composite_answer(controller: CompositeController[Any], clean: Clean) -> Callable[[SyncRequest, SyncResponse], bytes]:
    """The writer of a composite's sync and finalize answers."""
    declared = _by_key(controller.children)

    def write(request: SyncRequest, response: SyncResponse) -> bytes:
        place = Place(request.namespace, declared, request.watched(declared))
        status = _dump(response.status, "status")
        breaches = clean.breaches(status, lambda: status_breaches(response.status))
        children = _children(response.children, response.retained, place, clean, breaches)
        breaches += _timing_breaches(request, response)
        _refuse(breaches)
        return orjson.dumps(
            {
                "status": orjson.Fragment(status),
                "children": children,
                "resyncAfterSeconds": response.resync_after_seconds,
                "finalized": response.finalized,
            }
        )

    return write


def decorator_answer(controller: DecoratorController[Any], clean: Clean) -> Callable[[SyncRequest, DecoratorResponse], bytes]:
    """The writer of a decorator's sync and finalize answers; they never hold a status."""
    declared = _by_key(controller.attachments)

    def write(request: SyncRequest, response: DecoratorResponse) -> bytes:
        place = Place(request.namespace, declared, request.watched(declared))
        breaches: list[Breach] = []
        attachments = _children(response.attachments, response.retained, place, clean, breaches)
        metadata: Object = {"labels": dict(response.labels), "annotations": dict(response.annotations)}
        breaches += _decoration_breaches(metadata)
        breaches += _timing_breaches(request, response)
        _refuse(breaches)
        return orjson.dumps(
            {
                **metadata,
                "attachments": attachments,
                "resyncAfterSeconds": response.resync_after_seconds,
                "finalized": response.finalized,
            }
        )

    return write


def customize_answer(controller: Controller[Any]) -> Callable[[CustomizeRequest, CustomizeResponse], bytes]:
    """The writer of customize answers. A rule that restricts nothing is left out: it would select the whole cluster."""
    allowed = {resource.key for resource in controller.related}

    def write(request: CustomizeRequest, response: CustomizeResponse) -> bytes:
        _refuse(
            Breach("customize", rule.resource.key, problem)
            for rule in response.related
            if (problem := _rule_problem(rule, allowed))
        )
        return orjson.dumps({"relatedResources": [form for rule in response.related if (form := _rule(rule))]})

    return write


def _by_key(rules: Iterable[ChildRule]) -> dict[str, Resource]:
    return {rule.resource.key: rule.resource for rule in rules}


def _children(
    built: list[Object], retained: list[Retained], place: Place, clean: Clean, breaches: list[Breach]
) -> list[orjson.Fragment]:
    """Every child as JSON, in order; what is wrong with them is added to ``breaches``."""
    bodies: dict[str, bytes] = {}
    where = orjson.dumps((place.namespace, sorted(place.installed)))

    def answer(label: str, body: bytes) -> None:
        if label in bodies:
            breaches.append(Breach(label, "metadata.name", "is answered twice"))
        bodies[label] = body

    for child in built:
        label = child_label(child)
        body = _dump(child, label)
        breaches += clean.breaches(body, partial(_judged, child, len(body), place), where)
        answer(label, body)
    for kept in retained:
        breaches += place_breaches(kept.observed, place, retained=True)
        answer(child_label(kept.observed), kept.body)
    return [orjson.Fragment(body) for _, body in sorted(bodies.items())]


def _judged(child: Object, size: int, place: Place) -> list[Breach]:
    return place_breaches(child, place) or content_breaches(child) or size_breaches(child, size)


def _dump(value: object, label: str) -> bytes:
    try:
        return orjson.dumps(value, option=_STRICT)
    except TypeError as error:
        raise AnswerRefused(f"{label} is no JSON: {error}") from None


def _timing_breaches(request: SyncRequest, response: SyncResponse | DecoratorResponse) -> list[Breach]:
    breaches: list[Breach] = []
    if not math.isfinite(response.resync_after_seconds) or response.resync_after_seconds < 0:
        breaches.append(Breach("answer", "resyncAfterSeconds", "must be a number of seconds, 0 or more"))
    if response.finalized and not request.finalizing:
        # Metacontroller would remove its finalizer and add it again, many times a second.
        breaches.append(Breach("answer", "finalized", "is for finalize only"))
    return breaches


def _decoration_breaches(metadata: Object) -> list[Breach]:
    kept = {field: {key: value for key, value in entries.items() if value is not None} for field, entries in metadata.items()}
    return [Breach("answer", field, problem) for field, problem in label_problems(kept)]


def _rule_problem(rule: RelatedRule, allowed: set[str]) -> str:
    if rule.resource.key not in allowed:
        return "is not among the controller's related resources"
    if rule.names and rule.match_labels:
        return "names and match_labels exclude each other"
    return ""


def _rule(rule: RelatedRule) -> Object:
    """One rule as Metacontroller reads it; empty if it restricts nothing."""
    form: Object = {"apiVersion": rule.resource.api_version, "resource": rule.resource.plural}
    if rule.namespace:
        form["namespace"] = rule.namespace
    if rule.names:
        return {**form, "names": list(rule.names)}
    if rule.match_labels:
        return {**form, "labelSelector": {"matchLabels": dict(rule.match_labels)}}
    return form if rule.whole_namespace and rule.namespace else {}


def _refuse(breaches: Iterable[Breach]) -> None:
    found = list(breaches)
    if found:
        named = "; ".join(str(breach) for breach in found[:_NAMED_BREACHES])
        more = f"; and {len(found) - _NAMED_BREACHES} more" if len(found) > _NAMED_BREACHES else ""
        raise AnswerRefused(f"the answer breaks the contract and was not sent: {named}{more}")
