"""A customer in LiteLLM: an end user under an id that requests name. It keeps no metadata, so nothing in it says whose it is.

Its limits are in a budget of its own that is made here, under an id that follows from the customer's. The one that LiteLLM
makes by itself is never reset at 1.81, has no id before it is made, and cannot be told from a tier that others share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.litellm.admin.calls import Call
from app.litellm.entities.entity import Entity, Update
from app.litellm.entities.listing import PAGE_SIZE, Page, picked, rows_of
from app.litellm.entities.permission import NO_PERMISSION, PERMISSION

if TYPE_CHECKING:
    from app.apis.litellm.customer import LiteLLMCustomerSpec
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Wanted
    from app.litellm.entities.ownership import Mark

LIMITS = ("max_budget", "budget_duration", "tpm_limit", "rpm_limit")
"""What the customer's own budget holds."""

BUDGET = "budget_id"

_CLEARED: Object = {"alias": "", "default_model": "", "models": [], "blocked": False}
"""What empties a field. Nothing empties ``allowed_model_region``."""

_CARRIED = ("alias", "allowed_model_region", "default_model", "models", "blocked")
"""What a row shows of its own, and others may have set."""

_LISTS = (*NO_PERMISSION, "agent_access_groups", "models", "mcp_toolsets", "blocked_tools", "search_tools", "skills")
"""Every list of a permission on any release: an update without one of its own release's fails."""


def customer_limits(spec: LiteLLMCustomerSpec) -> Object:
    """What the customer's own budget is to hold."""
    values = (spec.max_budget, spec.budget_duration, spec.tpm_limit, spec.rpm_limit)
    return {name: value for name, value in zip(LIMITS, values, strict=True) if value is not None}


def customer_fields(spec: LiteLLMCustomerSpec) -> Object:
    """What LiteLLM is told of a customer, without limits and permissions."""
    return {
        "alias": spec.alias,
        BUDGET: spec.budget_id or None,
        "allowed_model_region": spec.allowed_model_region,
        "default_model": spec.default_model,
        "models": spec.models,
        "blocked": spec.blocked,
    }


def own_budget(customer: str) -> str:
    """The id of the budget for that customer alone."""
    return f"palena/customer/{customer}"


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
        """What no update takes back is made again, with what others have set, unless that would lose the customer's spend."""
        stuck = sorted(dropped - _CLEARED.keys() - {PERMISSION})
        if _stays_blocked(wanted, row):
            stuck.append("blocked")
        if stuck and not row.get("spend"):
            return Update((self.delete(wanted.id), _again(wanted, row, dropped)), remade=True)
        body = {**wanted.fields, **{name: value for name, value in _CLEARED.items() if name in dropped}}
        if PERMISSION in wanted.fields or PERMISSION in dropped:
            body[PERMISSION] = _whole_permission(row, wanted.fields.get(PERMISSION, {}))
        return Update((Call("POST", "/customer/update", body={"user_id": wanted.id, **body}),), tuple(stuck))

    def delete(self, object_id: str) -> Call:
        """404 for one that is gone."""
        return Call("POST", "/customer/delete", body={"user_ids": [object_id]})

    def parts(self, object_id: str) -> tuple[Call, ...]:
        """Its own budget, if it has one."""
        return (Call("POST", "/budget/delete", body={"id": own_budget(object_id)}),)

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
        limits = picked(row.get("litellm_budget_table"), (*LIMITS, BUDGET))
        return {**picked(row, _CARRIED), **limits}


def knows_models(row: Object) -> bool:
    """Whether the release keeps models for customers, as it does since 1.108. It then takes false in updates, too."""
    return "models" in row


def _stays_blocked(wanted: Wanted, row: Object) -> bool:
    """Whether the customer is blocked, is not to be, and the release does not take that back."""
    ours = "blocked" in wanted.sent or "blocked" in wanted.fields
    return ours and row.get("blocked") is True and wanted.fields.get("blocked") is not True and not knows_models(row)


def _again(wanted: Wanted, row: Object, dropped: frozenset[str]) -> Call:
    kept = {name: row[name] for name in _CARRIED if name not in dropped and row.get(name)}
    budget: Any = row.get("litellm_budget_table")
    if isinstance(budget, dict) and BUDGET not in dropped:
        kept[BUDGET] = cast("Object", budget).get(BUDGET)
    permission = {name: value for name, value in _whole_permission(row, {}, gone=PERMISSION in dropped).items() if value}
    if permission:
        kept[PERMISSION] = permission
    return Call("POST", "/customer/new", body={"user_id": wanted.id, **kept, **wanted.fields})


def _whole_permission(row: Object, own: Object, *, gone: bool = True) -> Object:
    """A permission with every list that any release knows. ``gone``: what a spec may set is not kept."""
    found: Any = row.get(PERMISSION)
    stored = cast("Object", found) if isinstance(found, dict) else {}
    lists: Object = {name: stored[name] if isinstance(stored.get(name), list) else [] for name in _LISTS}
    return {**lists, **(NO_PERMISSION if gone else {}), **own}
