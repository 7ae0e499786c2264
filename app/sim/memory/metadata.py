"""What the API server itself writes into ``metadata``: identity, times, generations.

What it refuses there is in :mod:`.metadata_rules`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from app.hooks.objects import Object
    from app.sim.memory.kinds import ServedKind
    from app.sim.memory.store import Collection

NAMESPACES: Collection = ("", "namespaces")

_ANNOTATIONS_COUNT: set[Collection] = {("apps", "deployments")}
"""Kinds whose annotations are copied onward, so that an edit of them moves the generation too."""

_IDENTITY = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation")
_NO_CLIENT_WRITES = (*_IDENTITY, "namespace", "name", "managedFields")
_NOT_STORED_EMPTY = (
    "labels",
    "annotations",
    "finalizers",
    "ownerReferences",
    "managedFields",
    "generateName",
    "creationTimestamp",
)


def timestamp(moment: datetime) -> str:
    """A time as the API writes it: UTC, whole seconds."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def begin(item: Object, kind: ServedKind, uid: str, now: datetime) -> None:
    """Give a new object its identity; whatever the client wrote there is overwritten."""
    metadata = item["metadata"]
    for name in _IDENTITY:
        metadata.pop(name, None)
    metadata["uid"], metadata["creationTimestamp"] = uid, timestamp(now)
    if kind.counts_generations:
        metadata["generation"] = 1
    if kind.collection == NAMESPACES:
        metadata["labels"] = {**(metadata.get("labels") or {}), "kubernetes.io/metadata.name": metadata["name"]}
        item["spec"] = {"finalizers": ["kubernetes"]}
        item["status"] = {"phase": "Active"}


def carry_over(item: Object, live: Object) -> None:
    """Put back what no update may change."""
    metadata, before = item["metadata"], live["metadata"]
    for name in _NO_CLIENT_WRITES:
        if name in before:
            metadata[name] = before[name]
        else:
            metadata.pop(name, None)


def mark_deleted(item: Object, now: datetime) -> None:
    """Let an object that something still holds begin to terminate; that is a new generation of it."""
    metadata = item["metadata"]
    metadata["deletionTimestamp"] = timestamp(now)
    metadata["deletionGracePeriodSeconds"] = 0
    if "generation" in metadata:
        metadata["generation"] += 1


def tidy(item: Object) -> None:
    """Drop what the API server does not store empty or null. A null within is the empty value of its type, as in Go."""
    metadata = item["metadata"]
    for name in _NOT_STORED_EMPTY:
        if name in metadata and not metadata[name]:
            del metadata[name]
    for name in ("labels", "annotations"):
        if name in metadata and None in metadata[name].values():
            metadata[name] = {key: "" if value is None else value for key, value in metadata[name].items()}
    if None in metadata.get("finalizers", []):
        metadata["finalizers"] = ["" if one is None else one for one in metadata["finalizers"]]
    if None in metadata.get("ownerReferences", []):
        metadata["ownerReferences"] = [one or {} for one in metadata["ownerReferences"]]


def moves_generation(item: Object, live: Object, kind: ServedKind) -> bool:
    """Whether an update is a new generation: everything outside metadata counts, and a status that is no subresource."""
    if not kind.counts_generations:
        return False
    left_out = {"metadata", "status"} if kind.has_status else {"metadata"}
    if any(item.get(name) != live.get(name) for name in (item.keys() | live.keys()) - left_out):
        return True
    return kind.collection in _ANNOTATIONS_COUNT and item["metadata"].get("annotations") != live["metadata"].get("annotations")
