"""The installation that attaches to proxies only: no right over any workload."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.hooks.objects import Resource
from app.sim.cluster import Forbidden
from app.sim.cluster_kube import KubeCluster
from tests.e2e.controlplane.plane import METACONTROLLER
from tests.e2e.objects import deployment, instance, managed_instance, master_key, own_writes, ready
from tests.e2e.stage import Stage, scenario
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from tests.e2e.world import World

SHAPE = "attach-only"
DEPLOYMENT = Resource("apps/v1", "Deployment", "deployments")


@scenario
async def test_an_attached_instance_becomes_ready_and_only_its_finalizer_and_status_are_written(world: World) -> None:
    await world.create(master_key())
    await world.create(deployment("gateway"))
    await world.create(instance("gateway", world.proxy.url))
    await world.settle()
    assert ready(await world.get(INSTANCE, "gateway")) == ("True", "ProxyReachable")
    assert await world.written() == own_writes("gateway")
    before = await world.versions()
    await world.resyncs(20)
    assert await world.versions() == before


@scenario
async def test_a_managed_instance_is_told_that_managed_mode_is_not_installed(world: World) -> None:
    await world.create(master_key())
    await world.create(managed_instance("gateway"))
    await world.settle()
    assert ready(await world.get(INSTANCE, "gateway")) == ("False", "ManagedModeNotInstalled")


async def test_metacontrollers_account_may_not_touch_workloads_nor_delete_an_instance_nor_patch_it(stage: Stage) -> None:
    async with KubeCluster.from_kubeconfig(stage.plane.kubeconfig(METACONTROLLER)) as cluster:
        with pytest.raises(Forbidden, match="cannot list resource"):
            await cluster.list(DEPLOYMENT)
        with pytest.raises(Forbidden, match="cannot create resource"):
            await cluster.create({**deployment("made-up"), "metadata": {"name": "made-up", "namespace": "default"}})
        with pytest.raises(Forbidden, match="cannot delete resource"):
            await cluster.delete(INSTANCE, "default", "gateway")
        with pytest.raises(Forbidden, match="cannot patch resource"):
            await cluster.merge_patch(INSTANCE, "default", "gateway", {"spec": {"workload": None}})
