"""LiteLLMCustomer: an end user of an application, who has no key of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.apis.litellm.customer import LITELLM_CUSTOMER, LiteLLMCustomerSpec
from app.controllers.entities import permissions
from app.controllers.entities.controller import entity_controller
from app.controllers.entities.kind import Aim, EntityKind
from app.controllers.entities.shared_rows import older_first
from app.controllers.entities.unsettled import REFUSED, Unsettled
from app.litellm.entities.amounts import number
from app.litellm.entities.customer import LIMITS, Customer, customer_fields
from app.status.entity.reasons import FIELDS_IGNORED, SYNC_FAILED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object
    from app.status.reason import Condition


async def _aim(setting: Setting[LiteLLMCustomerSpec]) -> Aim:
    spec = setting.spec
    fields = customer_fields(spec)
    beside = [name for name in LIMITS if fields["budget_id"] and fields[name] is not None]
    if beside:
        message = f"spec.budgetId sets the limits of this customer: take {', '.join(beside)} or budgetId out of the spec"
        raise Unsettled(SYNC_FAILED, message, REFUSED)
    fields["object_permission"] = permissions.object_permission(setting, spec.object_permission)
    return Aim(
        wanted=setting.wanted(fields),
        fields={"blocked": spec.blocked is True},
        conditions=(*setting.id_change, *_ignored(spec)),
    )


def _ignored(spec: LiteLLMCustomerSpec) -> Iterator[Condition]:
    names = [name for name, value in (("models", spec.models), ("metadata", spec.metadata)) if value]
    if names:
        listed = " and ".join(f"spec.{name}" for name in names)
        yield FIELDS_IGNORED.because(f"LiteLLM keeps no such thing for customers: {listed} has no effect")


def _made_upstream(status: Object) -> bool:
    return status.get("synced") is True and "syncHash" not in status


async def _prepare(setting: Setting[LiteLLMCustomerSpec], aim: Aim) -> Object:
    await older_first(CUSTOMER, setting, aim.wanted.id)
    return {}


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
    made_upstream=_made_upstream,
    unmarked=True,
    spent=number,
)

LITELLM_CUSTOMERS = entity_controller(CUSTOMER)
