"""``Ready`` of a managed gateway: the first step of a chain that has something to say decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.apis.litellm.sighting import Reach
from app.status.instance.gateway import MigrationStage
from app.status.instance.gateway_reasons import (
    ALL_RESOURCES_READY,
    AUTO_ROLLBACK,
    DEPLOYMENT_NOT_READY,
    LIVENESS_PROBE_FAILED,
    RECONCILE_ERROR,
)
from app.status.instance.reasons import DATABASE_READY, PROBE_PENDING, READINESS_PROBE_FAILED
from app.status.reason import READY, Condition

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hooks.objects import Object
    from app.status.instance.gateway import ManagedGateway

    Step = Callable[[ManagedGateway], Condition | None]

_PROBED = {ALL_RESOURCES_READY.reason, LIVENESS_PROBE_FAILED.reason, READINESS_PROBE_FAILED.reason}


def gateway_ready(gateway: ManagedGateway, before: dict[str, Object]) -> Condition:
    """The condition. While a probe is under way the observed one stays, if it was the outcome of a probe."""
    decided = next(condition for step in CHAIN if (condition := step(gateway)) is not None)
    if decided.reason == PROBE_PENDING.reason:
        return _kept(before.get(READY, {})) or decided
    return decided


def gateway_usable(gateway: ManagedGateway) -> bool:
    """``status.ready``: a replica is ready. Failing probes do not stop who uses the gateway, as in the Go operator."""
    return gateway.rollout.ready > 0


def was_probed(before: dict[str, Object]) -> bool:
    """Whether the observed ``Ready`` says what a probe saw."""
    return _kept(before.get(READY, {})) is not None


def _kept(ready: Object) -> Condition | None:
    message = ready.get("message")
    if ready.get("reason") not in _PROBED or ready.get("status") not in {"True", "False"} or not isinstance(message, str):
        return None
    return Condition(READY, ready["status"], ready["reason"], message)


def _reconcile_error(gateway: ManagedGateway) -> Condition | None:
    if gateway.problems:
        return RECONCILE_ERROR.because(f"{gateway.problems[0].message}; the condition ChildrenApplied names all")
    if gateway.missing:
        return RECONCILE_ERROR.because(f"{gateway.missing[0]}; the condition ReferencesResolved names all")
    if gateway.migration.stage is MigrationStage.FAILED:
        why = f"the migration failed ({gateway.migration.why}); see the condition DatabaseReady"
        return RECONCILE_ERROR.because(why + _way_back(gateway))
    return None


def _rolled_back(gateway: ManagedGateway) -> Condition | None:
    if gateway.rolled_back is None:
        return None
    return AUTO_ROLLBACK.because(
        f"the pods of the present spec did not become ready in time; {gateway.rolled_back.revision} runs until the spec changes"
    )


def _no_pod(gateway: ManagedGateway) -> Condition | None:
    if gateway_usable(gateway):
        return None
    if gateway.hold is not None and not gateway.rollout.exists:
        return DEPLOYMENT_NOT_READY.because(f"no pods are made until {gateway.hold.why}{_way_back(gateway)}")
    if gateway.pod_faults:
        fault = gateway.pod_faults[0]
        return DEPLOYMENT_NOT_READY.because(f"no pod is ready; {fault.pod}: {fault.reason}")
    return DEPLOYMENT_NOT_READY.because("no pod is ready")


def _way_back(gateway: ManagedGateway) -> str:
    """The remedy where pods are gone, and those that are to follow wait for a migration that does not succeed."""
    lost = gateway.hold is not None and gateway.hold.told_by == DATABASE_READY and not gateway.rollout.exists
    if not lost or not gateway.migration.finished:
        return ""
    return "; set spec.image back to one that was migrated to, and pods are made at once"


def _probe_impossible(gateway: ManagedGateway) -> Condition | None:
    if not gateway.probe_problem:
        return None
    return LIVENESS_PROBE_FAILED.because(f"{gateway.endpoint} was not asked: {gateway.probe_problem}")


def _pending(gateway: ManagedGateway) -> Condition | None:
    if gateway.sighting.health is not None:
        return None
    return PROBE_PENDING.because(f"{gateway.endpoint} was asked and has not answered yet")


def _dead(gateway: ManagedGateway) -> Condition | None:
    health = gateway.sighting.health
    if health is None or health.alive:
        return None
    if health.reach is Reach.REFUSED:
        return LIVENESS_PROBE_FAILED.because(f"{gateway.endpoint} leads to {health.trouble}, which Palena does not connect to")
    return LIVENESS_PROBE_FAILED.because(f"a pod is ready, but {gateway.endpoint} {health.trouble}")


def _not_ready(gateway: ManagedGateway) -> Condition | None:
    health = gateway.sighting.health
    if health is None or not health.readiness_trouble:
        return None
    return READINESS_PROBE_FAILED.because(f"{gateway.endpoint} is alive, but {health.readiness_trouble}")


def _ready(gateway: ManagedGateway) -> Condition:
    stuck = gateway.hold is not None and gateway.hold.told_by
    held = "; what the spec asks of pods is held; the condition RolloutComplete says why" if stuck else ""
    return ALL_RESOURCES_READY.because(f"{gateway.endpoint} answers{held}")


CHAIN: tuple[Step, ...] = (
    _reconcile_error,
    _rolled_back,
    _no_pod,
    _probe_impossible,
    _pending,
    _dead,
    _not_ready,
    _ready,
)
