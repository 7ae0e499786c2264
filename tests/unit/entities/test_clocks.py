"""Clocks that disagree: the API server's, ours, and ours before it was put right. Nothing waits for a time that is years away."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest

from app.controllers.entities.finalizing import GRACE
from app.sim.fake_litellm import Behaviour
from tests.unit.entities.examples import EXAMPLES, KINDS, settled
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

KIND = "LiteLLMTeam"
FAR = "9999-12-31T23:59:59Z"
LONG_AGO = "0001-01-01T00:00:00Z"


@dataclass
class Skewed(World):
    """Our clock is off by ``skew``."""

    skew: timedelta = timedelta(0)

    def now(self) -> datetime:
        return super().now() + self.skew


def with_config_sync(world: World) -> None:
    """The instance compares every minute."""
    spec = world.objects["LiteLLMInstance", "gw"]["spec"]
    world.instance(spec={**spec, "configSync": {"enabled": True, "interval": "1m"}})


@pytest.mark.parametrize(
    "mark", [FAR, LONG_AGO, "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00", "2026-01-01T00:30:00Z"]
)
@pytest.mark.parametrize("kind", ["LiteLLMTeam", "LiteLLMVirtualKey", "LiteLLMBudget"])
def test_a_deletion_ends_in_minutes_whatever_the_time_of_its_mark(kind: str, mark: str) -> None:
    async def scenario() -> None:
        world = World()
        name = await settled(world, kind)
        world.objects[kind, name]["metadata"]["deletionTimestamp"] = mark
        world.proxy.behaviour = Behaviour.DEAD
        for _ in range(2 * GRACE // 5 + 1):
            if await world.finalize(kind, name):
                break
            await asyncio.sleep(5)
        assert (kind, name) not in world.objects
        assert world.left_behind == [kind]

    run(scenario())


@pytest.mark.parametrize("mark", [FAR, LONG_AGO, "9999-12-31T23:59:59-12:00"])
def test_an_instance_that_is_deleted_waits_for_minutes_whatever_the_time_of_its_mark(mark: str) -> None:
    async def scenario() -> None:
        world = World()
        name = await settled(world, KIND)
        for one in (world.objects["LiteLLMInstance", "gw"], world.objects[KIND, name]):
            one["metadata"] |= {"deletionTimestamp": mark, "finalizers": ["metacontroller.io/compositecontroller-x"]}
        for _ in range(2 * GRACE // 5 + 1):
            if await world.finalize("LiteLLMInstance", "gw"):
                break
            await asyncio.sleep(5)
        assert ("LiteLLMInstance", "gw") not in world.objects

    run(scenario())


@pytest.mark.parametrize("kind", KINDS)
def test_a_clock_that_was_years_ahead_hides_no_drift_for_years(kind: str) -> None:
    async def scenario() -> None:
        world = Skewed(skew=timedelta(days=20_000))
        with_config_sync(world)
        name = await settled(world, kind)
        await world.sync(kind, name)
        world.skew = timedelta(0)
        world.rows(EXAMPLES[kind].table).clear()
        for _ in range(3):
            await asyncio.sleep(120)
            await world.sync(kind, name)
        assert world.rows(EXAMPLES[kind].table)

    run(scenario())


def test_an_object_that_was_awaited_by_a_clock_ahead_is_told_again() -> None:
    async def scenario() -> None:
        world = World()
        name = await settled(world, "LiteLLMModel")
        world.objects["LiteLLMModel", name]["status"] |= {"awaitedSince": FAR, "syncHash": ""}
        world.rows("models").clear()
        await world.sync("LiteLLMModel", name)
        assert world.condition("LiteLLMModel", name) == ("True", "Synced")

    run(scenario())


@pytest.mark.parametrize("created", [FAR, LONG_AGO, "", "yesterday"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_time_of_creation_stops_an_object(kind: str, created: str) -> None:
    async def scenario() -> None:
        world = World()
        name = await settled(world, kind)
        world.objects[kind, name]["metadata"]["creationTimestamp"] = created
        world.entity(kind, name, **EXAMPLES[kind].edited)
        await world.sync(kind, name)
        assert world.condition(kind, name) == ("True", "Synced")
        assert await world.finalize(kind, name)

    run(scenario())
