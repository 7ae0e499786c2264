"""Specs that the schema lets pass and nobody can mean: told by their field, with no answer that breaks and no Secret lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.litellm.admin.client import LONGEST_TARGET
from app.sim.fake_litellm import Behaviour
from tests.unit.entities.examples import EXAMPLES, put, settled
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object

KEY = "LiteLLMVirtualKey"


@pytest.mark.parametrize("name", ["../x", "no name", "\x00", "é", "x" * 300])
def test_an_instance_that_no_object_can_be_called_is_told_and_the_keys_secret_stays(name: str) -> None:
    async def scenario() -> None:
        world = World()
        key = await settled(world, KEY)
        before = world.objects["Secret", f"{key}-key"]["data"]
        world.entity(KEY, key, **{**EXAMPLES[KEY].spec, "instanceRef": {"name": name}})
        await world.sync(KEY, key)
        assert world.condition(KEY, key) == ("False", "InstanceNotReady")
        assert "spec.instanceRef" in world.message(KEY, key)
        assert world.objects["Secret", f"{key}-key"]["data"] == before

    run(scenario())


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (KEY, "keyAlias"),
        ("LiteLLMTeam", "teamAlias"),
        ("LiteLLMTeam", "teamId"),
        ("LiteLLMUser", "userId"),
        ("LiteLLMCustomer", "customerId"),
        ("LiteLLMCredential", "credentialName"),
    ],
)
def test_a_name_that_no_request_has_room_for_is_told_and_costs_no_wait_when_it_is_deleted(kind: str, field: str) -> None:
    async def scenario() -> None:
        world = World()
        await settled(world, kind)
        name = f"{EXAMPLES[kind].name}2"
        long: Object = {field: "x" * LONGEST_TARGET}
        world.entity(kind, name, **{**EXAMPLES[kind].spec, **long})
        for _ in range(2):
            await world.sync(kind, name)
        assert world.condition(kind, name) == ("False", "APIError" if kind == "LiteLLMCredential" else "SyncFailed")
        assert "shorten the id, alias or e-mail address in the spec" in world.message(kind, name)
        assert await world.finalize(kind, name)

    run(scenario())


def test_a_name_that_no_request_has_room_for_says_nothing_about_a_proxy_that_is_away() -> None:
    async def scenario() -> None:
        world = World()
        await settled(world, KEY)
        world.proxy.behaviour = Behaviour.DEAD
        for _ in range(3):
            await world.sync(KEY, put(world, KEY, **{**EXAMPLES[KEY].spec, "tpmLimit": 7}))
        world.entity(KEY, "long", keyAlias="x" * LONGEST_TARGET)
        for _ in range(2):
            await world.sync(KEY, "long")
        world.forget_calls()
        await world.sync(KEY, EXAMPLES[KEY].name)
        assert world.proxy.calls == []

    run(scenario())


@pytest.mark.parametrize("kind", ["LiteLLMTeam", "LiteLLMOrganization"])
def test_a_member_without_an_address_is_told_and_nobody_else_without_one_gets_the_role(kind: str) -> None:
    async def scenario() -> None:
        world = World()
        world.entity("LiteLLMUser", "robot", userId="robot")
        await world.sync("LiteLLMUser", "robot")
        role = "admin" if kind == "LiteLLMTeam" else "org_admin"
        name = put(world, kind, **{**EXAMPLES[kind].spec, "members": [{"email": "", "role": role}]})
        world.forget_calls()
        await world.sync(kind, name)
        assert world.condition(kind, name) == ("False", "InvalidSpec")
        assert "spec.members[0].email: must have at least 1 characters" in world.message(kind, name)
        assert world.proxy.calls == []

    run(scenario())
