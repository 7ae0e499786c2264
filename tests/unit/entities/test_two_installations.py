"""Two installations with one cluster id on one proxy, with objects of the same namespaces and names: both say so sooner or
later, neither undoes what the other does, and nobody loses a key."""

from __future__ import annotations

import asyncio
from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from app.controllers.entities.unsettled import REFUSED
from app.sim.fake_litellm import FakeLiteLLM
from tests.unit.entities.examples import EXAMPLES, KINDS, put, settled, with_what_it_needs
from tests.unit.entities.world import KEY, World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object

VIRTUAL_KEY = "LiteLLMVirtualKey"
UNMARKED = {"LiteLLMBudget", "LiteLLMCustomer"}
"""Kinds without a place for a mark."""
MARKED = tuple(kind for kind in KINDS if kind not in UNMARKED)
ADOPT = {"litellm.palena.ai/adopt": "true"}


class Elsewhere(World):
    """The same namespace in another cluster: its objects have other uids, and its keys other values."""

    def entropy(self, size: int) -> bytes:
        return bytes(255 - one for one in super().entropy(size))

    def entity(self, kind: str, name: str, /, annotations: dict[str, str] | None = None, **spec: object) -> Object:
        item = super().entity(kind, name, annotations, **spec)
        item["metadata"]["uid"] = f"elsewhere-{kind}-{name}"
        return item


def pair() -> tuple[World, World]:
    proxy = FakeLiteLLM(master_key=KEY)
    return World(proxy=proxy), Elsewhere(proxy=proxy)


async def arrives(world: World, kind: str) -> str:
    """The example of a kind with all that it needs, synced as often as a key takes; its name."""
    for one in with_what_it_needs(kind):
        put(world, one)
        for _ in range(2):
            await world.sync(one, EXAMPLES[one].name)
    return EXAMPLES[kind].name


def with_config_sync(world: World, policy: str = "crd-wins") -> None:
    """The instance compares every minute."""
    spec = world.objects["LiteLLMInstance", "gw"]["spec"]
    world.instance(spec={**spec, "configSync": {"enabled": True, "interval": "1m", "conflictResolution": policy}})


@pytest.mark.parametrize("kind", [kind for kind in MARKED if kind != VIRTUAL_KEY])
def test_the_first_one_says_that_there_is_a_second_and_leaves_the_object_to_it(kind: str) -> None:
    async def scenario() -> None:
        first, second = pair()
        name = await settled(first, kind)
        await arrives(second, kind)
        assert second.condition(kind, name) == ("True", "Synced")
        there = deepcopy(second.rows(EXAMPLES[kind].table))
        first.entity(kind, name, **EXAMPLES[kind].edited)
        for _ in range(3):
            await first.sync(kind, name)
            assert first.condition(kind, name) == ("False", "Conflict")
            assert "PALENA_CLUSTER_ID" in first.message(kind, name)
            await asyncio.sleep(REFUSED)
        assert first.rows(EXAMPLES[kind].table) == there
        assert await first.finalize(kind, name)
        assert first.rows(EXAMPLES[kind].table) == there
        assert first.left_behind == [kind]

    run(scenario())


@pytest.mark.parametrize("policy", ["crd-wins", "manual"])
@pytest.mark.parametrize("kind", [kind for kind in MARKED if kind != VIRTUAL_KEY])
def test_config_sync_finds_a_second_one_that_wants_the_very_same(kind: str, policy: str) -> None:
    async def scenario() -> None:
        first, second = pair()
        for world in (first, second):
            with_config_sync(world, policy)
        name = await settled(first, kind)
        await arrives(second, kind)
        for _ in range(3):
            await asyncio.sleep(120)
            await first.sync(kind, name)
            await second.sync(kind, name)
        told = first.condition(kind, name) == ("False", "Conflict") or first.condition(kind, name, "Drifted")[0] == "True"
        assert told
        assert second.condition(kind, name) == ("True", "Synced")

    run(scenario())


