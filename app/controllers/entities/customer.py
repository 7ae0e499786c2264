"""LiteLLMCustomer: an end user of an application, who has no key of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic.alias_generators import to_camel

from app.apis.litellm.customer import LITELLM_CUSTOMER, LiteLLMCustomerSpec
from app.controllers.entities import permissions
from app.controllers.entities.controller import entity_controller
from app.controllers.entities.kind import Aim, EntityKind, Followed
from app.controllers.entities.settling import look, settle
from app.controllers.entities.shared_rows import older_first
from app.controllers.entities.unsettled import Unsettled, reference_not_ready
from app.litellm.entities.amounts import number
from app.litellm.entities.budget import Budget
from app.litellm.entities.customer import (
    BUDGET,
    LIMITS,
    Customer,
    customer_fields,
    customer_limits,
    knows_models,
    own_budget,
)
from app.litellm.entities.entity import Wanted
from app.litellm.entities.permission import PERMISSION
from app.status import resync
from app.status.entity.reasons import FIELDS_IGNORED, INVALID_SPEC

if TYPE_CHECKING:
    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Plan
    from app.status.reason import Condition


async def _aim(setting: Setting[LiteLLMCustomerSpec]) -> Aim:
    spec = setting.spec
    limits = customer_limits(spec)
    if limits and spec.budget_id:
        own = ", ".join(f"spec.{to_camel(name)}" for name in limits)
        message = f"spec.budgetId sets the limits of this customer: take it out of the spec, or {own}"
        raise Unsettled(INVALID_SPEC, message, resync.NEVER)
    fields = customer_fields(spec)
    fields[PERMISSION] = permissions.object_permission(setting, spec.object_permission)
    wanted = setting.wanted(fields)
    if not spec.budget_id and (limits or BUDGET in setting.before.sent):
        # No customer is cut off from a budget. So limits that leave the spec leave the budget, and a tier makes way for it.
        wanted = replace(wanted, fields={**wanted.fields, BUDGET: own_budget(wanted.id)})
    return Aim(wanted=wanted, beyond=limits, compared=limits, conditions=setting.id_change)


async def _prepare(setting: Setting[LiteLLMCustomerSpec], aim: Aim) -> Object:
    """The budget that the customer refers to."""
    wanted, admin = aim.wanted, setting.link.admin
    await older_first(CUSTOMER, setting, wanted.id)
    budget = wanted.fields.get(BUDGET)
    if budget is not None and budget == own_budget(wanted.id):
        own = Wanted(id=budget, fields=aim.beyond, owner=wanted.owner, bound=True, sent=frozenset(LIMITS))
        await settle(admin, Budget(), own)
    elif budget is not None and await look(admin, Budget(), budget) is None:
        raise reference_not_ready(f"LiteLLM has no budget {budget} (spec.budgetId): create a LiteLLMBudget with that id")
    return {}


async def _follow_up(setting: Setting[LiteLLMCustomerSpec], aim: Aim, _: Plan) -> Followed:
    row = await look(setting.link.admin, CUSTOMER.entity, aim.wanted.id) or {}
    fields: Object = {"currentSpend": number(row.get("spend")), "blocked": row.get("blocked") is True}
    return Followed(fields=fields, conditions=_ignored(setting.spec, row))


def _ignored(spec: LiteLLMCustomerSpec, row: Object) -> tuple[Condition, ...]:
    names = ["spec.models"] if spec.models and not knows_models(row) else []
    names += ["spec.metadata"] if spec.metadata else []
    if not names:
        return ()
    return (FIELDS_IGNORED.because(f"this LiteLLM keeps no such thing for customers: {' and '.join(names)} has no effect"),)


def _made_upstream(status: Object) -> bool:
    return status.get("synced") is True and "syncHash" not in status


CUSTOMER = EntityKind(
    resource=LITELLM_CUSTOMER,
    spec=LiteLLMCustomerSpec,
    entity=Customer(),
    id_field="litellmCustomerId",
    chosen_id=lambda spec, _: spec.customer_id,
    aim=_aim,
    names=permissions.names,
    related=permissions.RELATED,
    prepare=_prepare,
    follow_up=_follow_up,
    told_by_calls=frozenset({FIELDS_IGNORED.type}),
    made_upstream=_made_upstream,
    spent=number,
)

LITELLM_CUSTOMERS = entity_controller(CUSTOMER)
