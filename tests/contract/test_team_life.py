"""A LiteLLMTeam's life at the real proxy, with members, and with logs that go to the team's own destination."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from app.litellm.entities.ownership import MARK
from tests.contract.entities import RealWorld, world_at
from tests.contract.peer.releases import RELEASES

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.contract.peer.provider import Provider
    from tests.contract.peer.proxy import Proxy

# What is said of health makes no difference to teams.
pytestmark = pytest.mark.proxies(*(f"{release.name}-default" for release in RELEASES))

KIND = "LiteLLMTeam"
LIMITS = ("max_budget", "soft_budget", "budget_duration", "tpm_limit", "rpm_limit", "blocked", "models", "team_alias")


async def becomes(world: RealWorld, name: str = "eng", **spec: Any) -> Object:
    """The team is as its spec says, and rests; LiteLLM's row."""
    world.entity(KIND, name, None, **{"teamAlias": world.unique(name), **spec})
    await world.sync(KIND, name)
    assert world.condition(KIND, name) == ("True", "Synced"), world.message(KIND, name)
    before = world.objects[KIND, name]["status"]
    assert await world.sync(KIND, name) == before
    return (await seen(world, name))["team_info"]


async def seen(world: RealWorld, name: str = "eng") -> Object:
    """What LiteLLM tells of the team."""
    team = world.objects[KIND, name]["status"]["litellmTeamId"]
    status, answer = await world.ask("GET", f"/team/info?team_id={team}")
    assert status == 200
    return answer


def roles(row: Object) -> dict[str, str]:
    """Members by address."""
    return {one["user_email"]: one["role"] for one in row["members_with_roles"] if one["user_id"] != "default_user_id"}


async def test_a_team_is_made_changed_cleared_and_deleted(proxy: Proxy) -> None:
    world = world_at(proxy)
    world.secret("lf", langfuse_public_key="pk-0123", langfuse_secret="sk-very-secret")
    row = await becomes(
        world,
        models=["gpt"],
        maxBudgetMonthly=10,
        softBudget=5,
        budgetDuration="30d",
        tpmLimit=0,
        rpmLimit=2,
        teamMemberBudget=5,
        teamMemberRpmLimit=6,
        teamMemberTpmLimit=7,
        modelRpmLimit={"gpt": 8},
        modelTpmLimit={"gpt": 9},
        metadata={"cost-centre": "4711"},
        blocked=True,
        objectPermission={"vectorStores": ["v"], "agents": ["a"]},
        logging={"callbacks": [{"name": "langfuse", "credentialsSecretRef": {"name": "lf"}}]},
    )
    assert {name: row[name] for name in LIMITS} == {
        "max_budget": 10,
        "soft_budget": 5,
        "budget_duration": "30d",
        "tpm_limit": 0,
        "rpm_limit": 2,
        "blocked": True,
        "models": ["gpt"],
        "team_alias": world.unique("eng"),
    }
    assert row["metadata"][MARK]["owner"] == f"{world.cluster_id}/team/eng"
    assert (row["metadata"]["model_rpm_limit"], row["metadata"]["cost-centre"]) == ({"gpt": 8}, "4711")
    assert row["metadata"]["logging"][0]["callback_vars"].keys() == {"langfuse_public_key", "langfuse_secret"}
    assert row["object_permission"]["vector_stores"] == ["v"]
    limits = row["team_member_budget_table"]
    assert (limits["max_budget"], limits["rpm_limit"], limits["tpm_limit"]) == (5, 6, 7)

    # An edit of what 1.81 keeps in the metadata, and of one of three limits of members.
    row = await becomes(world, modelRpmLimit={"gpt": 1}, teamMemberRpmLimit=1, maxBudgetMonthly=4)
    assert row["metadata"][MARK]["owner"] == f"{world.cluster_id}/team/eng"
    assert (row["metadata"]["model_rpm_limit"], row["max_budget"], row["soft_budget"]) == ({"gpt": 1}, 4, None)
    limits = row["team_member_budget_table"]
    assert (limits["max_budget"], limits["rpm_limit"], limits["tpm_limit"]) == (None, 1, None)
    assert "logging" not in row["metadata"]

    row = await becomes(world)
    assert {name: row[name] for name in LIMITS} == {
        **dict.fromkeys(LIMITS),
        "blocked": False,
        "models": [],
        "team_alias": world.unique("eng"),
    }
    assert row["metadata"].keys() <= {MARK, "team_member_budget_id"}
    assert row["object_permission"]["vector_stores"] == []

    assert await world.finalize(KIND, "eng")
    status, _ = await world.ask("GET", f"/team/info?team_id={row['team_id']}")
    assert status == 404


