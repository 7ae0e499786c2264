"""Stands in for scheduler and kubelet: says that workloads run, or are over, when told to.

It works through the :class:`~app.sim.cluster.Cluster` interface, so it serves the in-memory API server and a real one alike.
Where a workload has Pods (the workload controllers of a real control plane made them) their status is written, and the
controllers see to the rest; where it has none the status of the workload itself is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.objects import terminating
from app.sim.cluster import NotFound
from app.sim.memory.metadata import timestamp

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from app.hooks.objects import Object, Resource
    from app.sim.cluster import Cluster

WORKLOADS = (("apps/v1", "deployments"), ("apps/v1", "statefulsets"), ("batch/v1", "jobs"))


class Kubelet:
    """Runs Deployments, StatefulSets and Jobs, in status only."""

    def __init__(self, cluster: Cluster, *, clock: Callable[[], datetime]) -> None:
        self._cluster = cluster
        self._clock = clock

    async def run(self, namespace: str = "") -> int:
        """Make every workload ready, or complete if it is a Job; in one namespace or in all. Returns the number of writes."""
        written = 0
        for api_version, plural in WORKLOADS:
            resource = await self._cluster.resource(api_version, plural)
            for item in await self._cluster.list(resource, namespace):
                written += await self._run(resource, item, well=True)
        return written

    async def make_ready(self, resource: Resource, namespace: str, name: str, *, ready: bool = True) -> None:
        """All replicas of one Deployment or StatefulSet are ready, or none is."""
        await self._run(resource, await self._cluster.get(resource, namespace, name), well=ready)

    async def finish(self, resource: Resource, namespace: str, name: str, *, succeeded: bool = True) -> None:
        """One Job is over."""
        await self._run(resource, await self._cluster.get(resource, namespace, name), well=succeeded)

    async def _run(self, resource: Resource, item: Object, *, well: bool) -> int:
        if terminating(item):
            return 0
        is_job = item["kind"] == "Job"
        pod_resource = await self._cluster.resource("v1", "pods")
        wanted: dict[str, str] = item["spec"].get("selector", {}).get("matchLabels", {})
        pods = await self._cluster.list(pod_resource, item["metadata"].get("namespace", ""))
        pods = [pod for pod in pods if wanted and wanted.items() <= pod["metadata"].get("labels", {}).items()]
        if pods:
            return sum([await self._write(pod_resource, pod, self._pod(pod, is_job=is_job, well=well)) for pod in pods])
        status = self._finished(item, succeeded=well) if is_job else self._running(item, ready=well)
        return await self._write(resource, item, status)

    async def _write(self, resource: Resource, item: Object, status: Object) -> bool:
        """Patch what differs; an object that is gone meanwhile is no error."""
        live: Object = item.get("status", {})
        if all(live.get(name) == value for name, value in status.items()):
            return False
        metadata, patch = item["metadata"], {"status": status}
        try:
            await self._cluster.merge_patch(resource, metadata["namespace"], metadata["name"], patch, subresource="status")
        except NotFound:
            return False
        return True

    def _pod(self, pod: Object, *, is_job: bool, well: bool) -> Object:
        if is_job:
            return {"phase": "Succeeded" if well else "Failed"}
        return {"phase": "Running", "conditions": [self._condition(pod, "Ready", well, "")]}

    def _running(self, item: Object, *, ready: bool) -> Object:
        replicas = item["spec"].get("replicas", 1)
        running = replicas if ready else 0
        status: Object = {
            "observedGeneration": item["metadata"].get("generation"),
            "replicas": replicas,
            "updatedReplicas": replicas,
            "readyReplicas": running,
            "availableReplicas": running,
        }
        if item["kind"] == "Deployment":
            available = running == replicas
            reason = "MinimumReplicasAvailable" if available else "MinimumReplicasUnavailable"
            status["unavailableReplicas"] = None if available else replicas
            status["conditions"] = [
                self._condition(item, "Available", available, reason),
                self._condition(item, "Progressing", True, "NewReplicaSetAvailable"),
            ]
        return status

    def _finished(self, item: Object, *, succeeded: bool) -> Object:
        now, live = timestamp(self._clock()), item.get("status", {})
        status: Object = {"startTime": live.get("startTime", now), "active": None, "uncountedTerminatedPods": {}}
        if not succeeded:
            reason = "BackoffLimitExceeded"
            conditions = [self._condition(item, name, True, reason) for name in ("FailureTarget", "Failed")]
            return {**status, "failed": 1, "conditions": conditions}
        conditions = [self._condition(item, name, True, "CompletionsReached") for name in ("SuccessCriteriaMet", "Complete")]
        completed = {"completionTime": live.get("completionTime", now), "succeeded": item["spec"].get("completions", 1)}
        return {**status, **completed, "conditions": conditions}

    def _condition(self, item: Object, kind: str, holds: bool, reason: str) -> Object:
        """A condition; its transition time moves only when it flips."""
        status = "True" if holds else "False"
        conditions: list[Object] = item.get("status", {}).get("conditions", [])
        before = next((one for one in conditions if one["type"] == kind and one["status"] == status), None)
        since = timestamp(self._clock()) if before is None else before["lastTransitionTime"]
        return {"type": kind, "status": status, "lastTransitionTime": since} | ({"reason": reason} if reason else {})
