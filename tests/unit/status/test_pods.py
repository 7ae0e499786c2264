"""The reason that a pod itself gives."""

from __future__ import annotations

from typing import Any

import pytest

from app.status.instance.pods import LONGEST_MESSAGE, pod_faults, pods_condition


def pod(name: str = "gw-1", **status: Any) -> dict[str, Any]:
    return {"metadata": {"name": name}, "status": status}


def container(state: Any, **more: Any) -> dict[str, Any]:
    return {"containerStatuses": [{"name": "litellm", "restartCount": 4, "state": state, **more}]}


ENDED = {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}


@pytest.mark.parametrize(
    ("status", "reason", "message"),
    [
        ({"phase": "Running", **container({"running": {}})}, "", ""),
        ({"phase": "Pending", **container({"waiting": {"reason": "ImagePullBackOff", "message": "m"}})}, "ImagePullBackOff", "m"),
        (
            {"phase": "Running", **container({"waiting": {"reason": "CrashLoopBackOff", "message": "m"}}, lastState=ENDED)},
            "CrashLoopBackOff",
            "the container ended with exit code 137: OOMKilled",
        ),
        ({"phase": "Running", **container(ENDED)}, "OOMKilled", "the container ended with exit code 137: OOMKilled"),
        (
            {"phase": "Running", **container({"terminated": {"exitCode": 1}})},
            "ContainerTerminated",
            "the container ended with exit code 1",
        ),
        ({"phase": "Failed", "reason": "Evicted", "message": "m"}, "Evicted", "m"),
        ({"phase": "Failed"}, "PodFailed", ""),
        (
            {
                "phase": "Pending",
                "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "m"}],
            },
            "Unschedulable",
            "m",
        ),
        (
            {"phase": "Pending", **container({"waiting": {"reason": "ContainerCreating"}})},
            "Pending",
            "the pod is not running yet",
        ),
        ({}, "", ""),
        ({"containerStatuses": "text", "phase": 7}, "", ""),
    ],
)
def test_the_reason_is_the_pods_own(status: Any, reason: str, message: str) -> None:
    assert [(fault.reason, fault.message) for fault in pod_faults([pod(**status)])] == ([(reason, message)] if reason else [])


def test_an_init_container_counts_too() -> None:
    status = {"initContainerStatuses": [{"name": "i", "state": {"waiting": {"reason": "ErrImagePull"}}}]}
    assert pod_faults([pod(**status)])[0].reason == "ErrImagePull"


def test_at_most_three_pods_by_name_with_short_messages() -> None:
    pods = [pod(f"gw-{number}", phase="Failed", message="x" * 2000) for number in range(5, 0, -1)]
    faults = pod_faults(pods)
    assert [fault.pod for fault in faults] == ["gw-1", "gw-2", "gw-3"]
    assert len(faults[0].message) == LONGEST_MESSAGE


def test_a_pod_that_is_being_deleted_is_no_fault() -> None:
    going = pod(phase="Failed")
    going["metadata"]["deletionTimestamp"] = "2030-01-01T00:00:00Z"
    assert pod_faults([going]) == ()


def test_a_reason_that_no_condition_can_have_is_told_in_the_message() -> None:
    condition = pods_condition(pod_faults([pod(phase="Failed", reason="Not a reason!")]), ready=False)
    assert condition.reason == "PodFault"
    assert "gw-1" in condition.message


def test_while_a_pod_is_ready_the_others_trouble_nobody() -> None:
    assert pods_condition(pod_faults([pod(phase="Failed")]), ready=True).reason == "AllPodsHealthy"
