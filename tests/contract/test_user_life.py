"""A LiteLLMUser's life at the real proxy: limits, teams, and a first password."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.litellm.entities.ownership import MARK
from tests.contract.entities import RealWorld, world_at
from tests.contract.peer.releases import RELEASES

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.contract.peer.proxy import Proxy

# What is said of health makes no difference to users.
pytestmark = pytest.mark.proxies(*(f"{release.name}-default" for release in RELEASES))

KIND = "LiteLLMUser"
PASSWORD: Object = {"initialPasswordSecretRef": {"name": "password", "key": "password"}}


async def becomes(world: RealWorld, **spec: Any) -> Object:
    """The user is as the spec says, and rests; LiteLLM's row."""
    world.entity(KIND, "bob", None, **{"userId": world.unique("bob"), **spec})
    await world.sync(KIND, "bob")
    assert world.condition(KIND, "bob") == ("True", "Synced"), world.message(KIND, "bob")
    before = world.objects[KIND, "bob"]["status"]
    assert await world.sync(KIND, "bob") == before
    status, answer = await world.ask("GET", f"/user/info?user_id={world.unique('bob')}")
    assert status == 200
    return answer["user_info"]


async def membership(world: RealWorld, team: str) -> tuple[str, Any]:
    """Role and budget of the user in a team; nothing if there is none."""
    _, answer = await world.ask("GET", f"/team/info?team_id={team}")
    user = world.unique("bob")
    role = next((one["role"] for one in answer["team_info"]["members_with_roles"] if one["user_id"] == user), "")
    table = next((one["litellm_budget_table"] for one in answer["team_memberships"] if one["user_id"] == user), None)
    return role, (table or {}).get("max_budget")


async def test_a_user_is_made_changed_cleared_and_deleted(proxy: Proxy) -> None:
    world = world_at(proxy)
    older = proxy.release.name == "oldest"
    row = await becomes(
        world,
        userEmail=f"{world.unique('bob')}@x.test",
        userRole="internal_user_viewer",
        maxBudget=10,
        budgetDuration="30d",
        models=["gpt"],
        tpmLimit=0,
        rpmLimit=2,
        softBudget=3,
        modelRpmLimit={"gpt": 4},
        metadata={"department": "search"},
        blocked=True,
        objectPermission={"agents": ["a"]},
    )
    assert (row["user_role"], row["max_budget"], row["tpm_limit"], row["models"]) == ("internal_user_viewer", 10, 0, ["gpt"])
    assert row["metadata"][MARK]["owner"] == f"{world.cluster_id}/team/bob"
    assert (row["metadata"]["model_rpm_limit"], row["metadata"]["department"]) == ({"gpt": 4}, "search")
    message = world.message(KIND, "bob", "FieldsApplied")
    assert "spec.blocked" in message
    assert "spec.softBudget" in message
    assert ("spec.objectPermission" in message) is older
    _, keys = await world.ask("GET", f"/key/list?user_id={world.unique('bob')}")
    assert keys["keys"] == []

    row = await becomes(world)
    assert (row["user_role"], row["max_budget"]) == ("internal_user", None)
    assert row["metadata"].keys() == {MARK}
    assert world.condition(KIND, "bob", "FieldsCleared") == ("False", "CannotClear")
    left = world.message(KIND, "bob", "FieldsCleared")
    assert "models" in left
    assert ("rpm_limit" in left) is older is (row["rpm_limit"] is not None)
    assert world.condition(KIND, "bob", "FieldsApplied") == ("", "")

    row = await becomes(world, objectPermission={"agents": ["b"]})
    assert (world.condition(KIND, "bob", "FieldsApplied") == ("", "")) is not older

    assert await world.finalize(KIND, "bob")
    status, _ = await world.ask("GET", f"/user/info?user_id={world.unique('bob')}")
    assert status == 404


