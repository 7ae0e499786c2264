"""The Python twins of a kind's rules, callable on plain JSON: for an API server in memory where no CEL engine is at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from pydantic import ValidationError

from app.apis.section import BROKEN_RULE, Section

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.apis.custom_resource import CustomResource
    from app.apis.rules import Rule


def twins(kind: CustomResource) -> dict[str, Callable[[Any, Any], bool]]:
    """CEL text → the same decision on ``self``, plain JSON after defaulting, and ``oldSelf``, which no rule of ours reads."""
    declaring = {*models(kind.spec), *models(kind.status)}
    return {rule.cel: _on_json(model, rule) for model in declaring for rule in model.own_rules()}


def models(model: type[Section]) -> Iterator[type[Section]]:
    """A model and all those that its fields are made of; one that is used twice comes twice."""
    yield model
    for field in model.model_fields.values():
        yield from _within(field.annotation)


def _within(annotation: Any) -> Iterator[type[Section]]:
    if isinstance(annotation, type) and issubclass(annotation, Section):
        yield from models(annotation)
    for argument in get_args(annotation):
        yield from _within(argument)


def _on_json(model: type[Section], rule: Rule[Any]) -> Callable[[Any, Any], bool]:
    def holds(value: Any, _old: Any = None) -> bool:
        try:
            model.model_validate(value)
        except ValidationError as error:
            broken = [detail["msg"] for detail in error.errors() if detail["type"] == BROKEN_RULE and not detail["loc"]]
            return rule.message not in broken
        return True

    return holds
