"""What a Job's status says of it."""

from __future__ import annotations

from typing import Any

import pytest

from app.resources.job_state import JobPhase, job_state


def condition(kind: str, status: str = "True", **more: str) -> dict[str, str]:
    return {"type": kind, "status": status, **more}


@pytest.mark.parametrize(
    ("job", "phase", "why"),
    [
        ({}, JobPhase.RUNNING, "nobody has looked at it yet"),
        ({"status": {"active": 1, "failed": 2}}, JobPhase.RUNNING, "pods failed and are tried again"),
        ({"status": {"conditions": [condition("Complete")]}}, JobPhase.SUCCEEDED, ""),
        ({"status": {"conditions": [condition("SuccessCriteriaMet")]}}, JobPhase.RUNNING, "it is about to be over"),
        ({"status": {"conditions": [condition("Failed", reason="DeadlineExceeded")]}}, JobPhase.FAILED, "it never ended"),
        ({"status": {"conditions": [condition("Failed", "False")]}}, JobPhase.RUNNING, "a condition that does not hold"),
        ({"spec": {"suspend": True}, "status": {"conditions": [condition("Suspended")]}}, JobPhase.SUSPENDED, ""),
        ({"spec": {"suspend": True}, "status": {"conditions": [condition("Complete")]}}, JobPhase.SUCCEEDED, "it is over"),
        ({"status": {"conditions": "text"}}, JobPhase.RUNNING, "a status that makes no sense"),
    ],
)
def test_the_conditions_decide(job: Any, phase: JobPhase, why: str) -> None:
    assert job_state(job).phase is phase, why


def test_a_failure_is_told_in_the_controllers_words() -> None:
    failed = condition("Failed", reason="BackoffLimitExceeded", message="Job has reached the specified backoff limit")
    assert job_state({"status": {"conditions": [failed]}}).why == (
        "BackoffLimitExceeded: Job has reached the specified backoff limit"
    )
