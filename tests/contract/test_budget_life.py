"""A LiteLLMBudget's life at the real proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.contract.entities import world_at
from tests.contract.peer.releases import RELEASES

if TYPE_CHECKING:
    from tests.contract.peer.proxy import Proxy

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
