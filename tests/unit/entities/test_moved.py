"""An object that goes over to another instance, or whose instance goes to another proxy: what the first proxy was told counts
for nothing at the second, even if one master key opens both."""

from __future__ import annotations

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