@pytest.mark.parametrize("kind", [kind for kind in MARKED if kind != VIRTUAL_KEY])
def test_whoever_is_to_keep_the_object_is_told_so_by_an_annotation(kind: str) -> None:
    async def scenario() -> None:
        first, second = pair()
        name = await settled(first, kind)
        await arrives(second, kind)
        first.entity(kind, name, ADOPT, **EXAMPLES[kind].edited)
        await in_step_again(first, kind)
        assert first.condition(kind, name, "Adopted")[0] != "True"
        second.entity(kind, name, **EXAMPLES[kind].edited)
        await second.sync(kind, name)
        assert second.condition(kind, name) == ("False", "Conflict")
        rows = len(first.rows(EXAMPLES[kind].table))
        assert await second.finalize(kind, name)
        assert len(first.rows(EXAMPLES[kind].table)) == rows
        assert await first.finalize(kind, name)
        assert len(first.rows(EXAMPLES[kind].table)) == rows - 1

    run(scenario())


async def in_step_again(world: World, kind: str) -> None:
    name = EXAMPLES[kind].name
    await world.sync(kind, name)
    assert world.condition(kind, name) == ("True", "Synced"), world.message(kind, name)


@pytest.mark.parametrize("kind", MARKED)
def test_one_that_never_came_to_tell_anything_takes_nothing_along_when_it_is_deleted(kind: str) -> None:
    async def scenario() -> None:
        first, second = pair()
        name = await settled(first, kind)
        put(second, kind)
        there = deepcopy(first.rows(EXAMPLES[kind].table))
        assert await second.finalize(kind, name)
        assert first.rows(EXAMPLES[kind].table) == there

    run(scenario())


def test_a_key_in_use_is_not_replaced_by_a_namesakes() -> None:
    async def scenario() -> None:
        first, second = pair()
        name = await settled(first, VIRTUAL_KEY)
        there = deepcopy(first.rows("keys"))
        await arrives(second, VIRTUAL_KEY)
        assert second.condition(VIRTUAL_KEY, name) == ("False", "NameTaken")
        assert "PALENA_CLUSTER_ID" in second.message(VIRTUAL_KEY, name)
        assert first.rows("keys") == there
        assert await second.finalize(VIRTUAL_KEY, name)
        assert first.rows("keys") == there
        await first.sync(VIRTUAL_KEY, name)
        assert first.condition(VIRTUAL_KEY, name) == ("True", "Synced")

    run(scenario())


def test_a_key_that_was_left_behind_makes_room_for_its_successor_once_somebody_agrees() -> None:
    async def scenario() -> None:
        first, second = pair()
        name = await settled(first, VIRTUAL_KEY)
        next(iter(first.rows("keys").values()))["spend"] = 4.5
        await arrives(second, VIRTUAL_KEY)
        second.entity(VIRTUAL_KEY, name, ADOPT, **EXAMPLES[VIRTUAL_KEY].spec)
        await second.sync(VIRTUAL_KEY, name)
        assert second.condition(VIRTUAL_KEY, name) == ("True", "Synced"), second.message(VIRTUAL_KEY, name)
        assert [row["spend"] for row in second.rows("keys").values()] == [4.5]
        assert await second.finalize(VIRTUAL_KEY, name)
        assert second.rows("keys") == {}

    run(scenario())


@pytest.mark.parametrize("status", ["kept", "lost"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_restored_cluster_finds_its_objects_again(kind: str, status: str) -> None:
    async def scenario() -> None:
        world = World()
        name = await settled(world, kind)
        for one in with_what_it_needs(kind):
            item = world.objects[one, EXAMPLES[one].name]
            before, item["metadata"]["uid"] = item["metadata"]["uid"], f"restored-{one}"
            for child in world.objects.values():
                for owner in child["metadata"].get("ownerReferences", ()):
                    owner["uid"] = item["metadata"]["uid"] if owner["uid"] == before else owner["uid"]
            if status == "lost" and one not in UNMARKED:
                del item["status"]
            for _ in range(2):
                await world.sync(one, EXAMPLES[one].name)
        assert world.condition(kind, name) == ("True", "Synced"), world.message(kind, name)
        world.entity(kind, name, **EXAMPLES[kind].edited)
        await in_step_again(world, kind)
        rows = len(world.rows(EXAMPLES[kind].table))
        assert await world.finalize(kind, name)
        assert len(world.rows(EXAMPLES[kind].table)) == rows - 1

    run(scenario())
