"""The proxy's Deployment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources import names
from app.resources.checks import at_least, seconds
from app.resources.child import child, user_annotations
from app.resources.errors import Unbuildable
from app.resources.kinds import DEPLOYMENT
from app.resources.pod_template import pod_template

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

_DEFAULT_STEP = "25%"


def deployment(gateway: Gateway) -> Object:
    """With the pod template of the spec; which one it runs is decided in :mod:`app.controllers.pods`."""
    wanted = gateway.spec.deployment
    spec: Object = {
        **_replicas(gateway),
        "selector": {"matchLabels": gateway.labels},
        "strategy": _strategy(gateway),
        "template": pod_template(gateway),
    }
    if gateway.spec.upgrade:
        # What the field means for a Deployment: how long it may take before it counts as failed.
        spec["progressDeadlineSeconds"] = seconds(gateway.spec.upgrade.health_check_timeout, "spec.upgrade.healthCheckTimeout")
    return child(
        DEPLOYMENT,
        gateway,
        names.deployment(gateway.name),
        annotations=user_annotations(wanted.annotations if wanted else None, "spec.deployment.annotations"),
        spec=spec,
    )


def _replicas(gateway: Gateway) -> Object:
    """Under an autoscaler what is observed, so that no sync undoes its decision; 0 counts as 1, as the Go operator has it."""
    if gateway.spec.autoscaling and gateway.spec.autoscaling.enabled:
        return {} if gateway.observed_replicas is None else {"replicas": gateway.observed_replicas}
    return {"replicas": at_least(0, gateway.spec.replicas, "spec.replicas") or 1}


def _strategy(gateway: Gateway) -> Object:
    """Defaults are spelled out: fields of ours are removed when ``recreate`` is chosen, which the server's would prevent."""
    upgrade = gateway.spec.upgrade
    if upgrade and upgrade.strategy == "recreate":
        return {"type": "Recreate"}
    unavailable = _step(upgrade.max_unavailable if upgrade else None, "spec.upgrade.maxUnavailable")
    surge = _step(upgrade.max_surge if upgrade else None, "spec.upgrade.maxSurge")
    if unavailable == surge == 0:
        raise Unbuildable("spec.upgrade.maxUnavailable", "must not be 0 while maxSurge is 0")
    return {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": surge, "maxUnavailable": unavailable}}


def _step(value: int | None, field: str) -> int | str:
    return _DEFAULT_STEP if value is None else at_least(0, value, field)
