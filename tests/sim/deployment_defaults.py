"""A stand-in for what the API server fills into a Deployment, which the cluster in memory leaves out.

Only for the one recording that requires it: all others spell the defaults out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.sim.memory import MemoryCluster

if TYPE_CHECKING:
    from app.hooks.objects import Object

DEPLOYMENT = {
    "progressDeadlineSeconds": 600,
    "revisionHistoryLimit": 10,
    "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}},
}
POD = {
    "dnsPolicy": "ClusterFirst",
    "restartPolicy": "Always",
    "schedulerName": "default-scheduler",
    "securityContext": {},
    "terminationGracePeriodSeconds": 30,
}
CONTAINER = {
    "imagePullPolicy": "IfNotPresent",
    "resources": {},
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}
PORT = {"protocol": "TCP"}


class DefaultingCluster(MemoryCluster):
    """A cluster in memory that completes Deployments on their way in."""

    async def create(self, item: Object) -> Object:
        return await super().create(completed(item))

    async def update(self, item: Object, *, subresource: str = "") -> Object:
        return await super().update(completed(item), subresource=subresource)


def completed(item: Object) -> Object:
    """A Deployment with the defaults of its pods, containers and ports; anything else as it is."""
    if item["kind"] != "Deployment":
        return item
    spec = {**DEPLOYMENT, **item["spec"]}
    pod = {**POD, **spec["template"]["spec"]}
    containers = [_container(container) for container in pod["containers"]]
    return {**item, "spec": {**spec, "template": {**spec["template"], "spec": {**pod, "containers": containers}}}}


def _container(container: dict[str, Any]) -> dict[str, Any]:
    ports = {"ports": [{**PORT, **port} for port in container["ports"]]} if "ports" in container else {}
    return {**CONTAINER, **container, **ports}
