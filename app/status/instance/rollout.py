"""``RolloutComplete``: whether every pod runs what the present spec asks for, and if not, what it waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.status.instance.gateway_reasons import (
    ROLLED_BACK,
    ROLLED_OUT,
    ROLLOUT_HELD,
    ROLLOUT_IN_PROGRESS,
    ROLLOUT_STALLED,
    ROLLOUT_WAITING,
)
from app.status.instance.pods import first_fault

if TYPE_CHECKING:
    from app.status.instance.gateway import ManagedGateway
    from app.status.reason import Condition


def rollout_condition(gateway: ManagedGateway) -> Condition:
    """The condition; it is on every managed instance."""
    rollout, hold = gateway.rollout, gateway.hold
    if hold is not None:
        pods = "the running pods stay as they are" if rollout.exists else "no pods are made"
        if hold.told_by:
            return ROLLOUT_HELD.because(f"{pods} until {hold.why}; the condition {hold.told_by} says what to do")
        return ROLLOUT_WAITING.because(f"{pods} until {hold.why}")
    if gateway.rolled_back is not None:
        return ROLLED_BACK.because(f"the pods run the last good template, kept in {gateway.rolled_back.revision}")
    if not rollout.exists:
        return ROLLOUT_WAITING.because("the Deployment is being made")
    counts = f"{rollout.updated} of {rollout.replicas} pods run the wanted template, {rollout.available} are available"
    # While others serve, no other condition tells of a pod that does not start.
    fault = f"; {found}" if (found := first_fault(gateway.pod_faults)) else ""
    if rollout.current and rollout.stalled:
        return ROLLOUT_STALLED.because(f"the Deployment gave up: {counts}{fault}")
    if not rollout.current:
        return ROLLOUT_IN_PROGRESS.because("the wanted pod template was applied just now")
    return ROLLED_OUT.because(counts) if rollout.complete else ROLLOUT_IN_PROGRESS.because(counts + fault)
