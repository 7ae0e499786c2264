"""A customer in LiteLLM: an end user under an id that requests name. It keeps no metadata, so nothing in it says whose it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.litellm.admin.calls import Call
from app.litellm.entities.entity import Entity, Update
from app.litellm.entities.listing import PAGE_SIZE, Page, picked, rows_of

if TYPE_CHECKING:
    from app.apis.litellm.customer import LiteLLMCustomerSpec
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Wanted
    from app.litellm.entities.ownership import Mark

LIMITS = ("max_budget", "budget_duration", "tpm_limit", "rpm_limit")
"""What LiteLLM keeps in a budget of the customer's own."""


def customer_fields(spec: LiteLLMCustomerSpec) -> Object:
    """What LiteLLM is told of a customer, without permissions."""
    return {
        "alias": spec.alias,
        "max_budget": spec.max_budget,
        "budget_duration": spec.budget_duration,
        "budget_id": spec.budget_id,
        "tpm_limit": spec.tpm_limit,
        "rpm_limit": spec.rpm_limit,
        "allowed_model_region": spec.allowed_model_region,
        "default_model": spec.default_model,
        "blocked": spec.blocked,
    }


class Customer(Entity):
    """``/customer/*``. An update takes no null, no 0 and, before 1.108, no false."""

    noun = "customer"
    marked = False

    def read(self, object_id: str) -> Call:
        """404 for one that does not exist."""
        return Call("GET", "/customer/info", query={"end_user_id": object_id})

    def row(self, object_id: str, answer: Any) -> Object | None:
        """The answer itself."""
        row = cast("Object", answer) if isinstance(answer, dict) else {}
        return row if row.get("user_id") == object_id else None

    def create(self, wanted: Wanted, mark: Mark) -> Call:
        """A new customer. One that exists is refused with 400: requests make customers, too."""
        return Call("POST", "/customer/new", body={"user_id": wanted.id, **wanted.fields})

    def update(self, wanted: Wanted, mark: Mark, row: Object, dropped: frozenset[str]) -> Update:
        """Limits go to the customer's own budget. What cannot be taken back is made again, unless that would lose its spend."""
        own_budget = _own_budget(wanted, row)
        limits = {name: wanted.fields[name] for name in LIMITS if name in wanted.fields}
        lost = dropped & set(LIMITS)
        rest = {name: value for name, value in wanted.fields.items() if name not in LIMITS}
        stuck = {name for name in dropped if name not in LIMITS and name != "blocked"}
        if _stays_blocked(wanted, row):
            stuck.add("blocked")
        if own_budget is None:
            # Without a budget of its own it gets one by its max_budget alone, and none by 0.
            stuck.update(lost, (name for name, value in limits.items() if name != "max_budget" or not value))
        if stuck and not row.get("spend"):
            return Update((self.delete(wanted.id), self.create(wanted, mark)), remade=True)
        calls: list[Call] = []
        if own_budget is not None and (limits or lost):
            body = {"budget_id": own_budget, **limits, **dict.fromkeys(sorted(lost))}
            calls.append(Call("POST", "/budget/update", body=body))
        elif limits:
            rest |= {"max_budget": limits["max_budget"]} if limits.get("max_budget") else {}
        if "blocked" in dropped:
            rest["blocked"] = False
        calls.append(Call("POST", "/customer/update", body={"user_id": wanted.id, **rest}))
        return Update(tuple(calls), tuple(sorted(stuck)))

    def delete(self, object_id: str) -> Call:
        """404 for one that is gone."""
        return Call("POST", "/customer/delete", body={"user_ids": [object_id]})

    def listing(self, page: int) -> Call:
        """Paged from 1.110 on; older releases answer all of them, whatever the page."""
        return Call("GET", "/customer/list", query={"page": page, "page_size": PAGE_SIZE})

    def listed(self, answer: Any, page: int) -> Page:
        """A bare list without a total: a page that is not full is the last one."""
        rows = rows_of(answer)
        return Page(rows, len(rows) == PAGE_SIZE)

    def id_of(self, row: Object) -> str:
        """The id that requests name."""
        return str(row.get("user_id") or "")

    def comparable(self, row: Object) -> Object:
        """The row's own, and what its budget says."""
        budget: Any = row.get("litellm_budget_table")
        limits = picked(budget, (*LIMITS, "budget_id"))
        return {**picked(row, ("alias", "allowed_model_region", "default_model", "blocked")), **limits}


def _own_budget(wanted: Wanted, row: Object) -> str | None:
    """The id of the budget that LiteLLM made for the limits of this very customer; nothing for a tier that others share."""
    if "budget_id" in wanted.sent or "budget_id" in wanted.fields:
        return None
    budget: Any = row.get("litellm_budget_table")
    found: Any = cast("Object", budget).get("budget_id") if isinstance(budget, dict) else None
    # Of a customer that others made, the budget may be a tier: only limits that we sent are known to be its own.
    return found if isinstance(found, str) and wanted.sent & set(LIMITS) else None


def _stays_blocked(wanted: Wanted, row: Object) -> bool:
    """Whether the customer is blocked and is not to be: releases before 1.108 do not take that back."""
    return row.get("blocked") is True and wanted.fields.get("blocked") is not True and "blocked" in wanted.sent
