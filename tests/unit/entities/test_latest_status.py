"""Kinds that can hold no mark: a request that comes from a cache, some milliseconds behind what the sync before wrote."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from app.sim.fake_litellm import Behaviour
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object

KINDS = {
    "LiteLLMBudget": ("budgets", {"maxBudget": 5}),
    "LiteLLMCustomer": ("customers", {"customerId": "ada", "maxBudget": 5}),
}
unmarked = pytest.mark.parametrize("kind", KINDS)


async def made(kind: str) -> tuple[World, Object]:
    """A world in which one was synced, and what a cache has of it that lacks the status."""
    world = World()
    table, spec = KINDS[kind]
    world.entity(kind, "ada", None, **spec)
    cached = {**world.objects[kind, "ada"]}
    await world.sync(kind, "ada")
    assert world.rows(table)
    return world, cached


@unmarked
def test_what_the_sync_before_made_is_not_taken_for_somebody_elses(kind: str) -> None:
    async def scenario() -> None:
        world, cached = await made(kind)
        status = world.objects[kind, "ada"]["status"]
        assert await world.sync(kind, "ada", seen=cached) == status
        assert "adopted" not in status
        assert await world.finalize(kind, "ada")
        assert world.rows(KINDS[kind][0]) == {}

    run(scenario())


@unmarked
def test_its_deletion_finds_it_though_the_request_lacks_the_status(kind: str) -> None:
    async def scenario() -> None:
        world, cached = await made(kind)
        assert await world.finalize(kind, "ada", seen=cached)
        assert world.rows(KINDS[kind][0]) == {}

    run(scenario())


@unmarked
def test_what_the_sync_before_made_is_not_adopted_where_the_request_tells_of_an_attempt_that_failed(kind: str) -> None:
    async def scenario() -> None:
        world = World()
        _, spec = KINDS[kind]
        world.entity(kind, "ada", None, **spec)
        world.proxy.behaviour = Behaviour.DEAD
        await world.sync(kind, "ada")
        assert world.condition(kind, "ada")[0] == "False"
        cached = {**world.objects[kind, "ada"]}
        world.proxy.behaviour = Behaviour.NORMAL
        status = await world.sync(kind, "ada")
        assert world.condition(kind, "ada") == ("True", "Synced")
        assert await world.sync(kind, "ada", seen=cached) == status

    run(scenario())


@unmarked
def test_each_finalize_looks_whatever_the_request_tells(kind: str) -> None:
    async def scenario() -> None:
        world, _ = await made(kind)
        world.reads.clear()
        assert await world.finalize(kind, "ada")
        assert world.reads == [(kind, "ada")]

    run(scenario())


@unmarked
def test_a_second_deletion_of_what_is_gone_spares_what_another_has_made_under_its_id(kind: str) -> None:
    async def scenario() -> None:
        world = World()
        table, spec = KINDS[kind]
        spec = {**spec, "budgetId": "ada"} if kind == "LiteLLMBudget" else spec
        world.entity(kind, "first", None, **spec)
        await world.sync(kind, "first")
        cached = deepcopy(world.objects[kind, "first"])
        assert await world.finalize(kind, "first")
        world.entity(kind, "second", None, **spec)
        await world.sync(kind, "second")
        assert world.condition(kind, "second") == ("True", "Synced")
        rows = deepcopy(world.rows(table))
        assert await world.finalize(kind, "first", seen=cached)
        assert world.rows(table) == rows != {}

    run(scenario())


@unmarked
def test_the_deletion_of_a_namesake_of_before_spares_what_its_successor_has_made(kind: str) -> None:
    async def scenario() -> None:
        world, _ = await made(kind)
        rows = deepcopy(world.rows(KINDS[kind][0]))
        before = deepcopy(world.objects[kind, "ada"])
        before["metadata"]["uid"] = "another"
        assert await world.finalize(kind, "ada", seen=before)
        assert world.rows(KINDS[kind][0]) == rows != {}

    run(scenario())


def test_nothing_is_read_for_kinds_whose_objects_hold_a_mark() -> None:
    async def scenario() -> None:
        world = World()
        world.entity("LiteLLMTeam", "ada", None, teamAlias="ada")
        await world.sync("LiteLLMTeam", "ada")
        assert world.condition("LiteLLMTeam", "ada") == ("True", "Synced")
        assert world.reads == []

    run(scenario())


@unmarked
def test_a_namesake_of_before_tells_nothing(kind: str) -> None:
    async def scenario() -> None:
        world, cached = await made(kind)
        again = {**cached, "metadata": {**cached["metadata"], "uid": "another"}}
        status = await world.sync(kind, "ada", seen=again)
        assert status["adopted"] is True

    run(scenario())


@unmarked
def test_nothing_is_read_of_what_is_in_step_and_a_cluster_that_does_not_answer_is_no_obstacle(kind: str) -> None:
    async def scenario() -> None:
        world = World()
        _, spec = KINDS[kind]
        world.entity(kind, "ada", None, **spec)
        world.unreadable.add("ada")
        await world.sync(kind, "ada")
        assert world.reads == [(kind, "ada")]
        assert world.condition(kind, "ada") == ("True", "Synced")
        world.unreadable.clear()
        world.reads.clear()
        await world.sync(kind, "ada")
        assert world.reads == []
        world.entity(kind, "ada", **{**spec, "maxBudget": 6})
        await world.sync(kind, "ada")
        assert world.reads == [(kind, "ada")]

    run(scenario())
