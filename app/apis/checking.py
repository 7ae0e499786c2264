"""Read a spec as its model, or say what is wrong with it.

The API server checks the same before it stores an object, but an object may be older than its schema. Problems name the field
and what it takes, never the value: any string of a spec may hold a secret.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

import orjson
from pydantic import ValidationError

from app.apis.memo import by_content
from app.apis.section import BROKEN_RULE, Section

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic_core import ErrorDetails

    from app.hooks.objects import Object

S = TypeVar("S", bound=Section)

_SHOWN_PROBLEMS = 10
_SHOWN_KEY = 60


@dataclass(frozen=True)
class InvalidSpec:
    """Why a spec can't be read, one line a problem: ``spec.workload.endpoint: must match ^https?://…``."""

    problems: tuple[str, ...]

    @property
    def message(self) -> str:
        """All problems on one line, for a condition; a long list is cut and counted."""
        shown = "; ".join(self.problems[:_SHOWN_PROBLEMS])
        left = len(self.problems) - _SHOWN_PROBLEMS
        return f"{shown}; and {left} more" if left > 0 else shown


def check_spec(model: type[S], spec: Object | None) -> S | InvalidSpec:
    """The spec as its model with defaults applied and rules enforced, or what is wrong with it.

    The same content gives the same (frozen) model, from a memo: checking is most of what a steady hook would spend.
    """
    if spec is None:
        return InvalidSpec(("spec: required, but the object has none",))
    try:
        text = orjson.dumps(spec)
    except orjson.JSONEncodeError:
        return InvalidSpec(("spec: nested too deeply",))
    return cast("S | InvalidSpec", _checked(model)(text))


@cache
def _checked(model: type[Section]) -> Callable[[bytes], Section | InvalidSpec]:
    return by_content(partial(_check, model))


def _check(model: type[Section], text: bytes) -> Section | InvalidSpec:
    try:
        return model.model_validate(orjson.loads(text))
    except ValidationError as error:
        # Without the input: it is the user's.
        details = error.errors(include_url=False, include_input=False)
        return InvalidSpec(tuple(_problem(detail) for detail in details))


def _problem(detail: ErrorDetails) -> str:
    return f"{_path(detail['loc'])}: {_demand(detail)}"


def _path(location: tuple[int | str, ...]) -> str:
    path = "spec"
    for step in location:
        if isinstance(step, int):
            path += f"[{step}]"
        elif step != "[key]":
            path += "." + (step if len(step) <= _SHOWN_KEY else step[:_SHOWN_KEY] + "…")
    return path


_DEMANDS = {
    "missing": "required",
    "string_type": "must be a string",
    "int_type": "must be an integer",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "literal_error": "must be one of {expected}",
    "string_pattern_mismatch": "must match {pattern}",
    "string_too_long": "must have at most {max_length} characters",
    "string_too_short": "must have at least {min_length} characters",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    BROKEN_RULE: "{message}",
}
"""What each pydantic error type means, in words for whoever wrote the manifest."""


def _demand(detail: ErrorDetails) -> str:
    template = _DEMANDS.get(detail["type"])
    context: dict[str, Any] = detail.get("ctx", {})
    return template.format_map(context) if template is not None else f"is not acceptable ({detail['type']})"
