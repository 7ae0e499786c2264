"""What a user does to a simulated cluster, and what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.cli.offline import offline_simulation
from app.sim.clock import VirtualClock
from app.sim.cluster import Invalid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.hooks.objects import Object

SECRET: Object = {
    "apiVersion": "v1",
    "kind": "Secret",
    "metadata": {"name": "master-key", "namespace": "ai"},
    "stringData": {"key": "sk-master"},
}


def instance(**workload: object) -> Object:
    return {
        "apiVersion": "litellm.palena.ai/v1alpha1",
        "kind": "LiteLLMInstance",
        "metadata": {"name": "gw", "namespace": "ai"},
        "spec": {"workload": workload, "masterKey": {"secretRef": {"name": "master-key", "key": "key"}}, "database": {}},
    }


class Looks:
    """Keeps what was seen."""

    def __init__(self) -> None:
        self.all: list[Sequence[Object]] = []

    async def look(self, items: Sequence[Object]) -> None:
        self.all.append(items)

    def ready(self) -> str:
        (parent,) = [item for item in self.all[-1] if item["kind"] == "LiteLLMInstance"]
        return next(one["reason"] for one in parent["status"]["conditions"] if one["type"] == "Ready")


async def test_applying_again_edits_the_object_and_wakes_the_controller() -> None:
    looks = Looks()
    async with offline_simulation(VirtualClock()) as simulation:
        await simulation.apply([SECRET, instance()])
        await simulation.converge(seconds=5, look=looks.look)
        assert looks.ready() == "DeploymentNotReady"
        await simulation.apply([instance(managed=False)])
        await simulation.converge(seconds=5, look=looks.look)
        assert looks.ready() == "ProxyReachable"


async def test_a_secret_that_comes_late_is_noticed() -> None:
    looks = Looks()
    async with offline_simulation(VirtualClock()) as simulation:
        await simulation.apply([instance(managed=False)])
        await simulation.converge(seconds=5, look=looks.look)
        assert looks.ready() == "ProxyNotReachable"
        await simulation.apply([SECRET])
        await simulation.converge(seconds=5, look=looks.look)
        assert looks.ready() == "ProxyReachable"


async def test_a_refused_object_is_not_there() -> None:
    async with offline_simulation(VirtualClock()) as simulation:
        with pytest.raises(Invalid, match=r"workload\.endpoint is only valid"):
            await simulation.apply([instance(endpoint="http://proxy:4000")])
        assert await simulation.objects() == []


async def test_deleting_what_is_gone_is_no_error() -> None:
    looks = Looks()
    async with offline_simulation(VirtualClock()) as simulation:
        await simulation.apply([SECRET])
        for _ in range(2):
            await simulation.delete([SECRET])
        assert await simulation.converge(seconds=1, look=looks.look, until=lambda items: not items)


async def test_waiting_ends_when_what_was_waited_for_is_there_and_says_whether_it_came() -> None:
    looks = Looks()
    clock = VirtualClock()
    async with offline_simulation(clock) as simulation:
        start = clock.now()
        await simulation.apply([SECRET])
        assert await simulation.converge(seconds=60, look=looks.look, until=lambda items: len(items) == 1)
        assert clock.now() == start
        assert not await simulation.converge(seconds=60, look=looks.look, until=lambda items: len(items) == 2)
        assert (clock.now() - start).total_seconds() == 60
