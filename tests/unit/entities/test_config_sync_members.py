"""Config sync and members: whom somebody took out of a team in LiteLLM, or put into it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.sim.fake_litellm import Fault
from tests.unit.entities.test_config_sync import LISTS, TEAM, later, synced_world
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.unit.entities.world import World


def people(world: World, team: str = "eng") -> dict[str, str]:
    """Roles in a team by id, without the holder of the master key."""
    return {one["user_id"]: one["role"] for one in world.rows("teams")[team]["members_with_roles"][1:]}


def intruder(user: str, **fields: Any) -> Object:
    return {"user_id": user, "user_email": None, "role": "user", **fields}


async def team_of(world: World, mode: str, *emails: str) -> Object:
    """A team with these members; its row."""
    members = [{"email": email} for email in emails]
    world.entity(TEAM, "eng", teamAlias="eng", teamId="eng", memberManagement=mode, members=members)
    await world.sync(TEAM, "eng")
    assert world.condition(TEAM, "eng") == ("True", "Synced"), world.message(TEAM, "eng")
    return world.rows("teams")["eng"]


@pytest.mark.parametrize("mode", ["crd", "mixed"])
def test_a_member_who_was_removed_in_litellm_is_put_back(mode: str) -> None:
    async def scenario() -> None:
        world = synced_world(auditChanges=True)
        row = await team_of(world, mode, "a@x.test", "b@x.test")
        before = people(world)
        row["members_with_roles"].pop()
        await later(world, TEAM, "eng")
        assert people(world) == before
        assert world.condition(TEAM, "eng", "Drifted") == ("True", "PutBack")
        assert "differed in members.b@x.test" in world.message(TEAM, "eng", "Drifted")
        await later(world, TEAM, "eng")
        assert world.condition(TEAM, "eng", "Drifted") == ("", "")

    run(scenario())


@pytest.mark.parametrize("mode", ["crd", "mixed", "sso"])
def test_whoever_is_put_into_a_team_by_hand_stays_unless_the_team_has_only_those_that_it_lists(mode: str) -> None:
    async def scenario() -> None:
        world = synced_world(auditChanges=True)
        row = await team_of(world, mode, "a@x.test")
        world.rows("users")["eve"] = {"user_id": "eve", "user_email": "eve@x.test", "metadata": {}, "teams": ["eng"]}
        row["members_with_roles"].append(intruder("eve"))
        await later(world, TEAM, "eng")
        assert ("eve" in people(world)) is (mode != "crd")
        assert world.condition(TEAM, "eng", "Drifted")[1] == ("PutBack" if mode == "crd" else "")
        if mode == "crd":
            assert "members.eve@x.test" in world.message(TEAM, "eng", "Drifted"), "the address is in the list of users"

    run(scenario())


@pytest.mark.parametrize("policy", ["api-wins", "manual"])
def test_members_that_are_left_to_people_are_told_by_name_on_one_line(policy: str) -> None:
    async def scenario() -> None:
        world = synced_world(conflictResolution=policy)
        world.proxy.database.licensed = True
        row = await team_of(world, "crd", "a@x.test", "b@x.test")
        row["members_with_roles"][1]["role"] = "admin"
        row["members_with_roles"][2] = intruder("u\x1b9\n", user_email=None)
        world.rows("users")["u\x1b9\n"] = {"user_id": "u\x1b9\n", "user_email": None, "metadata": {}}
        world.forget_calls()
        await later(world, TEAM, "eng")
        assert len(world.proxy.admin_calls) == LISTS
        assert world.condition(TEAM, "eng", "Drifted") == ("True", "LeftAsItIs")
        told = "differs from the spec in members.a@x.test, members.b@x.test, members.u9; it is left so"
        assert told in world.message(TEAM, "eng", "Drifted")

    run(scenario())


def test_a_member_whom_the_list_shows_by_id_alone_is_known_by_the_list_of_users() -> None:
    async def scenario() -> None:
        world = synced_world(auditChanges=True)
        row = await team_of(world, "crd", "a@x.test")
        row["members_with_roles"][1]["user_email"] = None
        before = world.objects[TEAM, "eng"]["status"]
        assert await later(world, TEAM, "eng") == before
        world.proxy.faults.append(Fault("GET /user/list", status=500))
        assert await later(world, TEAM, "eng") == before, "who it is cannot be known"
        assert world.changes == []

    run(scenario())


@pytest.mark.parametrize("members", [None, {}, "x", [None], [{"user_id": 7}]], ids=str)
def test_members_of_a_list_that_cannot_be_read_are_not_compared(members: Any) -> None:
    async def scenario() -> None:
        world = synced_world(auditChanges=True)
        row = await team_of(world, "crd", "a@x.test")
        row["members_with_roles"] = members
        before = world.objects[TEAM, "eng"]["status"]
        assert await later(world, TEAM, "eng") == before
        row["max_budget"] = 3.0
        assert await later(world, TEAM, "eng") == before, "and a budget that is not the spec's is nobody's"

    run(scenario())


def test_a_user_who_was_taken_out_of_a_team_joins_it_again() -> None:
    async def scenario() -> None:
        world = synced_world(auditChanges=True)
        await team_of(world, "mixed")
        world.entity("LiteLLMUser", "ann", userId="ann", teams=[{"teamRef": {"name": "eng"}}])
        await world.sync("LiteLLMUser", "ann")
        assert people(world) == {"ann": "user"}
        before = world.objects["LiteLLMUser", "ann"]["status"]
        assert await later(world, "LiteLLMUser", "ann") == before
        world.rows("teams")["eng"]["members_with_roles"].pop()
        world.rows("users")["ann"]["teams"].clear()
        await later(world, "LiteLLMUser", "ann")
        assert people(world) == {"ann": "user"}
        assert world.condition("LiteLLMUser", "ann", "Drifted") == ("True", "PutBack")
        assert "teams.eng" in world.message("LiteLLMUser", "ann", "Drifted")
        await later(world, "LiteLLMUser", "ann")
        assert world.condition("LiteLLMUser", "ann", "Drifted") == ("", "")

    run(scenario())


def test_a_team_that_does_not_want_a_user_is_no_difference() -> None:
    async def scenario() -> None:
        world = synced_world(auditChanges=True)
        await team_of(world, "crd")
        world.entity("LiteLLMUser", "ann", userId="ann", teams=[{"teamRef": {"name": "eng"}}])
        await world.sync("LiteLLMUser", "ann")
        before = world.objects["LiteLLMUser", "ann"]["status"]
        assert before["resolvedTeams"][0]["synced"] is False
        assert await later(world, "LiteLLMUser", "ann") == before

    run(scenario())


def test_members_of_an_organization_are_known_by_the_list_of_users() -> None:
    async def scenario() -> None:
        world = synced_world(auditChanges=True)
        world.proxy.database.licensed = True
        for user in ("a", "b"):
            world.rows("users")[user] = {"user_id": user, "user_email": f"{user}@x.test", "metadata": {}}
        kind, members = "LiteLLMOrganization", [{"email": "a@x.test"}]
        world.entity(kind, "acme", organizationAlias="acme", members=members)
        before = await world.sync(kind, "acme")
        assert await later(world, kind, "acme") == before
        (row,) = world.rows("organizations").values()
        row["members"] = [{"user_id": "b", "user_role": "internal_user"}]
        await later(world, kind, "acme")
        assert [one["user_id"] for one in row["members"]] == ["a"]
        assert "members.a@x.test, members.b@x.test" in world.message(kind, "acme", "Drifted")

    run(scenario())
