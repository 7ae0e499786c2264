"""An object that goes over to another instance, or whose instance goes to another proxy: what the first proxy was told counts
for nothing at the second, even if one master key opens both."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

import pytest

from app.sim.fake_litellm import FakeLiteLLM, FakeNetwork
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
