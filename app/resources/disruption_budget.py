"""The PodDisruptionBudget of the proxy's pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources.checks import at_least
from app.resources.child import child
from app.resources.kinds import DISRUPTION_BUDGET

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway


def disruption_budget(gateway: Gateway) -> Object | None:
    """Kubernetes takes one bound only: ``minAvailable`` wins, and without either one pod stays. None while it is off."""
    wanted = gateway.spec.pod_disruption_budget
    if wanted is None or not wanted.enabled:
        return None
    if wanted.min_available is not None:
        bound = {"minAvailable": at_least(0, wanted.min_available, "spec.podDisruptionBudget.minAvailable")}
    elif wanted.max_unavailable is not None:
        bound = {"maxUnavailable": at_least(0, wanted.max_unavailable, "spec.podDisruptionBudget.maxUnavailable")}
    else:
        bound = {"minAvailable": 1}
    return child(DISRUPTION_BUDGET, gateway, gateway.name, spec={**bound, "selector": {"matchLabels": gateway.labels}})
