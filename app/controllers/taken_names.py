"""Names that something else holds. Metacontroller tells nobody: our create meets a conflict for ever, or, under server-side
apply, takes the other's object over. So children are asked for by name, and a name that is held is not answered at all.

An add-on sees the names of its kinds and answers no status. It notes what is held in an annotation of the instance, whose own
controller could ask for these kinds only at the price of standing still on the day on which one of them is no longer served.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.objects import CONTROLLER_UID, Object, Resource, annotations_of, labels_of
from app.hooks.observed_fields import objects_in
from app.status.instance.gateway import ChildProblem
from app.status.instance.gateway_reasons import NAME_TAKEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.hooks.request import SyncRequest

NOTE = "names-taken.litellm.palena.ai"
"""Before the slash of such an annotation; after it comes the API group."""


def holder(request: SyncRequest, resource: Resource, name: str) -> ChildProblem | None:
    """Who holds the name of a child that we do not have; None where it is free, or held by a child that is new to us."""
    if request.children.find(resource, request.namespace, name) is not None:
        return None
    other = request.related.find(resource, request.namespace, name)
    if other is None or is_ours(other, request.uid):
        return None
    child = f"{resource.kind} {name}"
    return ChildProblem(child, NAME_TAKEN, f"{child} {_whose(other)} and is left untouched")


def noted(api: str, taken: Sequence[ChildProblem], parent: Object) -> dict[str, str | None]:
    """The annotation in which the add-on of an API notes the children whose names are held; nothing to say if there are none."""
    key = f"{NOTE}/{api}"
    if taken:
        return {key: ", ".join(problem.child for problem in taken)}
    return {key: None} if key in annotations_of(parent) else {}


def names_noted(parent: Object, api: str) -> list[str]:
    """The children (``Route gw``) that the add-on of the API has noted."""
    note = annotations_of(parent).get(f"{NOTE}/{api}")
    return note.split(", ") if isinstance(note, str) else []


def is_ours(item: Object, uid: str) -> bool:
    """Whether it is a child of which Metacontroller has not told us yet: one with its label, and with us as the controller."""
    return labels_of(item).get(CONTROLLER_UID) == uid and any(
        owner.get("uid") == uid and owner.get("controller") is True for owner in _owners(item)
    )


def _whose(item: Object) -> str:
    for owner in _owners(item):
        if owner.get("controller") is True:
            return f"belongs to {owner.get('kind')} {owner.get('name')}"
    return "exists already"


def _owners(item: Object) -> list[Object]:
    return objects_in(item["metadata"], "ownerReferences")
