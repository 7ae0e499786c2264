"""Owner references: who controls an object, and the object with such a reference added or taken off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from app.hooks.objects import Object


def owners(item: Object) -> list[Object]:
    """The owner references of an object."""
    return cast("list[Object]", item.get("metadata", {}).get("ownerReferences") or [])


def controller_of(item: Object) -> Object | None:
    """The one owner reference that says ``controller: true``, or nothing."""
    return next((owner for owner in owners(item) if owner.get("controller")), None)


def owner_reference(parent: Object) -> Object:
    """The reference that makes a parent the controller of its children."""
    return {
        "apiVersion": parent["apiVersion"],
        "kind": parent["kind"],
        "name": parent["metadata"]["name"],
        "uid": parent["metadata"]["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }


def with_owner(item: Object, reference: Object) -> Object:
    """The object with this reference in place of one of the same uid, or at the end of the list."""
    known = owners(item)
    replaced = [reference if owner["uid"] == reference["uid"] else owner for owner in known]
    return _with_owners(item, replaced if any(owner is reference for owner in replaced) else [*known, reference])


def without_owner(item: Object, uid: str) -> Object:
    """The object without references to that uid."""
    return _with_owners(item, [owner for owner in owners(item) if owner["uid"] != uid])


def claimed(item: Object, parent: Object) -> Object:
    """A desired child with the parent as its controller, unless it already names that parent in its own way."""
    uid = parent["metadata"]["uid"]
    return item if any(owner.get("uid") == uid for owner in owners(item)) else with_owner(item, owner_reference(parent))


def _with_owners(item: Object, references: list[Object]) -> Object:
    metadata: dict[str, Any] = {key: value for key, value in item.get("metadata", {}).items() if key != "ownerReferences"}
    return {**item, "metadata": {**metadata, "ownerReferences": references} if references else metadata}
