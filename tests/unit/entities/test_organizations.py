"""LiteLLMOrganization: limits in a budget of its own, merged metadata, and members who are found by their address."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.apis.litellm.organization import LiteLLMOrganizationSpec
from app.sim.fake_litellm import FakeLiteLLM, Fault
from app.status.resync import TICK
from tests.unit.entities.world import KEY, World
from tests.unit.litellm.virtual_time import run

KIND = "LiteLLMOrganization"
FREE = "1.81.14"
"""The newest release that is measured to have organizations without a licence."""
EVERYTHING: dict[str, Any] = {
    "organizationAlias": "science",
    "models": ["gpt-4o"],
    "maxBudget": 0,
    "softBudget": 4,
    "budgetDuration": "30d",
    "tpmLimit": 0,
    "rpmLimit": 7,
    "modelRpmLimit": {"gpt-4o": 1, "small": 2},
    "modelTpmLimit": {"gpt-4o": 3},
    "members": [{"email": "Lead@example.com", "role": "org_admin"}, {"email": "analyst@example.com"}],
    "objectPermission": {"vectorStores": ["v"]},
    "metadata": {"cost-centre": "4711"},
}


def world_with_users(*emails: str) -> World:
    world = World(proxy=FakeLiteLLM(version=FREE, master_key=KEY))
    for number, email in enumerate(emails):
        world.rows("users")[f"u-{number}"] = {"user_id": f"u-{number}", "user_email": email}
    return world


def members(world: World) -> dict[str, str]:
    (row,) = world.rows("organizations").values()
    return {one["user_id"]: one["user_role"] for one in row["members"]}


def test_every_field_of_the_spec_reaches_litellm_once() -> None:
    async def scenario() -> None:
        world = world_with_users("lead@example.com", "xanalyst@example.com", "Analyst@example.com")
        spelled = {field.alias or name for name, field in LiteLLMOrganizationSpec.model_fields.items()}
        assert spelled - {"instanceRef"} == EVERYTHING.keys()
        world.entity(KIND, "science", None, **EVERYTHING)
        first = await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("True", "Synced"), world.message(KIND, "science")
        (row,) = world.rows("organizations").values()
        budget = world.rows("budgets")[row["budget_id"]]
        assert budget == {
            "budget_id": row["budget_id"],
            "max_budget": 0.0,
            "soft_budget": 4.0,
            "budget_duration": "30d",
            "tpm_limit": 0,
            "rpm_limit": 7,
        }
        assert (row["organization_alias"], row["models"]) == ("science", ["gpt-4o"])
        assert row["object_permission"] == {"vector_stores": ["v"]}
        mark = row["metadata"].pop("palena.ai/owner")
        assert mark["owner"] == "north/team/science"
        assert row["metadata"] == {
            "cost-centre": "4711",
            "model_rpm_limit": {"gpt-4o": 1, "small": 2},
            "model_tpm_limit": {"gpt-4o": 3},
        }
        row["metadata"]["palena.ai/owner"] = mark
        assert members(world) == {"u-0": "org_admin", "u-2": "internal_user"}
        assert (first["memberCount"], first["currentSpend"], first["synced"]) == (2, 0.0, True)
        assert first["litellmOrganizationId"] == row["organization_id"]
        world.forget_calls()
        assert await world.sync(KIND, "science") == first
        assert world.proxy.admin_calls == []

    run(scenario())


def test_what_leaves_the_spec_is_cleared_as_far_as_litellm_can() -> None:
    async def scenario() -> None:
        world = world_with_users("lead@example.com", "analyst@example.com")
        world.entity(KIND, "science", None, **EVERYTHING)
        await world.sync(KIND, "science")
        (row,) = world.rows("organizations").values()
        row["metadata"]["theirs"] = "x"
        world.entity(KIND, "science", organizationAlias="research", maxBudget=5, modelRpmLimit={"small": 9})
        await world.sync(KIND, "science")
        (row,) = world.rows("organizations").values()
        budget = world.rows("budgets")[row["budget_id"]]
        limits = ("max_budget", "soft_budget", "budget_duration", "tpm_limit", "rpm_limit")
        assert [budget[name] for name in limits] == [5.0, None, None, None, None]
        assert (row["organization_alias"], row["models"]) == ("research", [])
        assert row["object_permission"]["vector_stores"] == []
        assert row["metadata"]["model_rpm_limit"] == {"gpt-4o": None, "small": 9}
        assert row["metadata"]["model_tpm_limit"] == {"gpt-4o": None}
        assert row["metadata"]["theirs"] == "x"
        assert members(world) == {"u-0": "org_admin", "u-1": "internal_user"}, "an empty list leaves members alone"
        assert world.condition(KIND, "science", "FieldsCleared") == ("False", "CannotClear")
        assert "metadata.cost-centre" in world.message(KIND, "science", "FieldsCleared")

    run(scenario())


def test_roles_follow_the_spec_and_whoever_it_does_not_list_leaves() -> None:
    async def scenario() -> None:
        world = world_with_users("a@example.com", "b@example.com", "c@example.com")
        world.entity(KIND, "science", organizationAlias="s", members=[{"email": "a@example.com"}, {"email": "b@example.com"}])
        await world.sync(KIND, "science")
        (row,) = world.rows("organizations").values()
        row["members"].append({"user_id": "u-2", "user_role": "internal_user"})
        world.entity(KIND, "science", organizationAlias="s", members=[{"email": "A@example.com", "role": "org_admin"}])
        status = await world.sync(KIND, "science")
        assert members(world) == {"u-0": "org_admin"}
        assert status["memberCount"] == 1

    run(scenario())


def test_a_member_whom_nobody_knows_is_told_and_tried_again_and_keeps_nobody_else_out() -> None:
    async def scenario() -> None:
        world = world_with_users("a@example.com")
        people = [{"email": "new@example.com"}, {"email": "a@example.com"}]
        world.entity(KIND, "science", organizationAlias="s", members=people)
        status = await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("False", "ReferenceNotReady")
        assert "new@example.com" in world.message(KIND, "science")
        assert "LiteLLMUser" in world.message(KIND, "science")
        assert (members(world), status["memberCount"]) == ({"u-0": "internal_user"}, 1)
        world.rows("users")["u-9"] = {"user_id": "u-9", "user_email": "new@example.com"}
        await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("True", "Synced")
        assert set(members(world)) == {"u-0", "u-9"}

    run(scenario())


def test_what_goes_wrong_with_one_member_is_told_with_that_one() -> None:
    async def scenario() -> None:
        world = world_with_users("a@example.com", "b@example.com")
        world.proxy.faults.append(Fault("POST /organization/member_add", text="the disk is full"))
        people = [{"email": "a@example.com"}, {"email": "b@example.com"}]
        world.entity(KIND, "science", organizationAlias="s", members=people)
        await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("False", "SyncFailed")
        assert "the disk is full" in world.message(KIND, "science")
        assert len(members(world)) == 1
        await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("True", "Synced")
        assert len(members(world)) == 2

    run(scenario())


@pytest.mark.parametrize(
    ("fault", "why", "reason"),
    [
        (Fault(status=200, text="null"), "", "ReferenceNotReady"),
        (Fault(text="the disk is full"), ": LiteLLM answered 500", "SyncFailed"),
    ],
    ids=["swallowed", "refused"],
)
def test_a_member_who_stays_is_told_on_one_line_cut_and_without_a_key(fault: Fault, why: str, reason: str) -> None:
    async def scenario() -> None:
        world = world_with_users("a@example.com")
        world.entity(KIND, "science", organizationAlias="s", members=[{"email": "a@example.com"}])
        await world.sync(KIND, "science")
        (row,) = world.rows("organizations").values()
        row["members"].append({"user_id": "x\x1b1\nsk-0123456789abcdef " + "y" * 1000, "user_role": "internal_user"})
        world.proxy.faults = [replace(fault, call="DELETE /organization/member_delete")]
        world.entity(KIND, "science", organizationAlias="s2", members=[{"email": "a@example.com"}])
        await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("False", reason)
        message = world.message(KIND, "science")
        assert message.startswith("x1 … yyy")
        assert f"y… is still a member{why}" in message
        assert message.isprintable()
        assert len(message) < 1000
        await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("True", "Synced")

    run(scenario())


def test_without_a_model_the_proxy_makes_none_and_the_remedy_is_told() -> None:
    async def scenario() -> None:
        world = world_with_users()
        world.proxy.database.has_models = False
        world.entity(KIND, "science", organizationAlias="s")
        await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("False", "ReferenceNotReady")
        assert "LiteLLMModel" in world.message(KIND, "science")
        world.proxy.database.has_models = True
        await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("True", "Synced")

    run(scenario())


def test_a_creation_whose_answer_was_lost_leaves_one_organization_and_one_budget() -> None:
    async def scenario() -> None:
        world = world_with_users()
        world.proxy.faults.append(Fault("POST /organization/new", status=0, after=True))
        world.entity(KIND, "science", organizationAlias="s", maxBudget=1)
        await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("False", "ProxyUnavailable")
        await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("True", "Synced")
        assert (len(world.rows("organizations")), len(world.rows("budgets"))) == (1, 1)

    run(scenario())


def test_an_organization_whose_status_was_lost_is_found_by_its_mark_and_no_other_is_taken() -> None:
    async def scenario() -> None:
        world = world_with_users()
        item = world.entity(KIND, "science", organizationAlias="s", maxBudget=1)
        await world.sync(KIND, "science")
        (row,) = world.rows("organizations").values()
        # Of the Go operator, which takes the id that LiteLLM makes up.
        world.rows("organizations").clear()
        world.rows("organizations")["made-up"] = {**row, "organization_id": "made-up"}
        world.rows("organizations")["by-hand"] = {**row, "organization_id": "by-hand", "metadata": {}}
        item["status"] = {}
        world.entity(KIND, "science", organizationAlias="s", maxBudget=2)
        status = await world.sync(KIND, "science")
        assert status["litellmOrganizationId"] == "made-up"
        assert len(world.rows("organizations")) == 2

    run(scenario())


def test_an_organization_of_another_cluster_is_left_alone() -> None:
    async def scenario() -> None:
        world = world_with_users()
        world.entity(KIND, "science", organizationAlias="s")
        await world.sync(KIND, "science")
        (row,) = world.rows("organizations").values()
        row["metadata"]["palena.ai/owner"]["owner"] = "south/team/science"
        world.entity(KIND, "science", organizationAlias="t")
        await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("False", "Conflict")
        assert await world.finalize(KIND, "science")
        assert len(world.rows("organizations")) == 1

    run(scenario())


def test_it_goes_with_its_object() -> None:
    async def scenario() -> None:
        world = world_with_users()
        world.entity(KIND, "science", organizationAlias="s", maxBudget=1)
        await world.sync(KIND, "science")
        assert await world.finalize(KIND, "science")
        assert world.rows("organizations") == {}

    run(scenario())


def test_one_that_is_gone_is_no_trouble() -> None:
    async def scenario() -> None:
        world = world_with_users()
        world.entity(KIND, "science", organizationAlias="s")
        await world.sync(KIND, "science")
        world.rows("organizations").clear()
        assert await world.finalize(KIND, "science")
        assert world.left_behind == []

    run(scenario())


@pytest.mark.parametrize("version", ["1.108.14", "1.110.2"])
def test_without_a_licence_newer_releases_refuse_it_and_its_deletion_ends_all_the_same(version: str) -> None:
    async def scenario() -> None:
        world = World(proxy=FakeLiteLLM(version=version, master_key=KEY))
        world.entity(KIND, "science", organizationAlias="s")
        await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("False", "EnterpriseLicenseRequired")
        assert world.comes_back_in == TICK
        assert not await world.finalize(KIND, "science")
        assert world.condition(KIND, "science") == ("False", "DeletionPending")
        world.objects[KIND, "science"]["metadata"]["deletionTimestamp"] = "2025-12-31T23:50:00Z"
        assert await world.finalize(KIND, "science")
        assert world.left_behind == [KIND]

    run(scenario())


def test_with_a_licence_newer_releases_keep_it() -> None:
    async def scenario() -> None:
        world = World(proxy=FakeLiteLLM(version="1.110.2", master_key=KEY))
        world.proxy.database.licensed = True
        world.entity(KIND, "science", organizationAlias="s", maxBudget=1)
        await world.sync(KIND, "science")
        assert world.condition(KIND, "science") == ("True", "Synced")

    run(scenario())
