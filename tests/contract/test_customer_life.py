"""A LiteLLMCustomer's life at the real proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.litellm.entities.customer import own_budget
from tests.contract.entities import RealWorld, world_at
from tests.contract.peer.releases import RELEASES

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.contract.peer.proxy import Proxy

# What is said of health makes no difference to customers.
pytestmark = pytest.mark.proxies(*(f"{release.name}-default" for release in RELEASES))

KIND = "LiteLLMCustomer"
LIMITS = ("max_budget", "budget_duration", "tpm_limit", "rpm_limit")


async def becomes(world: RealWorld, **spec: Any) -> Object:
    """The customer is as its spec says, and rests; what LiteLLM shows of it."""
    name = world.unique("c/ä")
    world.entity(KIND, "acme", None, customerId=name, **spec)
    status = await world.sync(KIND, "acme")
    assert world.condition(KIND, "acme") == ("True", "Synced"), world.message(KIND, "acme")
    assert await world.sync(KIND, "acme") == status
    return await shown(world)


async def shown(world: RealWorld) -> Object:
    _, row = await world.ask("GET", f"/customer/info?end_user_id={world.unique('c/ä')}")
    return row


def limits_of(row: Object) -> list[Any]:
    budget: Object = row["litellm_budget_table"] or {}
    return [budget.get(name) for name in LIMITS]


async def test_a_customer_is_made_changed_cleared_and_deleted(proxy: Proxy) -> None:
    world = world_at(proxy)
    row = await becomes(
        world,
        alias="Acme",
        maxBudget=0,
        budgetDuration="30d",
        tpmLimit=0,
        rpmLimit=7,
        models=["m"],
        blocked=True,
        objectPermission={"vectorStores": ["v"], "mcpServers": ["s"], "accessGroups": ["g"], "agents": ["a"]},
    )
    assert (row["alias"], row["blocked"], limits_of(row)) == ("Acme", True, [0, "30d", 0, 7])
    permission = row["object_permission"]
    names = ("vector_stores", "mcp_servers", "mcp_access_groups", "agents")
    assert [permission[name] for name in names] == [["v"], ["s"], ["g"], ["a"]]
    ignored = ("False", "FieldsIgnored") if proxy.release.name == "oldest" else ("", "")
    assert world.condition(KIND, "acme", "FieldsApplied") == ignored

    row = await becomes(world, maxBudget=5, objectPermission={"vectorStores": ["w"]})
    assert (row["alias"] or "", row["blocked"], limits_of(row)) == ("", False, [5, None, None, None])
    assert [row["object_permission"][name] for name in names] == [["w"], [], [], []]
    assert row.get("models", []) == []

    row = await becomes(world)
    assert (limits_of(row), row["object_permission"]["vector_stores"]) == ([None] * 4, [])
    assert await world.finalize(KIND, "acme")
    assert (await world.ask("GET", f"/customer/info?end_user_id={world.unique('c/ä')}"))[0] == 404
    assert await world.ask("POST", "/budget/info", {"budgets": [own_budget(world.unique("c/ä"))]}) == (200, [])


async def test_a_customer_goes_from_a_tier_to_limits_of_its_own_and_back(proxy: Proxy) -> None:
    world = world_at(proxy)
    tier = world.unique("gold")
    world.entity(KIND, "acme", customerId=world.unique("c/ä"), budgetId=tier)
    await world.sync(KIND, "acme")
    assert world.condition(KIND, "acme") == ("False", "ReferenceNotReady")
    assert (await world.ask("POST", "/budget/new", {"budget_id": tier, "max_budget": 9}))[0] == 200
    assert limits_of(await becomes(world, budgetId=tier))[0] == 9
    assert limits_of(await becomes(world, maxBudget=0))[0] == 0
    assert limits_of(await becomes(world, budgetId=tier))[0] == 9
    _, (row,) = await world.ask("POST", "/budget/info", {"budgets": [tier]})
    assert row["max_budget"] == 9
    assert await world.finalize(KIND, "acme")
    assert (await world.ask("POST", "/budget/info", {"budgets": [tier]}))[1]


async def test_a_customer_who_was_there_before_gets_limits_and_stays(proxy: Proxy) -> None:
    world = world_at(proxy)
    theirs = {"user_id": world.unique("c/ä"), "alias": "theirs", "max_budget": 3, "object_permission": {"agents": ["a"]}}
    assert (await world.ask("POST", "/customer/new", theirs))[0] == 200
    row = await becomes(world, maxBudget=0, tpmLimit=5, objectPermission={"vectorStores": ["v"]})
    assert world.condition(KIND, "acme", "Adopted") == ("True", "ExistedBefore")
    assert (row["alias"], limits_of(row)) == ("theirs", [0, None, 5, None])
    assert await world.finalize(KIND, "acme")
    assert (await shown(world))["alias"] == "theirs"