async def test_a_lost_status_finds_a_team_of_any_id_again_by_its_alias_and_mark(proxy: Proxy) -> None:
    world = world_at(proxy)
    name = world.unique("theirs")
    assert (await world.ask("POST", "/team/new", {"team_id": name, "team_alias": world.unique("eng")}))[0] == 200
    world.entity(KIND, "eng", None, teamAlias=world.unique("eng"))
    world.objects[KIND, "eng"]["status"] = {"litellmTeamId": name}
    await becomes(world, tpmLimit=1)
    del world.objects[KIND, "eng"]["status"]
    row = await becomes(world, tpmLimit=2)
    assert (row["team_id"], row["tpm_limit"]) == (name, 2)


async def test_a_team_that_was_there_before_is_kept_in_step_and_stays(proxy: Proxy) -> None:
    world = world_at(proxy)
    name = world.unique("theirs")
    theirs = {"team_id": name, "team_alias": "old", "rpm_limit": 3, "metadata": {"theirs": "x"}}
    assert (await world.ask("POST", "/team/new", theirs))[0] == 200
    row = await becomes(world, teamId=name, tpmLimit=1)
    assert world.condition(KIND, "eng", "Adopted") == ("True", "ExistedBefore")
    assert (row["tpm_limit"], row["rpm_limit"], row["metadata"]["theirs"]) == (1, 3, "x")
    assert await world.finalize(KIND, "eng")
    assert (await world.ask("GET", f"/team/info?team_id={name}"))[0] == 200


async def test_without_a_licence_the_team_is_there_and_its_guardrails_are_not(proxy: Proxy) -> None:
    world = world_at(proxy)
    world.entity(KIND, "eng", None, teamAlias=world.unique("eng"), guardrails=["pii"], tags=["x"], maxBudgetMonthly=0)
    await world.sync(KIND, "eng")
    assert world.condition(KIND, "eng") == ("False", "EnterpriseLicenseRequired")
    row = (await seen(world))["team_info"]
    assert row["max_budget"] == 0
    assert not {"guardrails", "tags"} & row["metadata"].keys()


async def test_members_come_change_and_go(proxy: Proxy) -> None:
    world = world_at(proxy)
    a, b, hand = (f"{world.unique(name)}@x.test" for name in ("a", "b", "hand"))
    row = await becomes(world, teamMemberBudget=5, members=[{"email": a}, {"email": b.upper()}])
    assert {address.lower(): role for address, role in roles(row).items()} == {a: "user", b: "user"}
    assert world.objects[KIND, "eng"]["status"]["totalMemberCount"] == 2
    status, _ = await world.ask(
        "POST", "/team/member_add", {"team_id": row["team_id"], "member": [{"user_email": hand, "role": "user"}]}
    )
    assert status == 200

    row = await becomes(world, teamMemberBudget=5, members=[{"email": a}])
    assert roles(row) == {a: "user", hand: "user"}

    world.entity(KIND, "eng", None, teamAlias=world.unique("eng"), teamMemberBudget=5, members=[{"email": a, "role": "admin"}])
    await world.sync(KIND, "eng")
    assert world.condition(KIND, "eng") == ("False", "EnterpriseLicenseRequired")
    budgets = [one["litellm_budget_table"]["max_budget"] for one in (await seen(world))["team_memberships"]]
    assert set(budgets) == {5}

    row = await becomes(world, memberManagement="crd", members=[{"email": a}])
    assert roles(row) == {a: "user"}
    row = await becomes(world, memberManagement="crd")
    assert roles(row) == {}
    assert await world.finalize(KIND, "eng")


async def test_requests_of_a_team_with_a_destination_of_its_own_are_answered(proxy: Proxy, provider: Provider) -> None:
    """1.81 fails them all if it meets a variable there that it does not know."""
    world = world_at(proxy)
    world.secret("ls", langsmith_api_key="ls-0123", langsmith_project="p", unknown="x")
    failures: Object = {"name": "langsmith", "type": "failure", "credentialsSecretRef": {"name": "ls"}}
    row = await becomes(world, logging={"callbacks": [failures]})
    assert world.condition(KIND, "eng", "FieldsApplied") == ("False", "FieldsIgnored")
    model, value = world.unique("gpt"), f"sk-{world.unique('key')}"
    params = {"model": "openai/gpt-test", "api_base": provider.api_base, "api_key": provider.key}
    assert (await world.ask("POST", "/model/new", {"model_name": model, "litellm_params": params}))[0] == 200
    assert (await world.ask("POST", "/key/generate", {"key": value, "team_id": row["team_id"]}))[0] == 200
    said = ""
    async with httpx2.AsyncClient(base_url=world.endpoint, timeout=20) as client:
        for _ in range(30):
            body = {"model": model, "messages": [{"role": "user", "content": "hello"}]}
            answer = await client.post("/v1/chat/completions", json=body, headers={"Authorization": f"Bearer {value}"})
            said = f"{answer.status_code} {answer.text}"
            if answer.status_code == 200:
                break
            await asyncio.sleep(1)
    assert said.startswith("200"), said
