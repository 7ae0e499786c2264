"""What a Job's status says of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object


class JobPhase(StrEnum):
    """Where a Job stands."""

    RUNNING = "running"
    """Or about to: nobody has looked at it yet."""
    SUSPENDED = "suspended"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class JobState:
    """The phase, and why where somebody said why: the Job controller's words."""

    phase: JobPhase
    why: str = ""


def job_state(job: Object) -> JobState:
    """The state of an observed Job.

    The conditions decide, not the counts: pods that failed may still be tried again, up to the backoff limit and the deadline.
    """
    for condition in _conditions(job):
        if condition.get("status") != "True":
            continue
        if condition.get("type") == "Complete":
            return JobState(JobPhase.SUCCEEDED)
        if condition.get("type") == "Failed":
            return JobState(JobPhase.FAILED, _why(condition))
    spec: Any = job.get("spec")
    if isinstance(spec, dict) and cast("Object", spec).get("suspend") is True:
        return JobState(JobPhase.SUSPENDED)
    return JobState(JobPhase.RUNNING)


def _conditions(job: Object) -> Iterator[Object]:
    status: Any = job.get("status")
    conditions: Any = cast("Object", status).get("conditions") if isinstance(status, dict) else None
    for condition in cast("list[Any]", conditions) if isinstance(conditions, list) else []:
        if isinstance(condition, dict):
            yield cast("Object", condition)


def _why(condition: Object) -> str:
    words = [text for key in ("reason", "message") if isinstance(text := condition.get(key), str) and text]
    return ": ".join(words) or "no reason given"
