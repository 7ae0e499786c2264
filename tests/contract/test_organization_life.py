"""A LiteLLMOrganization's life at the real proxy: free at 1.81, refused without a licence since 1.108."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.litellm.entities.ownership import MARK
from tests.contract.entities import RealWorld, world_at

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.contract.peer.proxy import Proxy

KIND = "LiteLLMOrganization"


async def becomes(world: RealWorld, **spec: Any) -> Object:
    """The organization is as its spec says, and rests; what LiteLLM shows of it."""
    world.entity(KIND, "science", None, **{"organizationAlias": world.unique("science"), **spec})
    status = await world.sync(KIND, "science")
    assert world.condition(KIND, "science") == ("True", "Synced"), world.message(KIND, "science")
    assert await world.sync(KIND, "science") == status
    code, row = await world.ask("GET", f"/organization/info?organization_id={status['litellmOrganizationId']}")
    assert code == 200
    return row


@pytest.mark.proxies("oldest-default")
async def test_an_organization_is_made_changed_cleared_and_deleted(proxy: Proxy) -> None:
    world = world_at(proxy)
    lead, other = world.unique("lead") + "@Example.com", world.unique("other") + "@example.com"
    for email in (lead, other):
        assert (await world.ask("POST", "/user/new", {"user_email": email, "auto_create_key": False}))[0] == 200
    row = await becomes(
        world,
        models=["gpt"],
        maxBudget=0,
        softBudget=0,
        budgetDuration="30d",
        tpmLimit=0,
        rpmLimit=7,
        modelRpmLimit={"a": 1, "b": 2},
        modelTpmLimit={"a": 3},
        metadata={"cost-centre": "4711"},
        objectPermission={"vectorStores": ["v"]},
        members=[{"email": lead.lower(), "role": "org_admin"}, {"email": other}],
    )
    assert row["metadata"][MARK]["owner"] == f"{world.cluster_id}/team/science"
    assert {member["user_email"]: member["user_role"] for member in row["members"]} == {lead: "org_admin", other: "internal_user"}
    assert world.objects[KIND, "science"]["status"]["memberCount"] == 2

    row = await becomes(world, maxBudget=5, modelRpmLimit={"b": 4}, members=[{"email": other, "role": "org_admin"}])
    limits = ("max_budget", "soft_budget", "budget_duration", "tpm_limit", "rpm_limit")
    assert [row["litellm_budget_table"][name] for name in limits] == [5, None, None, None, None]
    assert (row["models"], row["object_permission"]["vector_stores"]) == ([], [])
    assert (row["metadata"]["model_rpm_limit"], row["metadata"]["model_tpm_limit"]) == ({"a": None, "b": 4}, {"a": None})
    assert {member["user_email"]: member["user_role"] for member in row["members"]} == {other: "org_admin"}
    assert world.condition(KIND, "science", "FieldsCleared") == ("False", "CannotClear")

    # A lost status changes nothing: the organization is the same one.
    del world.objects[KIND, "science"]["status"]
    assert (await becomes(world, maxBudget=6))["organization_id"] == row["organization_id"]
    assert await world.finalize(KIND, "science")
    assert (await world.ask("GET", f"/organization/info?organization_id={row['organization_id']}"))[0] == 404


@pytest.mark.proxies("oldest-default")
async def test_a_member_whom_litellm_does_not_know_is_waited_for(proxy: Proxy) -> None:
    world = world_at(proxy)
    email = world.unique("new") + "@example.com"
    world.entity(KIND, "science", organizationAlias=world.unique("science"), members=[{"email": email}])
    await world.sync(KIND, "science")
    assert world.condition(KIND, "science") == ("False", "ReferenceNotReady")
    assert (await world.ask("POST", "/user/new", {"user_email": email, "auto_create_key": False}))[0] == 200
    status = await world.sync(KIND, "science")
    assert (world.condition(KIND, "science"), status["memberCount"]) == (("True", "Synced"), 1)
    assert await world.finalize(KIND, "science")


@pytest.mark.proxies("lts-default", "newest-default")
async def test_without_a_licence_it_is_told_and_its_deletion_ends(proxy: Proxy) -> None:
    world = world_at(proxy)
    world.entity(KIND, "science", organizationAlias=world.unique("science"), maxBudget=1)
    await world.sync(KIND, "science")
    assert world.condition(KIND, "science") == ("False", "EnterpriseLicenseRequired")
    assert not await world.finalize(KIND, "science")
    world.objects[KIND, "science"]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    assert await world.finalize(KIND, "science")
    assert world.left_behind == [KIND]
