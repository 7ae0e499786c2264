"""What the pods of a Job tell that the Job itself does not: whether any of them has ever run anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.hooks.observed_fields import object_in, objects_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hooks.objects import Object

_OVER = frozenset({"Succeeded", "Failed"})


def pods_of(job: Object, pods: Iterable[Object]) -> list[Object]:
    """Those of the pods that the Job owns."""
    uid = job["metadata"].get("uid")
    return [pod for pod in pods if uid in _owners(pod)]


def without_job(jobs: Iterable[Object], pods: Iterable[Object]) -> list[Object]:
    """The pods that are not over and that none of the Jobs owns."""
    present = {job["metadata"].get("uid") for job in jobs}
    return [pod for pod in pods if not present & _owners(pod) and object_in(pod, "status").get("phase") not in _OVER]


def has_run(pod: Object) -> bool:
    """Whether a container of the pod runs or ever did; also true of a pod that is over, for whatever reason."""
    status = object_in(pod, "status")
    containers = [*objects_in(status, "initContainerStatuses"), *objects_in(status, "containerStatuses")]
    return status.get("phase") in {*_OVER, "Running"} or any(_has_run(container) for container in containers)


def _has_run(container: Object) -> bool:
    state = object_in(container, "state")
    return bool(container.get("restartCount") or container.get("lastState") or state.keys() & {"running", "terminated"})


def _owners(pod: Object) -> set[Any]:
    return {owner.get("uid") for owner in objects_in(pod["metadata"], "ownerReferences")}
