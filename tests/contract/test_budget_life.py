"""A LiteLLMBudget's life at the real proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.contract.entities import world_at
from tests.contract.peer.releases import RELEASES

if TYPE_CHECKING:
    from tests.contract.peer.proxy import Proxy

# What is said of health makes no difference to budgets.
pytestmark = pytest.mark.proxies(*(f"{release.name}-default" for release in RELEASES))

KIND = "LiteLLMBudget"

pytestmark = pytest.mark.proxies(*(f"{release.name}-default" for release in RELEASES))


async def test_a_budget_is_made_changed_cleared_and_deleted(proxy: Proxy) -> None:
    world = world_at(proxy)
    name = world.unique("tier")
    world.entity(KIND, "tier", budgetId=name, maxBudget=5, tpmLimit=100, budgetDuration="30d")
    await world.sync(KIND, "tier")
    assert world.condition(KIND, "tier") == ("True", "Synced"), world.message(KIND, "tier")
    first = world.objects[KIND, "tier"]["status"]
    assert await world.sync(KIND, "tier") == first
    world.entity(KIND, "tier", budgetId=name, maxBudget=0)
    await world.sync(KIND, "tier")
    _, rows = await world.ask("POST", "/budget/info", {"budgets": [name]})
    assert {field: rows[0][field] for field in ("max_budget", "tpm_limit", "budget_duration")} == {
        "max_budget": 0,
        "tpm_limit": None,
        "budget_duration": None,
    }
    assert await world.finalize(KIND, "tier")
    assert await world.ask("POST", "/budget/info", {"budgets": [name]}) == (200, [])


async def test_limits_by_model_wait_for_a_licence_and_keep_nothing_else_from_litellm(proxy: Proxy) -> None:
    world = world_at(proxy)
    name = world.unique("tier")
    world.entity(KIND, "tier", budgetId=name, maxBudget=5, modelMaxBudget={"gpt": 2.5})
    await world.sync(KIND, "tier")
    assert world.condition(KIND, "tier") == ("False", "EnterpriseLicenseRequired"), world.message(KIND, "tier")
    _, (row,) = await world.ask("POST", "/budget/info", {"budgets": [name]})
    assert row["max_budget"] == 5
    assert await world.finalize(KIND, "tier")


async def test_a_budget_that_was_there_before_is_kept_in_step_and_stays(proxy: Proxy) -> None:
    world = world_at(proxy)
    name = world.unique("tier")
    assert (await world.ask("POST", "/budget/new", {"budget_id": name, "max_budget": 1, "rpm_limit": 9}))[0] == 200
    world.entity(KIND, "tier", budgetId=name, maxBudget=2)
    await world.sync(KIND, "tier")
    assert world.condition(KIND, "tier", "Adopted") == ("True", "ExistedBefore")
    assert await world.finalize(KIND, "tier")
    _, (row,) = await world.ask("POST", "/budget/info", {"budgets": [name]})
    assert (row["max_budget"], row["rpm_limit"]) == (2, 9)
