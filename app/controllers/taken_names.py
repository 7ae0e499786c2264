"""Names that something else holds. Metacontroller tells nobody: our create meets a conflict for ever, or, under server-side
apply, takes the other's object over. So children are asked for by name, and a name that is held is not answered at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.hooks.objects import CONTROLLER_UID, Object, Resource
from app.status.instance.gateway import ChildProblem
from app.status.instance.gateway_reasons import NAME_TAKEN

if TYPE_CHECKING:
    from app.hooks.request import SyncRequest


def holder(request: SyncRequest, resource: Resource, name: str) -> ChildProblem | None:
    """Who holds the name of a child that we do not have; None where it is free, or held by a child that is new to us."""
    if request.children.find(resource, request.namespace, name) is not None:
        return None
    other = request.related.find(resource, request.namespace, name)
    if other is None or _ours(other, request.uid):
        return None
    child = f"{resource.kind} {name}"
    return ChildProblem(child, NAME_TAKEN, f"{child} {_whose(other)} and is left untouched")


def _ours(item: Object, uid: str) -> bool:
    """Whether it is a child of which Metacontroller has not told us yet."""
    labels: Any = item["metadata"].get("labels")
    labelled = isinstance(labels, dict) and cast("Object", labels).get(CONTROLLER_UID) == uid
    return labelled and any(owner.get("uid") == uid for owner in _owners(item))


def _whose(item: Object) -> str:
    for owner in _owners(item):
        if owner.get("controller") is True:
            return f"belongs to {owner.get('kind')} {owner.get('name')}"
    return "exists already"


def _owners(item: Object) -> list[Object]:
    owners: Any = item["metadata"].get("ownerReferences")
    return [owner for owner in cast("list[Any]", owners) if isinstance(owner, dict)] if isinstance(owners, list) else []
