"""LiteLLMCustomer: an end user in a row that holds no mark, and that no update empties."""

from __future__ import annotations

import pytest

from app.sim.fake_litellm import FakeLiteLLM
from tests.unit.entities.world import KEY, World
from tests.unit.litellm.virtual_time import run

KIND = "LiteLLMCustomer"


def test_a_customer_is_created_once_and_then_left_alone() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "acme", customerId="c-1", alias="Acme", maxBudget=0, tpmLimit=100)
        first = await world.sync(KIND, "acme")
        assert world.rows("customers")["c-1"]["alias"] == "Acme"
        assert world.rows("budgets")["budget-of-c-1"] == {"budget_id": "budget-of-c-1", "max_budget": 0.0, "tpm_limit": 100}
        world.forget_calls()
        assert await world.sync(KIND, "acme") == first
        assert world.proxy.admin_calls == []
        assert world.condition(KIND, "acme") == ("True", "Synced")

    run(scenario())


def test_limits_change_and_go_in_the_customers_own_budget() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "acme", customerId="c-1", maxBudget=5, tpmLimit=100)
        await world.sync(KIND, "acme")
        world.rows("customers")["c-1"]["spend"] = 3.0
        world.entity(KIND, "acme", customerId="c-1", maxBudget=0)
        await world.sync(KIND, "acme")
        assert world.rows("budgets")["budget-of-c-1"] == {"budget_id": "budget-of-c-1", "max_budget": 0.0, "tpm_limit": None}
        assert world.rows("customers")["c-1"]["spend"] == 3.0
        assert world.condition(KIND, "acme") == ("True", "Synced")

    run(scenario())


def test_a_shared_tier_is_never_written_for_one_of_its_customers() -> None:
    async def scenario() -> None:
        world = World()
        world.rows("budgets")["gold"] = {"budget_id": "gold", "max_budget": 9.0}
        world.entity(KIND, "acme", customerId="c-1", budgetId="gold")
        await world.sync(KIND, "acme")
        world.entity(KIND, "acme", customerId="c-1", maxBudget=1)
        await world.sync(KIND, "acme")
        assert world.rows("budgets")["gold"] == {"budget_id": "gold", "max_budget": 9.0}

    run(scenario())


def test_what_no_update_takes_back_is_made_anew_unless_spend_would_be_lost() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "acme", customerId="c-1", alias="Acme", defaultModel="small")
        await world.sync(KIND, "acme")
        world.entity(KIND, "acme", customerId="c-1", alias="Acme")
        await world.sync(KIND, "acme")
        assert world.rows("customers")["c-1"]["default_model"] is None
        world.rows("customers")["c-1"]["spend"] = 2.5
        world.entity(KIND, "acme", customerId="c-1")
        await world.sync(KIND, "acme")
        assert world.rows("customers")["c-1"]["spend"] == 2.5
        assert world.condition(KIND, "acme", "FieldsCleared") == ("False", "CannotClear")
        assert "alias" in world.message(KIND, "acme", "FieldsCleared")
        world.entity(KIND, "acme", customerId="c-1", defaultModel="large")
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme", "FieldsCleared") == ("False", "CannotClear")
        world.entity(KIND, "acme", customerId="c-1", defaultModel="large", alias="Acme & Co")
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme", "FieldsCleared") == ("", "")

    run(scenario())


@pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])
def test_a_customer_is_unblocked(version: str) -> None:
    async def scenario() -> None:
        world = World(proxy=FakeLiteLLM(version=version, master_key=KEY))
        world.entity(KIND, "acme", customerId="c-1", blocked=True)
        await world.sync(KIND, "acme")
        world.entity(KIND, "acme", customerId="c-1", blocked=False)
        status = await world.sync(KIND, "acme")
        assert world.rows("customers")["c-1"]["blocked"] is False
        assert status["blocked"] is False

    run(scenario())


def test_a_tier_beside_limits_is_told_before_litellm_refuses_it() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "acme", customerId="c-1", budgetId="gold", maxBudget=1)
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme") == ("False", "SyncFailed")
        assert "budgetId" in world.message(KIND, "acme")
        assert world.proxy.admin_calls == []

    run(scenario())


def test_fields_without_a_place_in_litellm_are_told() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "acme", customerId="c-1", models=["a"], metadata={"a": "b"})
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme") == ("True", "Synced")
        assert world.condition(KIND, "acme", "FieldsApplied") == ("False", "FieldsIgnored")
        message = world.message(KIND, "acme", "FieldsApplied")
        assert "spec.models" in message
        assert "spec.metadata" in message

    run(scenario())


def test_a_customer_that_requests_made_is_adopted_and_survives() -> None:
    async def scenario() -> None:
        world = World()
        world.rows("customers")["c-1"] = {"user_id": "c-1", "blocked": False, "spend": 4.0, "alias": None, "budget_id": None}
        world.entity(KIND, "acme", customerId="c-1", alias="Acme")
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme", "Adopted") == ("True", "ExistedBefore")
        assert await world.finalize(KIND, "acme")
        assert world.rows("customers")["c-1"]["alias"] == "Acme"

    run(scenario())


def test_of_two_objects_with_one_id_the_older_has_the_customer() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "zeta", customerId="c-1", alias="first")
        world.entity(KIND, "alpha", customerId="c-1", alias="second")
        await world.sync(KIND, "alpha")
        await world.sync(KIND, "zeta")
        assert world.condition(KIND, "zeta") == ("True", "Synced")
        assert world.condition(KIND, "alpha") == ("False", "Conflict")
        assert world.rows("customers")["c-1"]["alias"] == "first"

    run(scenario())


def test_a_customer_of_the_go_operator_is_ours_and_goes_with_its_object() -> None:
    async def scenario() -> None:
        world = World()
        world.rows("customers")["c-1"] = {"user_id": "c-1", "blocked": False, "spend": 0.0, "alias": "old", "budget_id": None}
        item = world.entity(KIND, "acme", customerId="c-1", alias="new")
        item["status"] = {"synced": True}
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme", "Adopted") == ("", "")
        assert await world.finalize(KIND, "acme")
        assert world.rows("customers") == {}

    run(scenario())