async def test_a_user_who_was_there_before_stays_and_an_address_of_another_is_told(proxy: Proxy) -> None:
    world = world_at(proxy)
    address = f"{world.unique('bob')}@x.test"
    theirs = {"user_id": world.unique("bob"), "user_email": address, "metadata": {"theirs": "x"}, "auto_create_key": False}
    assert (await world.ask("POST", "/user/new", theirs))[0] == 200
    row = await becomes(world, tpmLimit=1)
    assert world.condition(KIND, "bob", "Adopted") == ("True", "ExistedBefore")
    assert (row["tpm_limit"], row["metadata"]["theirs"]) == (1, "x")
    world.entity(KIND, "other", None, userId=world.unique("other"), userEmail=address.upper())
    await world.sync(KIND, "other")
    assert world.condition(KIND, "other") == ("False", "NameTaken")
    assert await world.finalize(KIND, "other")
    assert await world.finalize(KIND, "bob")
    assert (await world.ask("GET", f"/user/info?user_id={world.unique('bob')}"))[0] == 200


async def test_a_user_joins_and_leaves_teams_which_have_their_own_word(proxy: Proxy) -> None:
    world = world_at(proxy)
    address = f"{world.unique('bob')}@x.test"
    alone = world.unique("alone")
    assert (await world.ask("POST", "/team/new", {"team_id": alone, "team_alias": alone}))[0] == 200
    eng: Object = {"teamAlias": world.unique("eng"), "teamId": world.unique("eng"), "teamMemberBudget": 7}

    # A team that lists the user waits for the user instead of making another one.
    world.entity(KIND, "bob", None, userId=world.unique("bob"), userEmail=address)
    world.entity("LiteLLMTeam", "eng", None, **eng, members=[{"email": address}])
    await world.sync("LiteLLMTeam", "eng")
    assert world.condition("LiteLLMTeam", "eng") == ("False", "ReferenceNotReady")
    await becomes(world, userEmail=address, teams=[{"teamId": alone, "maxBudgetInTeam": 5}])
    await world.sync("LiteLLMTeam", "eng")
    assert world.condition("LiteLLMTeam", "eng") == ("True", "Synced")
    assert await membership(world, world.unique("eng")) == ("user", 7)
    assert await membership(world, alone) == ("user", 5)

    await becomes(world, userEmail=address, teams=[{"teamId": alone, "maxBudgetInTeam": 6}])
    assert await membership(world, alone) == ("user", 6)
    await becomes(world, userEmail=address, teams=[{"teamId": alone}])
    assert await membership(world, alone) == ("user", None)
    await becomes(world, userEmail=address)
    assert await membership(world, alone) == ("", None)
    assert await membership(world, world.unique("eng")) == ("user", 7)

    world.entity("LiteLLMTeam", "eng", None, **eng, memberManagement="crd")
    await world.sync("LiteLLMTeam", "eng")
    assert await membership(world, world.unique("eng")) == ("", None)
    await becomes(world, userEmail=address, teams=[{"teamRef": {"name": "eng"}}])
    assert world.condition(KIND, "bob", "MembershipsApplied") == ("False", "MembershipRefused")
    assert await membership(world, world.unique("eng")) == ("", None)


async def test_a_first_password_is_set_once_and_judged_by_litellm(proxy: Proxy) -> None:
    world = world_at(proxy)
    world.secret("password", password="Correct-horse-1")
    await becomes(world, **PASSWORD)
    assert world.condition(KIND, "bob", "InitialPasswordApplied") == ("True", "Applied")
    digest = world.objects[KIND, "bob"]["status"]["initialPasswordDigest"]
    await becomes(world, tpmLimit=1, **PASSWORD)
    assert world.objects[KIND, "bob"]["status"]["initialPasswordDigest"] == digest
    if proxy.release.name != "oldest":
        world.secret("password", password="short")
        await becomes(world, tpmLimit=1, **PASSWORD)
        assert world.condition(KIND, "bob", "InitialPasswordApplied") == ("False", "PasswordRejected")
        assert "short" not in str(world.objects[KIND, "bob"]["status"])
