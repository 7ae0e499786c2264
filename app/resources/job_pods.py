"""What the pods of a Job tell that the Job itself does not: whether any of them has ever run anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.hooks.objects import Object

_OVER = frozenset({"Succeeded", "Failed"})


def pods_of(job: Object, pods: Iterable[Object]) -> list[Object]:
    """Those of the pods that the Job owns."""
    uid = job["metadata"].get("uid")
    return [pod for pod in pods if uid in _owners(pod)]


def without_job(jobs: Iterable[Object], pods: Iterable[Object]) -> list[Object]:
    """The pods that are not over and that none of the Jobs owns."""
    present = {job["metadata"].get("uid") for job in jobs}
    return [pod for pod in pods if not present & _owners(pod) and _map(pod, "status").get("phase") not in _OVER]


def has_run(pod: Object) -> bool:
    """Whether a container of the pod runs or ever did; also true of a pod that is over, for whatever reason."""
    status = _map(pod, "status")
    containers = [*_items(status, "initContainerStatuses"), *_items(status, "containerStatuses")]
    return status.get("phase") in {*_OVER, "Running"} or any(_has_run(container) for container in containers)


def _has_run(container: Object) -> bool:
    state = _map(container, "state")
    return bool(container.get("restartCount") or container.get("lastState") or state.keys() & {"running", "terminated"})


def _owners(pod: Object) -> set[Any]:
    return {owner.get("uid") for owner in _items(pod["metadata"], "ownerReferences")}


def _map(fields: Object, key: str) -> Object:
    value: Any = fields.get(key)
    return cast("Object", value) if isinstance(value, dict) else {}


def _items(fields: Object, key: str) -> Iterator[Object]:
    value: Any = fields.get(key)
    for item in cast("list[Any]", value) if isinstance(value, list) else []:
        if isinstance(item, dict):
            yield cast("Object", item)
