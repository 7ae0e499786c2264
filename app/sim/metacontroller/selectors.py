"""Label selectors of Kubernetes: ``matchLabels`` and ``matchExpressions``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from app.hooks.objects import Object

Selector = Callable[[Mapping[str, str]], bool]


class SelectorError(Exception):
    """The selector can't be read."""


def everything(_: Mapping[str, str]) -> bool:
    """The selector that selects all, which is also what an empty one does."""
    return True


def label_selector(selector: Object | None) -> Selector:
    """The predicate of a LabelSelector; nothing selects everything. Raises :class:`SelectorError`."""
    if not selector:
        return everything
    wanted = cast("dict[str, str]", selector.get("matchLabels") or {})
    if not is_text_map(wanted):
        raise SelectorError(f"matchLabels must be a map of strings, not {wanted!r}")
    expressions = cast("list[Object]", selector.get("matchExpressions") or [])
    requirements = [_equals(key, value) for key, value in wanted.items()] + [_requirement(one) for one in expressions]
    return lambda labels: all(meets(labels) for meets in requirements)


def labels_of(item: Object) -> Mapping[str, str]:
    """The labels of an object, empty where it has none."""
    return item["metadata"].get("labels") or {}


def is_text_map(value: object) -> bool:
    """Whether a value can be labels at all: a map of strings."""
    return isinstance(value, dict) and all(isinstance(one, str) for one in cast("dict[str, object]", value).values())


def _equals(key: str, value: str) -> Selector:
    return lambda labels: labels.get(key) == value


def _requirement(expression: Object) -> Selector:
    key, operator = str(expression.get("key", "")), expression.get("operator")
    values = cast("list[str]", expression.get("values") or [])
    if operator == "In":
        return lambda labels: labels.get(key) in values
    if operator == "NotIn":
        return lambda labels: labels.get(key) not in values
    if operator == "Exists":
        return lambda labels: key in labels
    if operator == "DoesNotExist":
        return lambda labels: key not in labels
    raise SelectorError(f"matchExpressions: {operator!r} is no operator; use In, NotIn, Exists or DoesNotExist")
