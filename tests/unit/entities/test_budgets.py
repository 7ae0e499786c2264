"""LiteLLMBudget: limits under an id, in an object that can hold no mark of its owner."""

from __future__ import annotations

from typing import Any

from app.apis.litellm.budget import LiteLLMBudgetSpec
from app.sim.fake_litellm import Fault
from app.status.resync import TICK
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

KIND = "LiteLLMBudget"


EVERYTHING: dict[str, Any] = {
    "budgetId": "gold",
    "maxBudget": 0,
    "softBudget": 4,
    "budgetDuration": "7d",
    "tpmLimit": 0,
    "rpmLimit": 7,
    "maxParallelRequests": 3,
    "modelMaxBudget": {"gpt-4o": 2.5},
}


def test_every_field_of_the_spec_reaches_litellm() -> None:
    async def scenario() -> None:
        world = World()
        world.proxy.database.licensed = True
        spelled = {field.alias or name for name, field in LiteLLMBudgetSpec.model_fields.items()}
        assert spelled - {"instanceRef"} == EVERYTHING.keys()
        world.entity(KIND, "free", None, **EVERYTHING)
        await world.sync(KIND, "free")
        assert world.rows("budgets")["gold"] == {
            "budget_id": "gold",
            "max_budget": 0.0,
            "soft_budget": 4.0,
            "budget_duration": "7d",
            "tpm_limit": 0,
            "rpm_limit": 7,
            "max_parallel_requests": 3,
            "model_max_budget": {"gpt-4o": {"budget_limit": 2.5, "time_period": "7d"}},
        }
        world.entity(KIND, "free", budgetId="gold")
        await world.sync(KIND, "free")
        assert set(world.rows("budgets")["gold"].values()) == {"gold", None}

    run(scenario())


def test_without_a_licence_all_but_the_limits_by_model_is_there_and_that_is_told() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "free", maxBudget=5, modelMaxBudget={"gpt-4o": 2.5})
        await world.sync(KIND, "free")
        assert world.rows("budgets")["free"] == {"budget_id": "free", "max_budget": 5.0}
        assert world.condition(KIND, "free") == ("False", "EnterpriseLicenseRequired")
        assert world.comes_back_in == TICK

    run(scenario())


def test_a_budget_is_created_once_and_then_left_alone() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "free", maxBudget=5, tpmLimit=0)
        first = await world.sync(KIND, "free")
        assert world.rows("budgets") == {"free": {"budget_id": "free", "max_budget": 5.0, "tpm_limit": 0}}
        world.forget_calls()
        assert await world.sync(KIND, "free") == first
        assert world.proxy.admin_calls == []
        assert world.condition(KIND, "free") == world.condition(KIND, "free", "Synced") == ("True", "Synced")

    run(scenario())


def test_a_field_that_leaves_the_spec_is_cleared_and_one_that_was_never_in_it_is_left() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "free", maxBudget=5, tpmLimit=100)
        await world.sync(KIND, "free")
        world.rows("budgets")["free"]["soft_budget"] = 3
        world.entity(KIND, "free", maxBudget=7)
        await world.sync(KIND, "free")
        assert world.rows("budgets")["free"] == {"budget_id": "free", "max_budget": 7.0, "tpm_limit": None, "soft_budget": 3}

    run(scenario())


def test_a_budget_that_was_there_before_is_kept_in_step_and_survives_its_custom_resource() -> None:
    async def scenario() -> None:
        world = World()
        world.rows("budgets")["gold"] = {"budget_id": "gold", "max_budget": 1.0, "rpm_limit": 9}
        world.entity(KIND, "mine", budgetId="gold", maxBudget=2)
        await world.sync(KIND, "mine")
        assert world.condition(KIND, "mine", "Adopted") == ("True", "ExistedBefore")
        assert await world.finalize(KIND, "mine")
        assert world.rows("budgets") == {"gold": {"budget_id": "gold", "max_budget": 2.0, "rpm_limit": 9}}

    run(scenario())


def test_a_budget_of_ours_goes_with_its_custom_resource() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "free", maxBudget=5)
        await world.sync(KIND, "free")
        assert await world.finalize(KIND, "free")
        assert world.rows("budgets") == {}

    run(scenario())


def test_a_creation_whose_answer_was_lost_is_found_again_and_not_taken_for_somebody_elses() -> None:
    async def scenario() -> None:
        world = World()
        world.proxy.faults.append(Fault("POST /budget/new", status=0, after=True))
        world.entity(KIND, "free", maxBudget=5)
        await world.sync(KIND, "free")
        assert world.condition(KIND, "free") == ("False", "ProxyUnavailable")
        await world.sync(KIND, "free")
        assert world.condition(KIND, "free") == ("True", "Synced")
        assert list(world.rows("budgets")) == ["free"]
        assert await world.finalize(KIND, "free")
        assert world.rows("budgets") == {}

    run(scenario())


def test_a_creation_that_took_place_though_litellm_answered_with_a_fault_is_ours() -> None:
    async def scenario() -> None:
        world = World()
        world.proxy.faults.append(Fault("POST /budget/new", after=True))
        world.entity(KIND, "free", maxBudget=5)
        await world.sync(KIND, "free")
        assert world.condition(KIND, "free") == ("True", "Synced")
        assert world.condition(KIND, "free", "Adopted") == ("", "")
        assert await world.finalize(KIND, "free")
        assert world.rows("budgets") == {}

    run(scenario())


def test_a_dead_proxy_holds_a_deletion_for_two_minutes_and_no_longer() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "free", maxBudget=5)
        await world.sync(KIND, "free")
        world.proxy.faults.append(Fault(status=0, times=99))
        assert not await world.finalize(KIND, "free", seconds_ago=100)
        assert world.condition(KIND, "free") == ("False", "DeletionPending")
        world.objects[KIND, "free"]["metadata"]["deletionTimestamp"] = "2025-12-31T23:00:00Z"
        assert await world.finalize(KIND, "free")
        assert world.left_behind == [KIND]

    run(scenario())
