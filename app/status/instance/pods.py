"""What is wrong with a gateway's pods: the reason that a pod itself gives, at most three pods, short messages."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.hooks.observed_fields import object_in, objects_in, text_in
from app.status.instance.gateway_reasons import ALL_PODS_HEALTHY, POD_FAULT, PODS_NOT_READY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hooks.objects import Object
    from app.status.reason import Condition

MOST_PODS = 3
LONGEST_MESSAGE = 512
"""Characters; the schema allows no more."""

_PENDING = "Pending"
_STARTING = frozenset({"ContainerCreating", "PodInitializing"})
_REASON = re.compile(r"[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?", re.ASCII)


@dataclass(frozen=True, slots=True)
class PodFault:
    """A pod that is not well, and why in its own words."""

    pod: str
    phase: str
    reason: str
    message: str
    restarts: int

    def entry(self) -> Object:
        """The item of ``status.unhealthyPods``."""
        told = {"phase": self.phase, "reason": self.reason, "message": self.message}
        return {"name": self.pod, **{key: value for key, value in told.items() if value}, "restartCount": self.restarts}


def pod_faults(pods: Iterable[Object]) -> tuple[PodFault, ...]:
    """The faults of pods that are not being deleted, by name of the pod, at most :data:`MOST_PODS`."""
    alive = [pod for pod in pods if "deletionTimestamp" not in pod["metadata"]]
    faults = (_fault(pod) for pod in sorted(alive, key=lambda pod: str(pod["metadata"]["name"])))
    return tuple(fault for fault in faults if fault is not None)[:MOST_PODS]


def start_fault(pod: Object) -> str:
    """Why the pod cannot start, with its name; empty where it runs, or is on its way."""
    fault = _fault(pod)
    return first_fault([fault] if fault is not None else [])


def first_fault(faults: Iterable[PodFault]) -> str:
    """The first pod that is more than on its way, and why in its own words; empty if there is none."""
    found = next((fault for fault in faults if fault.reason != _PENDING), None)
    if found is None:
        return ""
    return ": ".join(part for part in (f"pod {found.pod}", found.reason, found.message) if part)


def pods_condition(faults: tuple[PodFault, ...], *, ready: bool) -> Condition:
    """``PodsHealthy``. While enough pods are ready nobody is troubled with the others; the rollout condition tells of them."""
    if ready:
        return ALL_PODS_HEALTHY.because("the gateway has a ready pod")
    if not faults:
        return PODS_NOT_READY.because("no pod is ready yet, and none gives a reason")
    first = faults[0]
    condition = POD_FAULT.because(f"pod {first.pod}: {first.message or first.reason}")
    return replace(condition, reason=first.reason) if _REASON.fullmatch(first.reason) else condition


def _fault(pod: Object) -> PodFault | None:
    status: Object = pod["status"] if isinstance(pod.get("status"), dict) else {}
    containers = [*objects_in(status, "initContainerStatuses"), *objects_in(status, "containerStatuses")]
    phase = text_in(status, "phase")
    found = next((trouble for container in containers if (trouble := _trouble(container))), None)
    reason, message = found or _phase_trouble(status, phase)
    if not reason:
        return None
    restarts = sum(count for container in containers if isinstance(count := container.get("restartCount"), int))
    return PodFault(str(pod["metadata"]["name"]), phase, reason, _short(message), restarts)


def _trouble(container: Object) -> tuple[str, str] | None:
    state = object_in(container, "state")
    waiting, terminated = object_in(state, "waiting"), object_in(state, "terminated")
    reason = text_in(waiting, "reason")
    if reason and reason not in _STARTING:
        last = object_in(object_in(container, "lastState"), "terminated")
        return reason, _ended(last) if last else text_in(waiting, "message")
    if terminated.get("exitCode"):
        return text_in(terminated, "reason") or "ContainerTerminated", _ended(terminated)
    return None


def _phase_trouble(status: Object, phase: str) -> tuple[str, str]:
    if phase == "Failed":
        return text_in(status, "reason") or "PodFailed", text_in(status, "message")
    if phase == "Pending":
        for condition in objects_in(status, "conditions"):
            if condition.get("type") == "PodScheduled" and condition.get("status") == "False":
                return text_in(condition, "reason") or _PENDING, text_in(condition, "message")
        return _PENDING, "the pod is not running yet"
    return "", ""


def _ended(terminated: Object) -> str:
    words = [f"the container ended with exit code {terminated.get('exitCode')}"]
    words += [text for key in ("reason", "message") if (text := text_in(terminated, key))]
    return ": ".join(words)


def _short(message: str) -> str:
    return message if len(message) <= LONGEST_MESSAGE else message[: LONGEST_MESSAGE - 1] + "…"
