"""The service is down while the user goes on working, and comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.objects import Resource
from tests.e2e.objects import condition, config_map, deployment, instance, managed_before, master_key, ready
from tests.e2e.stage import scenario
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from tests.e2e.world import World

DEPLOYMENT = Resource("apps/v1", "Deployment", "deployments")


@scenario
async def test_an_edit_during_an_outage_is_answered_when_the_service_is_back(world: World) -> None:
    await world.create(master_key())
    await world.create(instance("gateway", world.proxy.url))
    await world.settle()
    with world.outage():
        await world.patch(INSTANCE, "gateway", {"spec": {"caching": {"enabled": True, "type": "local"}}})
        await world.pass_seconds(2)
        stale = await world.get(INSTANCE, "gateway")
        assert stale["status"]["observedGeneration"] < stale["metadata"]["generation"]
        assert ready(stale) == ("True", "ProxyReachable")

    async def answered() -> bool:
        gateway = await world.get(INSTANCE, "gateway")
        return gateway["status"]["observedGeneration"] == gateway["metadata"]["generation"]

    await world.until(answered)
    await world.settle()
    assert "spec.caching" in condition(await world.get(INSTANCE, "gateway"), "WorkloadUnmanaged")["message"]


@scenario
async def test_an_outage_deletes_no_child_and_an_edit_during_it_neither(world: World) -> None:
    await world.create(master_key())
    owner = await world.create(instance("gateway", world.proxy.url))
    await managed_before(world, owner, deployment("gateway"), config_map("gateway-config"))
    await world.settle()
    before = await world.get(DEPLOYMENT, "gateway")
    with world.outage():
        await world.patch(INSTANCE, "gateway", {"spec": {"replicas": 5}})
        await world.pass_seconds(2)
        assert await world.get(DEPLOYMENT, "gateway") == before

    async def answered() -> bool:
        gateway = await world.get(INSTANCE, "gateway")
        return gateway["status"]["observedGeneration"] == gateway["metadata"]["generation"]

    await world.until(answered)
    await world.settle()
    assert await world.get(DEPLOYMENT, "gateway") == before


@scenario
async def test_an_instance_that_is_deleted_during_an_outage_goes_when_the_service_is_back(world: World) -> None:
    """It is held until somebody has seen that nothing of it is left to be deleted in LiteLLM."""
    await world.create(master_key())
    await world.create(instance("gateway", world.proxy.url))
    await world.settle()
    with world.outage():
        await world.delete(INSTANCE, "gateway")
        await world.pass_seconds(1)
        assert await world.exists(INSTANCE, "gateway")

    async def gone() -> bool:
        return not await world.exists(INSTANCE, "gateway")

    await world.until(gone)
    await world.settle()
