"""An object that goes over to another instance, or whose instance goes to another proxy: what the first proxy was told counts
for nothing at the second, even if one master key opens both."""

from __future__ import annotations

import asyncio
from copy import deepcopy
from dataclasses import dataclass, field

import pytest

from app.sim.fake_litellm import Behaviour, FakeLiteLLM, FakeNetwork
from tests.unit.entities.examples import EXAMPLES, KINDS, in_step, settled, with_what_it_needs
from tests.unit.entities.world import KEY, URL, World
from tests.unit.litellm.virtual_time import run

OTHER = "http://other.team.svc:4000"


@dataclass
class TwoProxies(World):
    """The instance may be attached to either."""

    other: FakeLiteLLM = field(default_factory=lambda: FakeLiteLLM(master_key=KEY))

    def network(self) -> FakeNetwork:
        return FakeNetwork({URL: self.proxy, OTHER: self.other})


@pytest.mark.parametrize("kind", KINDS)
def test_another_proxy_with_the_same_master_key_is_told_everything(kind: str) -> None:
    async def scenario() -> None:
        world = TwoProxies(endpoint=URL)
        world.other.database.licensed = True
        await settled(world, kind)
        spec = world.objects["LiteLLMInstance", "gw"]["spec"]
        world.instance(spec={**spec, "workload": {"managed": False, "endpoint": OTHER}})
        for one in with_what_it_needs(kind):
            await in_step(world, one)
        table = EXAMPLES[kind].table
        assert world.other.database.table(table).keys() == world.rows(table).keys()

    run(scenario())


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind in ("LiteLLMBudget", "LiteLLMCustomer", "LiteLLMUser")])
def test_somebody_elses_object_of_that_id_at_the_other_instance_is_not_deleted(kind: str) -> None:
    async def scenario() -> None:
        world = TwoProxies(endpoint=URL)
        name = await settled(world, kind)
        spec = world.objects["LiteLLMInstance", "gw"]["spec"]
        there = {**spec, "workload": {"managed": False, "endpoint": OTHER}}
        world.objects["LiteLLMInstance", "other"] = {
            **world.objects["LiteLLMInstance", "gw"],
            "metadata": {**world.objects["LiteLLMInstance", "gw"]["metadata"], "name": "other", "uid": "uid-other"},
            "spec": there,
        }
        table = EXAMPLES[kind].table
        theirs = deepcopy(world.rows(table))
        for row in theirs.values():
            row["metadata"] = {}
        world.other.database.tables = {table: theirs}
        for one in with_what_it_needs(kind):
            world.entity(one, EXAMPLES[one].name, **{**EXAMPLES[one].spec, "instanceRef": {"name": "other"}})
            for _ in range(2):
                await world.sync(one, EXAMPLES[one].name)
        assert world.left_behind.count(kind) == 1, "the one at the first instance is nobody's now, and that is said once"
        ids = set(theirs)
        assert await world.finalize(kind, name)
        assert set(world.other.database.table(table)) >= ids

    run(scenario())


async def moved(world: TwoProxies, kind: str, to: str, *, ready: bool = True) -> str:
    """The example of a kind and all that it needs at another instance of the namespace, synced there; its name."""
    gateway = world.objects["LiteLLMInstance", "gw"]
    there = {**gateway["spec"], "workload": {"managed": False, "endpoint": OTHER}}
    metadata = {**gateway["metadata"], "name": "other", "uid": "uid-other"}
    world.objects["LiteLLMInstance", "other"] = {**gateway, "metadata": metadata, "spec": there, "status": {"ready": ready}}
    world.other.database.licensed = True
    for one in with_what_it_needs(kind):
        world.entity(one, EXAMPLES[one].name, **{**EXAMPLES[one].spec, "instanceRef": {"name": to}})
        for _ in range(2):
            await world.sync(one, EXAMPLES[one].name)
    return EXAMPLES[kind].name


LEFT = "FormerInstanceCleared"


@pytest.mark.parametrize("kind", KINDS)
def test_what_stays_at_the_first_instance_is_told_until_the_next_edit(kind: str) -> None:
    async def scenario() -> None:
        world = TwoProxies(endpoint=URL)
        name = await settled(world, kind)
        assert world.condition(kind, name, LEFT) == ("", "")
        await moved(world, kind, "other", ready=False)
        assert world.condition(kind, name, LEFT) == ("False", "LeftBehind")
        world.objects["LiteLLMInstance", "other"]["status"]["ready"] = True
        for one in with_what_it_needs(kind):
            await in_step(world, one)
        assert world.condition(kind, name, LEFT) == ("False", "LeftBehind")
        assert any(here in world.message(kind, name, LEFT) for here in world.rows(EXAMPLES[kind].table))
        assert "LiteLLMInstance gw" in world.message(kind, name, LEFT)
        assert world.left_behind.count(kind) == 1
        world.entity(kind, name, **{**EXAMPLES[kind].edited, "instanceRef": {"name": "other"}})
        await world.sync(kind, name)
        assert world.condition(kind, name, LEFT) == ("", "")

    run(scenario())


@pytest.mark.parametrize("kind", KINDS)
def test_what_stays_at_the_first_instance_is_counted_though_the_object_is_deleted_at_once(kind: str) -> None:
    async def scenario() -> None:
        world = TwoProxies(endpoint=URL)
        name = await settled(world, kind)
        metadata = {**world.objects["LiteLLMInstance", "gw"]["metadata"], "name": "other", "uid": "uid-other"}
        world.objects["LiteLLMInstance", "other"] = {**world.objects["LiteLLMInstance", "gw"], "metadata": metadata}
        world.entity(kind, name, **{**EXAMPLES[kind].spec, "instanceRef": {"name": "other"}})
        assert await world.finalize(kind, name)
        assert world.left_behind == [kind]

    run(scenario())


@pytest.mark.parametrize("kind", KINDS)
def test_a_deletion_that_waits_tells_of_the_first_instance_once(kind: str) -> None:
    async def scenario() -> None:
        world = TwoProxies(endpoint=URL)
        name = await settled(world, kind)
        gateway = world.objects["LiteLLMInstance", "gw"]
        world.objects["LiteLLMInstance", "other"] = {**gateway, "metadata": {**gateway["metadata"], "name": "other"}}
        world.entity(kind, name, **{**EXAMPLES[kind].spec, "instanceRef": {"name": "other"}})
        world.proxy.behaviour = Behaviour.DEAD
        world.objects[kind, name]["metadata"]["deletionTimestamp"] = f"{world.now():%Y-%m-%dT%H:%M:%SZ}"
        for _ in range(3):
            assert not await world.finalize(kind, name)
            assert world.condition(kind, name, LEFT) == ("False", "LeftBehind")
            await asyncio.sleep(5)
        assert world.left_behind == [kind]

    run(scenario())


def test_what_was_there_before_us_is_not_left_behind() -> None:
    async def scenario() -> None:
        world = TwoProxies(endpoint=URL)
        name = await settled(world, "LiteLLMTeam")
        world.objects["LiteLLMTeam", name]["status"]["adopted"] = True
        await moved(world, "LiteLLMTeam", "other")
        assert world.condition("LiteLLMTeam", name, LEFT) == ("", "")
        assert world.left_behind == []

    run(scenario())
