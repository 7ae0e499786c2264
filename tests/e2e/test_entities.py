"""Entities of every kind on a real API server: from any order to Ready, at rest without a word, and gone without a trace."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from app.sim.loop import Strategy
from tests.e2e.driven import PATIENCE_SECONDS, until
from tests.e2e.fleet import KINDS, TABLES, fleet_on, provider
from tests.e2e.objects import KEY, ready

if TYPE_CHECKING:
    from tests.e2e.kubectl import Kubectl
    from tests.e2e.stage import Stage


async def test_ten_of_each_kind_become_ready_in_any_order_rest_and_go(stage: Stage, kubectl: Kubectl) -> None:
    # Only keys have children, so for all others the strategy makes no difference.
    await life(stage, kubectl, 10 if stage.strategy is Strategy.DYNAMIC_APPLY else 3)


async def test_rotated_keys_reach_litellm_and_no_object_is_touched(stage: Stage, kubectl: Kubectl) -> None:
    async with fleet_on(stage, kubectl, 2) as fleet:
        await fleet.arrive(seed=2)
        await fleet.are_ready()
        await fleet.come_to_rest()
        before = {item["metadata"]["name"]: item for item in await fleet.objects()}

        await fleet.rotate_provider_keys()
        holders = ("credentials", "models", "mcp_servers", "vector_stores")
        for number in range(fleet.count):
            for table in holders:
                await until(
                    lambda table=table, number=number: f"sk-new-{number}" in str(fleet.rows(table)), f"{table} have the old key"
                )
        assert "sk-provider-" not in str([fleet.rows(table) for table in holders])

        await fleet.rotate_master_key("sk-another-master")

        async def all_pushed() -> bool:
            now = await fleet.objects()
            hashes = [before[item["metadata"]["name"]]["status"]["syncHash"] != item["status"]["syncHash"] for item in now]
            return all(hashes) and all(ready(item) == ("True", "Synced") for item in now)

        await until(all_pushed, "not everything was told LiteLLM again under the new master key")
        after = {item["metadata"]["name"]: item for item in await fleet.objects()}
        assert {one: item["metadata"]["generation"] for one, item in after.items()} == dict.fromkeys(before, 1)
        assert fleet.made() == Counter(dict.fromkeys(TABLES, fleet.count))
        await fleet.come_to_rest()
        rest = fleet.calls()
        await fleet.resyncs(2)
        assert fleet.calls() == rest


async def life(stage: Stage, kubectl: Kubectl, count: int) -> None:
    """The whole life of so many of each kind."""
    async with fleet_on(stage, kubectl, count) as fleet:
        await fleet.arrive(seed=count)
        await fleet.are_ready()
        assert len(await fleet.objects()) == count * len(KINDS)
        assert fleet.made() == Counter(dict.fromkeys(TABLES, count))

        await fleet.come_to_rest()
        told, written = fleet.calls(), fleet.written()
        await fleet.resyncs(20)
        assert fleet.calls() == told
        assert fleet.written() == written

        await fleet.edit()
        assert fleet.made() == Counter(dict.fromkeys(TABLES, count))

        assert await fleet.delete() < PATIENCE_SECONDS
        assert fleet.made() == Counter()
        assert await fleet.secrets() == {KEY["name"], *(provider(number) for number in range(count))}
