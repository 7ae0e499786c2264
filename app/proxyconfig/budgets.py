"""US dollars that the API takes as decimal strings, where LiteLLM needs numbers.

LiteLLM 1.81 compares what it is given with a number: a string there fails at the first request, not at the start.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.hooks.field_path import field_path
from app.proxyconfig.findings import Cause, Finding
from app.proxyconfig.table import field, map_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

_DECIMAL = re.compile(r"\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", re.ASCII)
_PROVIDERS = "routerSettings.providerBudgetConfig"


def dollars(text: str) -> float | None:
    """The number that a text stands for, or ``None`` if it stands for none."""
    number = float(text) if _DECIMAL.fullmatch(text.strip()) else float("inf")
    return number if number != float("inf") else None


def unreadable(spec: Object) -> Iterator[Finding]:
    """Every budget that is no number."""
    general = field(spec, "generalSettings.maxBudget")
    if general and dollars(general) is None:
        yield _finding("spec.generalSettings.maxBudget")
    for name, budget in map_at(spec, _PROVIDERS).items():
        if dollars(budget["budgetLimit"]) is None:
            yield _finding(field_path(f"spec.{_PROVIDERS}", name) + ".budgetLimit")


def _finding(path: str) -> Finding:
    return Finding(Cause.LEFT_OUT, path, 'is no amount of US dollars; write a decimal number such as "100.50"')
