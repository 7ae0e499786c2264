"""Entities whose instance has config sync on: what is changed or deleted in LiteLLM is put back, or told."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from app.litellm.snapshot import LISTED
from app.sim.fake_litellm import Fault
from app.status.resync import TICK
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object

BUDGET = "LiteLLMBudget"
TEAM = "LiteLLMTeam"
LISTS = len(LISTED)
"""Calls of a snapshot of a proxy that has little."""


def synced_world(**config_sync: Any) -> World:
    world = World()
    spec: Object = {"masterKey": {"autoGenerate": True}, "database": {}, "configSync": {"enabled": True, **config_sync}}
    world.instance(spec=spec)
    return world


async def later(world: World, kind: str, name: str, seconds: float = 31) -> Object:
    """The next sync of an object, by its timer."""
    await asyncio.sleep(seconds)
    return await world.sync(kind, name)


def test_without_config_sync_nothing_is_listed() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(BUDGET, "free", maxBudget=5)
        await world.sync(BUDGET, "free")
        world.rows("budgets").clear()
        world.forget_calls()
        await later(world, BUDGET, "free")
        assert world.proxy.admin_calls == []
        assert world.comes_back_in == TICK

    run(scenario())


def test_an_object_that_was_changed_in_litellm_is_put_back() -> None:
    async def scenario() -> None:
        world = synced_world()
        world.entity(TEAM, "red", teamAlias="red", maxBudgetMonthly=5, memberManagement="sso")
        before = await world.sync(TEAM, "red")
        assert 30 <= world.comes_back_in <= 33, "the interval of config sync, with its jitter"
        row = world.rows("teams")[before["litellmTeamId"]]
        row["max_budget"] = 5_000.0
        assert await later(world, TEAM, "red") == before, "it is told in no condition unless changes are audited"
        assert row["max_budget"] == 5
        assert world.changes == [(TEAM, "put_back")]

    run(scenario())


def test_a_change_that_was_put_back_is_told_where_changes_are_audited_until_the_next_look() -> None:
    async def scenario() -> None:
        world = synced_world(auditChanges=True)
        world.entity(TEAM, "red", teamAlias="red", maxBudgetMonthly=5, memberManagement="sso")
        status = await world.sync(TEAM, "red")
        world.rows("teams")[status["litellmTeamId"]] |= {"max_budget": 7.0, "team_alias": "blue"}
        await later(world, TEAM, "red")
        assert world.condition(TEAM, "red", "Drifted") == ("True", "PutBack")
        assert "max_budget, team_alias" in world.message(TEAM, "red", "Drifted")
        assert world.condition(TEAM, "red") == ("True", "Synced")
        await later(world, TEAM, "red")
        assert world.condition(TEAM, "red", "Drifted") == ("", "")

    run(scenario())


def test_an_object_that_was_deleted_in_litellm_is_made_again() -> None:
    async def scenario() -> None:
        world = synced_world()
        world.entity(BUDGET, "free", maxBudget=5)
        await world.sync(BUDGET, "free")
        world.rows("budgets").clear()
        await later(world, BUDGET, "free")
        assert world.rows("budgets")["free"]["max_budget"] == 5
        assert world.condition(BUDGET, "free", "Drifted") == ("True", "Recreated")
        assert world.changes == [(BUDGET, "recreated")]
        await later(world, BUDGET, "free")
        assert world.condition(BUDGET, "free", "Drifted") == ("", "")

    run(scenario())


@pytest.mark.parametrize("policy", ["api-wins", "manual"])
def test_a_difference_that_is_left_to_people_is_told_field_by_field(policy: str) -> None:
    async def scenario() -> None:
        world = synced_world(conflictResolution=policy)
        world.entity(TEAM, "red", teamAlias="red", metadata={"cost": "1"}, memberManagement="sso")
        status = await world.sync(TEAM, "red")
        row = world.rows("teams")[status["litellmTeamId"]]
        row["metadata"]["cost"] = "2"
        row["team_alias"] = "blue"
        world.forget_calls()
        told = await later(world, TEAM, "red")
        assert len(world.proxy.admin_calls) == LISTS, "LiteLLM is asked for lists and told nothing"
        assert world.condition(TEAM, "red") == ("True", "Synced")
        assert world.condition(TEAM, "red", "Drifted") == ("True", "LeftAsItIs")
        assert "metadata.cost, team_alias" in world.message(TEAM, "red", "Drifted")
        assert await later(world, TEAM, "red") == told
        row |= {"team_alias": "red", "metadata": {**row["metadata"], "cost": "1"}}
        await later(world, TEAM, "red")
        assert world.condition(TEAM, "red", "Drifted") == ("", "")

    run(scenario())


@pytest.mark.parametrize("policy", ["api-wins", "manual"])
def test_a_deletion_that_is_left_to_people_is_told_in_ready(policy: str) -> None:
    async def scenario() -> None:
        world = synced_world(conflictResolution=policy)
        world.entity(BUDGET, "free", maxBudget=5)
        await world.sync(BUDGET, "free")
        row = world.rows("budgets").pop("free")
        await later(world, BUDGET, "free")
        assert world.rows("budgets") == {}
        assert world.condition(BUDGET, "free") == ("False", "DeletedInLiteLLM")
        world.rows("budgets")["free"] = row
        await later(world, BUDGET, "free")
        assert world.condition(BUDGET, "free") == ("True", "Synced")

    run(scenario())


def test_a_mark_that_was_lost_is_written_again() -> None:
    async def scenario() -> None:
        world = synced_world()
        world.entity(TEAM, "red", teamAlias="red", memberManagement="sso")
        status = await world.sync(TEAM, "red")
        world.rows("teams")[status["litellmTeamId"]]["metadata"] = {}
        await later(world, TEAM, "red")
        assert world.rows("teams")[status["litellmTeamId"]]["metadata"]["palena.ai/owner"]["owner"] == "north/team/red"

    run(scenario())


def test_a_list_that_fails_makes_nothing_gone() -> None:
    async def scenario() -> None:
        world = synced_world()
        world.entity(BUDGET, "free", maxBudget=5)
        before = await world.sync(BUDGET, "free")
        world.rows("budgets").clear()
        world.proxy.faults.append(Fault("GET /budget/list", status=500))
        assert await later(world, BUDGET, "free") == before
        assert world.rows("budgets") == {}
        await later(world, BUDGET, "free")
        assert "free" in world.rows("budgets"), "the next list was whole"

    run(scenario())


def test_an_answer_that_is_no_list_makes_nothing_gone() -> None:
    async def scenario() -> None:
        world = synced_world()
        world.entity(BUDGET, "free", maxBudget=5)
        before = await world.sync(BUDGET, "free")
        world.rows("budgets").clear()
        world.proxy.faults.append(Fault("GET /budget/list", status=200, text='{"message": "come back later"}'))
        assert await later(world, BUDGET, "free") == before
        assert world.rows("budgets") == {}

    run(scenario())


def test_what_litellm_does_not_keep_is_told_and_not_pushed_with_every_look() -> None:
    async def scenario() -> None:
        world = synced_world()
        world.entity(TEAM, "red", teamAlias="red", maxBudgetMonthly=5, memberManagement="sso")
        status = await world.sync(TEAM, "red")
        row = world.rows("teams")[status["litellmTeamId"]]
        for _ in range(3):
            row["max_budget"] = 7.0
            await later(world, TEAM, "red")
        assert row["max_budget"] == 7, "the first change was put back, the same ones after it were not"
        assert world.condition(TEAM, "red", "Drifted") == ("True", "NotKept")
        await later(world, TEAM, "red", 600)
        assert row["max_budget"] == 5, "after ten minutes it is tried again"

    run(scenario())


def test_a_snapshot_from_before_the_last_push_counts_for_nothing() -> None:
    async def scenario() -> None:
        world = synced_world()
        world.entity(BUDGET, "old", maxBudget=1)
        await world.sync(BUDGET, "old")
        await later(world, BUDGET, "old")
        world.entity(BUDGET, "free", maxBudget=5)
        await world.sync(BUDGET, "free")
        world.forget_calls()
        await later(world, BUDGET, "free", 1)
        assert world.proxy.admin_calls == [], "the snapshot does not know the new budget, which is not gone for that"

    run(scenario())


def test_a_snapshot_from_the_second_of_the_last_push_may_be_from_before_it() -> None:
    """A status tells times by the second: what was begun within it does not know whether the push was first."""

    async def scenario() -> None:
        world = synced_world()
        loop = asyncio.get_running_loop()
        object.__setattr__(world.context, "now", lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=loop.time()))
        world.entity(BUDGET, "old", maxBudget=1)
        await world.sync(BUDGET, "old")
        await later(world, BUDGET, "old", 31.2)
        world.entity(BUDGET, "free", maxBudget=5)
        await asyncio.sleep(0.3)
        await world.sync(BUDGET, "free")
        world.forget_calls()
        await later(world, BUDGET, "free", 0.3)
        assert (world.proxy.admin_calls, world.changes) == ([], [])
        assert world.condition(BUDGET, "free", "Drifted") == ("", "")
        world.rows("budgets").pop("free")
        await later(world, BUDGET, "free")
        assert world.condition(BUDGET, "free", "Drifted") == ("True", "Recreated")

    run(scenario())


def test_a_model_is_given_a_minute_in_which_replicas_may_not_show_it() -> None:
    async def scenario() -> None:
        world = synced_world()
        world.entity("LiteLLMModel", "chat", modelName="chat", litellmParams={"model": "openai/gpt-4o"})
        await world.sync("LiteLLMModel", "chat")
        row = dict(world.rows("models"))
        world.rows("models").clear()
        world.forget_calls()
        await later(world, "LiteLLMModel", "chat")
        assert len(world.proxy.admin_calls) == LISTS
        world.rows("models").update(row)
        await later(world, "LiteLLMModel", "chat", 60)
        world.rows("models").clear()
        await later(world, "LiteLLMModel", "chat")
        assert world.rows("models").keys() == row.keys()

    run(scenario())


def test_spend_comes_from_the_lists_and_not_more_often_than_every_five_minutes() -> None:
    async def scenario() -> None:
        world = synced_world()
        world.entity(TEAM, "red", teamAlias="red", memberManagement="sso")
        status = await world.sync(TEAM, "red")
        row = world.rows("teams")[status["litellmTeamId"]]
        row["spend"] = 1.5
        assert (await later(world, TEAM, "red"))["currentSpend"] == 0
        assert (await later(world, TEAM, "red", 300))["currentSpend"] == 1.5
        row["spend"] = 2.5
        assert (await later(world, TEAM, "red"))["currentSpend"] == 1.5

    run(scenario())


def test_five_hundred_keys_cost_a_call_a_page_in_each_interval() -> None:
    async def scenario() -> None:
        world = synced_world()
        world.entity("LiteLLMVirtualKey", "app", keyAlias="app")
        for _ in range(2):
            await world.sync("LiteLLMVirtualKey", "app")
        token, row = next(iter(world.rows("keys").items()))
        world.rows("keys").update({f"{number:064x}": {**row, "key_alias": str(number)} for number in range(499)})
        world.forget_calls()
        for _ in range(2):
            await later(world, "LiteLLMVirtualKey", "app")
            for _ in range(20):
                await world.sync("LiteLLMVirtualKey", "app")
        pages = [call for call in world.proxy.admin_calls if call == "GET /key/list"]
        assert len(pages) == 5 * 2, "five pages in each of two intervals"
        assert len(world.proxy.admin_calls) == (LISTS - 1 + 5) * 2
        assert token in world.rows("keys")

    run(scenario())


def test_a_slow_proxy_is_listed_in_the_background() -> None:
    async def scenario() -> None:
        world = synced_world()
        world.entity(BUDGET, "free", maxBudget=5)
        await world.sync(BUDGET, "free")
        world.rows("budgets").clear()
        world.proxy.latency = 5
        await later(world, BUDGET, "free")
        assert world.rows("budgets") == {}
        assert world.comes_back_in <= 11, "it comes back for the list"
        world.proxy.latency = 0
        await later(world, BUDGET, "free", 10)
        assert "free" in world.rows("budgets")

    run(scenario())


def test_lists_that_take_longer_than_the_interval_are_read_once_at_a_time() -> None:
    async def scenario() -> None:
        world = synced_world(interval="10s")
        world.entity("LiteLLMVirtualKey", "app", keyAlias="app")
        for _ in range(2):
            await world.sync("LiteLLMVirtualKey", "app")
        row = next(iter(world.rows("keys").values()))
        world.rows("keys").update({f"{number:064x}": {**row, "key_alias": str(number)} for number in range(250)})
        world.proxy.latency = 7
        world.forget_calls()
        for _ in range(2):
            await later(world, "LiteLLMVirtualKey", "app", 11)
        assert world.proxy.admin_calls.count("GET /budget/list") == 1

    run(scenario())
