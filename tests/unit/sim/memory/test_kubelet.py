"""Workloads run when the stand-in for the kubelet is told so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.objects import Object, Resource
from app.sim.kubelet import Kubelet
from tests.unit.sim.memory.objects import DEPLOYMENT, JOB, STATEFUL_SET, deployment, item

if TYPE_CHECKING:
    from app.sim.memory import MemoryCluster
    from tests.unit.sim.memory.conftest import Clock

PODS = Resource("v1", "Pod", "pods")


def condition(stored: Object, kind: str) -> Object:
    return next(one for one in stored["status"]["conditions"] if one["type"] == kind)


async def test_everything_runs_and_a_second_look_writes_nothing(cluster: MemoryCluster, clock: Clock) -> None:
    await cluster.create(deployment())
    await cluster.create(item(STATEFUL_SET, "store", {"spec": {"replicas": 1, "serviceName": "store"}}))
    await cluster.create(item(JOB, "migrate", {"spec": {"template": {}}}))
    kubelet = Kubelet(cluster, clock=clock)
    assert await kubelet.run() == 3
    clock.advance(60)
    assert await kubelet.run() == 0
    web = await cluster.get(DEPLOYMENT, "alpha", "d")
    assert (web["status"]["readyReplicas"], condition(web, "Available")["status"]) == (2, "True")
    assert (await cluster.get(STATEFUL_SET, "alpha", "store"))["status"]["readyReplicas"] == 1
    assert condition(await cluster.get(JOB, "alpha", "migrate"), "Complete")["lastTransitionTime"] == "2030-01-01T00:00:00Z"


async def test_a_deployment_that_fails_again_is_no_longer_available(cluster: MemoryCluster, clock: Clock) -> None:
    await cluster.create(deployment())
    kubelet = Kubelet(cluster, clock=clock)
    await kubelet.make_ready(DEPLOYMENT, "alpha", "d")
    clock.advance(60)
    await kubelet.make_ready(DEPLOYMENT, "alpha", "d", ready=False)
    web = await cluster.get(DEPLOYMENT, "alpha", "d")
    assert (web["status"]["readyReplicas"], web["status"]["unavailableReplicas"]) == (0, 2)
    assert condition(web, "Available")["lastTransitionTime"] == "2030-01-01T00:01:00Z"
    assert condition(web, "Progressing")["lastTransitionTime"] == "2030-01-01T00:00:00Z"


async def test_a_job_can_fail(cluster: MemoryCluster, clock: Clock) -> None:
    await cluster.create(item(JOB, "migrate", {"spec": {"template": {}}}))
    await Kubelet(cluster, clock=clock).finish(JOB, "alpha", "migrate", succeeded=False)
    job = await cluster.get(JOB, "alpha", "migrate")
    assert condition(job, "Failed")["reason"] == "BackoffLimitExceeded"
    assert "completionTime" not in job["status"]


async def test_where_there_are_pods_they_run_and_the_workload_is_left_to_its_controller(
    cluster: MemoryCluster, clock: Clock
) -> None:
    await cluster.create(deployment())
    await cluster.create(item(PODS, "ours", labels={"app": "web", "hash": "1"}))
    await cluster.create(item(PODS, "other", labels={"app": "db"}))
    assert await Kubelet(cluster, clock=clock).run() == 1
    assert (await cluster.get(PODS, "alpha", "ours"))["status"]["phase"] == "Running"
    assert "status" not in await cluster.get(DEPLOYMENT, "alpha", "d")
    assert "status" not in await cluster.get(PODS, "alpha", "other")
