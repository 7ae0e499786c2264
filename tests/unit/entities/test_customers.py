"""LiteLLMCustomer: an end user in a row that holds no mark, and that no update empties."""

from __future__ import annotations

from typing import Any

import pytest

from app.apis.litellm.customer import LiteLLMCustomerSpec
from app.sim.fake_litellm import FakeLiteLLM, Fault
from tests.unit.entities.world import KEY, World
from tests.unit.litellm.virtual_time import run

KIND = "LiteLLMCustomer"


EVERYTHING: dict[str, Any] = {
    "customerId": "c-1",
    "alias": "Acme",
    "maxBudget": 0,
    "budgetDuration": "30d",
    "tpmLimit": 0,
    "rpmLimit": 7,
    "allowedModelRegion": "eu",
    "defaultModel": "small",
    "models": ["small"],
    "blocked": False,
    "objectPermission": {"vectorStores": ["v"], "agents": ["a"]},
}
OWN = "palena/customer/c-1"


def test_every_field_of_the_spec_reaches_litellm_once() -> None:
    async def scenario() -> None:
        world = World()
        spelled = {field.alias or name for name, field in LiteLLMCustomerSpec.model_fields.items()}
        assert spelled - {"instanceRef", "budgetId", "metadata"} == EVERYTHING.keys()
        world.entity(KIND, "acme", None, **EVERYTHING)
        first = await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme") == ("True", "Synced"), world.message(KIND, "acme")
        row = world.rows("customers")["c-1"]
        wanted = {"alias": "Acme", "allowed_model_region": "eu", "default_model": "small", "models": ["small"], "blocked": False}
        assert {name: row[name] for name in wanted} == wanted
        assert (row["object_permission"]["vector_stores"], row["object_permission"]["agents"]) == (["v"], ["a"])
        assert row["budget_id"] == OWN
        limits = {"max_budget": 0.0, "budget_duration": "30d", "tpm_limit": 0, "rpm_limit": 7}
        assert world.rows("budgets") == {OWN: {"budget_id": OWN, **limits}}
        assert (first["currentSpend"], first["blocked"], first["litellmCustomerId"]) == (0, False, "c-1")
        world.forget_calls()
        assert await world.sync(KIND, "acme") == first
        assert world.proxy.admin_calls == []

    run(scenario())


@pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])
def test_what_leaves_the_spec_leaves_litellm_and_the_spend_stays(version: str) -> None:
    async def scenario() -> None:
        world = World(proxy=FakeLiteLLM(version=version, master_key=KEY))
        world.entity(KIND, "acme", None, **{**EVERYTHING, "allowedModelRegion": None})
        await world.sync(KIND, "acme")
        row = world.rows("customers")["c-1"]
        row["spend"] = 3.0
        row["object_permission"]["agent_access_groups"] = ["theirs"]
        world.entity(KIND, "acme", customerId="c-1")
        status = await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme", "FieldsCleared") == ("", "")
        assert (row["alias"], row["default_model"], row.get("models", [])) == ("", "", [])
        permission = row["object_permission"]
        assert (permission["vector_stores"], permission["agents"], permission["agent_access_groups"]) == ([], [], ["theirs"])
        assert set(world.rows("budgets")[OWN].values()) == {OWN, None}
        assert (row["spend"], status["currentSpend"]) == (3.0, 3)

    run(scenario())


def test_a_customer_whom_requests_made_gets_limits_of_its_own_and_keeps_its_spend() -> None:
    async def scenario() -> None:
        world = World()
        world.rows("budgets")["gold"] = {"budget_id": "gold", "max_budget": 9.0}
        world.rows("customers")["c-1"] = {"user_id": "c-1", "blocked": False, "spend": 4.0, "alias": "x", "budget_id": "gold"}
        world.entity(KIND, "acme", customerId="c-1", maxBudget=0, tpmLimit=5)
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme") == ("True", "Synced")
        assert world.rows("budgets")["gold"] == {"budget_id": "gold", "max_budget": 9.0}, "others share it"
        row = world.rows("customers")["c-1"]
        assert (row["budget_id"], row["spend"], row["alias"]) == (OWN, 4.0, "x")
        assert world.rows("budgets")[OWN] == {"budget_id": OWN, "max_budget": 0.0, "tpm_limit": 5}

    run(scenario())


def test_a_shared_tier_is_never_written_for_one_of_its_customers() -> None:
    async def scenario() -> None:
        world = World()
        world.rows("budgets")["gold"] = {"budget_id": "gold", "max_budget": 9.0}
        world.entity(KIND, "acme", customerId="c-1", budgetId="gold")
        await world.sync(KIND, "acme")
        row = world.rows("customers")["c-1"]
        row["spend"] = 3.0
        for limits in ({"maxBudget": 1}, {}):
            world.entity(KIND, "acme", None, customerId="c-1", **limits)
            await world.sync(KIND, "acme")
            assert world.condition(KIND, "acme") == ("True", "Synced")
            assert (row["budget_id"], world.rows("budgets")[OWN].get("max_budget")) == (OWN, limits.get("maxBudget"))
        assert world.rows("budgets")["gold"] == {"budget_id": "gold", "max_budget": 9.0}
        assert row["spend"] == 3.0

    run(scenario())


