"""The HorizontalPodAutoscaler of the proxy's Deployment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources import names
from app.resources.checks import at_least
from app.resources.child import child
from app.resources.errors import Unbuildable
from app.resources.kinds import AUTOSCALER, DEPLOYMENT

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway


def autoscaler(gateway: Gateway) -> Object | None:
    """Without a target, Kubernetes aims at 80 % of the CPU request. None while ``spec.autoscaling`` is off."""
    wanted = gateway.spec.autoscaling
    if wanted is None or not wanted.enabled:
        return None
    least = at_least(1, wanted.min_replicas, "spec.autoscaling.minReplicas")
    if wanted.max_replicas < least:
        raise Unbuildable("spec.autoscaling.maxReplicas", "must not be less than minReplicas")
    spec: Object = {
        "scaleTargetRef": {
            "apiVersion": DEPLOYMENT.api_version,
            "kind": DEPLOYMENT.kind,
            "name": names.deployment(gateway.name),
        },
        "minReplicas": least,
        "maxReplicas": wanted.max_replicas,
    }
    targets = {
        "cpu": (wanted.target_cpu_utilization, "spec.autoscaling.targetCPUUtilization"),
        "memory": (wanted.target_memory_utilization, "spec.autoscaling.targetMemoryUtilization"),
    }
    metrics = [_metric(name, at_least(1, percent, field)) for name, (percent, field) in targets.items() if percent is not None]
    if metrics:
        spec["metrics"] = metrics
    return child(AUTOSCALER, gateway, gateway.name, spec=spec)


def _metric(name: str, percent: int) -> Object:
    target = {"type": "Utilization", "averageUtilization": percent}
    return {"type": "Resource", "resource": {"name": name, "target": target}}
