"""Whatever stands before the proxy and answers 200 to everything: a creation that it swallows is not taken for one, and a member
whom it does not remove is not forgotten."""

from __future__ import annotations

import asyncio

import pytest

from app.sim.fake_litellm import Fault
from tests.unit.entities.examples import EXAMPLES, KINDS, in_step, put, settled
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

KEY = "LiteLLMVirtualKey"
HOLLOW = ("", '""', "7", "null", "[]", '"ok"')


@pytest.mark.parametrize("text", HOLLOW)
@pytest.mark.parametrize("kind", KINDS)
def test_a_creation_that_is_swallowed_is_made_again(kind: str, text: str) -> None:
    async def scenario() -> None:
        world = World()
        for one in EXAMPLES[kind].refers:
            await settled(world, one)
        name = put(world, kind)
        if kind == KEY:
            await world.sync(kind, name)
        world.proxy.faults = [Fault(EXAMPLES[kind].create, status=200, text=text)]
        await world.sync(kind, name)
        assert world.condition(kind, name)[0] == "False"
        await asyncio.sleep(120)
        await in_step(world, kind)
        assert world.rows(EXAMPLES[kind].table)
        assert "adopted" not in world.objects[kind, name]["status"]

    run(scenario())


def test_an_old_key_stays_until_litellm_has_the_new_one() -> None:
    async def scenario() -> None:
        world = World()
        name = await settled(world, KEY)
        next(iter(world.rows("keys").values()))["spend"] = 4.5
        world.remove("Secret", f"{name}-key")
        await world.sync(KEY, name)
        world.proxy.faults = [Fault(EXAMPLES[KEY].create, status=200, text='""')]
        await world.sync(KEY, name)
        assert [row["spend"] for row in world.rows("keys").values()] == [4.5]
        await asyncio.sleep(60)
        await in_step(world, KEY)
        assert [row["spend"] for row in world.rows("keys").values()] == [4.5]

    run(scenario())


@pytest.mark.parametrize("fault", [Fault(status=200, text='""'), Fault(status=409, text="already exists")], ids=["200", "409"])
def test_a_member_who_is_still_there_is_told_and_removed_later(fault: Fault) -> None:
    async def scenario() -> None:
        world = World()
        name = await settled(world, "LiteLLMTeam")
        put(world, "LiteLLMTeam", **EXAMPLES["LiteLLMTeam"].edited)
        fault.call = "POST /team/member_delete"
        world.proxy.faults = [fault]
        await world.sync("LiteLLMTeam", name)
        assert world.condition("LiteLLMTeam", name)[0] == "False"
        assert "lead@example.com is not removed" in world.message("LiteLLMTeam", name)
        await asyncio.sleep(30)
        await in_step(world, "LiteLLMTeam")
        (team,) = world.rows("teams").values()
        assert "lead@example.com" not in [one["user_email"] for one in team["members_with_roles"]]

    run(scenario())