def test_a_tier_that_litellm_does_not_have_is_waited_for() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "acme", customerId="c-1", budgetId="gold")
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme") == ("False", "ReferenceNotReady")
        assert "spec.budgetId" in world.message(KIND, "acme")
        world.rows("budgets")["gold"] = {"budget_id": "gold"}
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme") == ("True", "Synced")

    run(scenario())


def test_what_no_update_takes_back_is_made_anew_unless_spend_would_be_lost() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "acme", customerId="c-1", maxBudget=1, allowedModelRegion="eu", objectPermission={"agents": ["a"]})
        await world.sync(KIND, "acme")
        world.rows("customers")["c-1"]["default_model"] = "theirs"
        world.entity(KIND, "acme", customerId="c-1", maxBudget=1, objectPermission={"agents": ["a"]})
        await world.sync(KIND, "acme")
        row = world.rows("customers")["c-1"]
        assert (row.get("allowed_model_region"), row["default_model"], row["budget_id"]) == (None, "theirs", OWN)
        assert row["object_permission"]["agents"] == ["a"]
        world.entity(KIND, "acme", customerId="c-1", allowedModelRegion="eu")
        await world.sync(KIND, "acme")
        row["spend"] = 2.5
        world.entity(KIND, "acme", customerId="c-1")
        await world.sync(KIND, "acme")
        assert world.rows("customers")["c-1"]["spend"] == 2.5
        assert world.condition(KIND, "acme", "FieldsCleared") == ("False", "CannotClear")
        assert "allowed_model_region" in world.message(KIND, "acme", "FieldsCleared")
        world.entity(KIND, "acme", customerId="c-1", defaultModel="large")
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme", "FieldsCleared") == ("False", "CannotClear")
        world.entity(KIND, "acme", customerId="c-1", defaultModel="large", allowedModelRegion="us")
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme", "FieldsCleared") == ("", "")

    run(scenario())


@pytest.mark.parametrize(("version", "still"), [("1.81.14", True), ("1.110.2", False)])
def test_who_has_spent_something_stays_blocked_at_1_81_and_the_status_says_so(version: str, *, still: bool) -> None:
    async def scenario() -> None:
        world = World(proxy=FakeLiteLLM(version=version, master_key=KEY))
        world.entity(KIND, "acme", customerId="c-1", blocked=True)
        await world.sync(KIND, "acme")
        world.rows("customers")["c-1"]["spend"] = 2.5
        world.entity(KIND, "acme", customerId="c-1")
        status = await world.sync(KIND, "acme")
        assert (status["blocked"], status["currentSpend"]) == (still, 2.5)
        assert world.condition(KIND, "acme", "FieldsCleared") == (("False", "CannotClear") if still else ("", ""))

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
        assert world.condition(KIND, "acme") == ("False", "InvalidSpec")
        told = "spec.budgetId sets the limits of this customer: take it out of the spec, or spec.maxBudget"
        assert world.message(KIND, "acme").startswith(told)
        assert world.proxy.admin_calls == []

    run(scenario())


@pytest.mark.parametrize(("version", "named"), [("1.81.14", ["spec.models", "spec.metadata"]), ("1.110.2", ["spec.metadata"])])
def test_fields_without_a_place_in_litellm_are_told(version: str, named: list[str]) -> None:
    async def scenario() -> None:
        world = World(proxy=FakeLiteLLM(version=version, master_key=KEY))
        world.entity(KIND, "acme", customerId="c-1", models=["a"], metadata={"a": "b"})
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme") == ("True", "Synced")
        assert world.condition(KIND, "acme", "FieldsApplied") == ("False", "FieldsIgnored")
        message = world.message(KIND, "acme", "FieldsApplied")
        assert [name for name in ("spec.models", "spec.metadata") if name in message] == named

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


def test_a_customer_of_ours_goes_with_its_object_and_so_does_its_budget() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "acme", customerId="c-1", maxBudget=1)
        await world.sync(KIND, "acme")
        assert await world.finalize(KIND, "acme")
        assert world.rows("customers") == world.rows("budgets") == {}

    run(scenario())


def test_a_customer_goes_though_its_budget_is_gone_already() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "acme", customerId="c-1", maxBudget=5)
        await world.sync(KIND, "acme")
        world.proxy.faults.append(Fault("POST /budget/delete", status=404, text="Budget not found"))
        assert await world.finalize(KIND, "acme")
        assert world.rows("customers") == {}

    run(scenario())


def test_a_deletion_mark_without_a_zone_ends_the_deletion_all_the_same() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "acme", customerId="c-1")
        await world.sync(KIND, "acme")
        world.proxy.faults.append(Fault(status=0, times=99))
        world.objects[KIND, "acme"]["metadata"]["deletionTimestamp"] = "2025-12-31T23:00:00"
        assert await world.finalize(KIND, "acme")
        assert world.left_behind == [KIND]

    run(scenario())
