"""What a Job's status says of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from app.hooks.observed_fields import object_in, objects_in, text_in

if TYPE_CHECKING:
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
    for condition in objects_in(object_in(job, "status"), "conditions"):
        if condition.get("status") != "True":
            continue
        if condition.get("type") == "Complete":
            return JobState(JobPhase.SUCCEEDED)
        if condition.get("type") == "Failed":
            return JobState(JobPhase.FAILED, _why(condition))
    if object_in(job, "spec").get("suspend") is True:
        return JobState(JobPhase.SUSPENDED)
    return JobState(JobPhase.RUNNING)


def _why(condition: Object) -> str:
    words = [text for key in ("reason", "message") if (text := text_in(condition, key))]
    return ": ".join(words) or "no reason given"
