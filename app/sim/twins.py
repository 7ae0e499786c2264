"""The rules of our kinds for an API server in memory: CEL where it is at hand, and else each rule's Python twin.

A twin reads its section through the model, which enforces rules itself; so it holds unless the model names this rule. Where a
section below is broken as well, only that is told: the API server would tell both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast, get_args

from pydantic import ValidationError

from app.apis.section import BROKEN_RULE, Section
from app.sim.cel import Engine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.apis.custom_resource import CustomResource
    from app.apis.rules import Rule
    from app.sim.cel import Twin


def rule_engine(kinds: Iterable[CustomResource]) -> Engine:
    """An engine for the rules of these kinds, with or without CEL at hand."""
    return Engine({rule: twin for kind in kinds for rule, twin in twins(kind).items()})


def twins(kind: CustomResource) -> dict[str, Twin]:
    """The twins of a kind's rules, by the text of the rule. None of our rules reads ``oldSelf``, so neither do they."""
    sections = {*_sections(kind.spec), *_sections(kind.status)}
    return {rule.cel: _twin(section, rule) for section in sections for rule in section.own_rules()}


def _twin(section: type[Section], rule: Rule[Any]) -> Twin:
    def holds(value: Any, _old: Any) -> bool:
        try:
            section.model_validate(value)
        except ValidationError as error:
            return not any(
                detail["type"] == BROKEN_RULE and not detail["loc"] and detail["msg"] == rule.message for detail in error.errors()
            )
        return True

    return holds


def _sections(section: type[Section]) -> Iterator[type[Section]]:
    """A section and all those below it; one that is used twice comes twice."""
    yield section
    for field in section.model_fields.values():
        for below in _named_in(field.annotation):
            yield from _sections(below)


def _named_in(annotation: object) -> Iterator[type[Section]]:
    if isinstance(annotation, type) and issubclass(annotation, Section):
        yield annotation
    for argument in get_args(annotation):
        yield from _named_in(cast("object", argument))
