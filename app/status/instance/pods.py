"""What is wrong with a gateway's pods: the reason that a pod itself gives, at most three pods, short messages."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from app.status.instance.gateway_reasons import ALL_PODS_HEALTHY, POD_FAULT, PODS_NOT_READY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
    containers = [*_items(status, "initContainerStatuses"), *_items(status, "containerStatuses")]
    phase = _text(status, "phase")
    found = next((trouble for container in containers if (trouble := _trouble(container))), None)
    reason, message = found or _phase_trouble(status, phase)
    if not reason:
        return None
    restarts = sum(count for container in containers if isinstance(count := container.get("restartCount"), int))
    return PodFault(str(pod["metadata"]["name"]), phase, reason, _short(message), restarts)


def _trouble(container: Object) -> tuple[str, str] | None:
    state = _map(container, "state")
    waiting, terminated = _map(state, "waiting"), _map(state, "terminated")
    reason = _text(waiting, "reason")
    if reason and reason not in _STARTING:
        last = _map(_map(container, "lastState"), "terminated")
        return reason, _ended(last) if last else _text(waiting, "message")
    if terminated.get("exitCode"):
        return _text(terminated, "reason") or "ContainerTerminated", _ended(terminated)
    return None


def _phase_trouble(status: Object, phase: str) -> tuple[str, str]:
    if phase == "Failed":
        return _text(status, "reason") or "PodFailed", _text(status, "message")
    if phase == "Pending":
        for condition in _items(status, "conditions"):
            if condition.get("type") == "PodScheduled" and condition.get("status") == "False":
                return _text(condition, "reason") or _PENDING, _text(condition, "message")
        return _PENDING, "the pod is not running yet"
    return "", ""


def _ended(terminated: Object) -> str:
    words = [f"the container ended with exit code {terminated.get('exitCode')}"]
    words += [text for key in ("reason", "message") if (text := _text(terminated, key))]
    return ": ".join(words)


def _short(message: str) -> str:
    return message if len(message) <= LONGEST_MESSAGE else message[: LONGEST_MESSAGE - 1] + "…"


def _map(fields: Object, key: str) -> Object:
    value: Any = fields.get(key)
    return cast("Object", value) if isinstance(value, dict) else {}


def _text(fields: Object, key: str) -> str:
    value: Any = fields.get(key)
    return value if isinstance(value, str) else ""


def _items(fields: Object, key: str) -> Iterator[Object]:
    value: Any = fields.get(key)
    for item in cast("list[Any]", value) if isinstance(value, list) else []:
        if isinstance(item, dict):
            yield cast("Object", item)
