"""LiteLLMBudget: a tier of limits that customers can share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.apis.litellm.budget import LITELLM_BUDGET, LiteLLMBudgetSpec
from app.controllers.entities.controller import entity_controller
from app.controllers.entities.kind import Aim, EntityKind
from app.controllers.entities.shared_rows import older_first
from app.litellm.entities.budget import Budget, budget_fields

if TYPE_CHECKING:
    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object


async def _aim(setting: Setting[LiteLLMBudgetSpec]) -> Aim:
    # A budget has no mark, so with its status its maker is forgotten: it then counts as adopted, whoever named it.
    wanted = setting.wanted(budget_fields(setting.spec), adopting=True, licensed=("model_max_budget",))
    return Aim(wanted=wanted, conditions=setting.id_change)


async def _prepare(setting: Setting[LiteLLMBudgetSpec], aim: Aim) -> Object:
    await older_first(BUDGET, setting, aim.wanted.id)
    return {}


BUDGET = EntityKind(
    resource=LITELLM_BUDGET,
    spec=LiteLLMBudgetSpec,
    entity=Budget(),
    id_field="litellmBudgetId",
    chosen_id=lambda spec, name: spec.budget_id or name,
    aim=_aim,
    prepare=_prepare,
)

LITELLM_BUDGETS = entity_controller(BUDGET)
