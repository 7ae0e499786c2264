"""A budget in LiteLLM: limits under an id. It keeps no metadata, so nothing in it can say whose it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.litellm.admin.calls import Call
from app.litellm.entities.entity import Entity, Update
from app.litellm.entities.listing import Page, picked, rows_of

if TYPE_CHECKING:
    from app.apis.litellm.budget import LiteLLMBudgetSpec
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Wanted
    from app.litellm.entities.ownership import Mark


_FIELDS = (
    "max_budget",
    "soft_budget",
    "budget_duration",
    "tpm_limit",
    "rpm_limit",
    "max_parallel_requests",
    "model_max_budget",
)

PERIOD = "30d"
"""Of a limit for a model without a ``budgetDuration``: LiteLLM counts nothing for a model without a period."""


def budget_fields(spec: LiteLLMBudgetSpec) -> Object:
    """What LiteLLM is told of a budget."""
    period = spec.budget_duration or PERIOD
    by_model = {model: {"budget_limit": limit, "time_period": period} for model, limit in (spec.model_max_budget or {}).items()}
    return {**{name: getattr(spec, name) for name in _FIELDS}, "model_max_budget": by_model}


class Budget(Entity):
    """``/budget/*``. Null clears every field."""

    noun = "budget"
    marked = False

    def read(self, object_id: str) -> Call:
        """A list with the budget, or an empty one."""
        return Call("POST", "/budget/info", body={"budgets": [object_id]})

    def row(self, object_id: str, answer: Any) -> Object | None:
        """The budget of that id in the list."""
        return next((row for row in rows_of(answer) if row.get("budget_id") == object_id), None)

    def tells_absence(self, answer: Any) -> bool:
        """A list without it."""
        return True

    def create(self, wanted: Wanted, mark: Mark) -> Call:
        """A new budget. One that exists is refused, with 400 or, before 1.108, with 500."""
        return Call("POST", "/budget/new", body={"budget_id": wanted.id, **wanted.fields})

    def update(
        self,
        wanted: Wanted,
        mark: Mark,
        row: Object,
        dropped: frozenset[str],
    ) -> Update:
        """Answers 200 for a budget that does not exist: whoever calls has looked."""
        body = {"budget_id": wanted.id, **wanted.fields, **dict.fromkeys(sorted(dropped))}
        return Update((Call("POST", "/budget/update", body=body),))

    def delete(self, object_id: str) -> Call:
        """Also of one that customers use: they are without one afterwards."""
        return Call("POST", "/budget/delete", body={"id": object_id})

    def listing(self, page: int) -> Call:
        """All of them at once, with those that LiteLLM made for keys, customers and members."""
        return Call("GET", "/budget/list")

    def listed(self, answer: Any, page: int) -> Page:
        """A bare list."""
        return Page(rows_of(answer))

    def id_of(self, row: Object) -> str:
        """The id that was chosen."""
        return str(row.get("budget_id") or "")

    def comparable(self, row: Object) -> Object:
        """Everything that the row has."""
        return picked(row, _FIELDS)
