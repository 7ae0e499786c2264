"""Who a remote object belongs to: a mark that we leave in it, and what follows from the mark that is found. Pure.

Two clusters may share a proxy, and people make objects by hand. So nothing is changed or deleted because its id or name is
the expected one: only our mark, an id in our own status, or the user's word makes an object ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hooks.objects import Object

MARK = "palena.ai/owner"
"""The key of the mark, in whatever metadata a kind has."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The custom resource that an object belongs to."""

    cluster: str
    """``PALENA_CLUSTER_ID``."""
    namespace: str
    name: str
    uid: str
    """Tells namesakes apart: two installations may have the same cluster id. A restored cluster has other uids, too."""

    @property
    def path(self) -> str:
        """What makes two owners the same."""
        return f"{self.cluster}/{self.namespace}/{self.name}"

    @property
    def namesake(self) -> str:
        """For a message: the other object of this path, and what is to be done."""
        return (
            f"another {self.path}, of a cluster with the same PALENA_CLUSTER_ID: give each its own, and the object that is to "
            'have it the annotation litellm.palena.ai/adopt: "true"'
        )


@dataclass(frozen=True, slots=True)
class Mark:
    """What we left in an object when we last wrote it."""

    owner: str
    uid: str = ""
    fields: frozenset[str] = frozenset()
    """Names of the fields that were sent. What is among them and not wanted any more is to be cleared; others are not ours."""
    adopted: bool = False
    """Whether the object was there before us and stays when its owner goes."""

    def written(self) -> Object:
        """As it is stored under :data:`MARK`."""
        return {"owner": self.owner, "uid": self.uid, "fields": sorted(self.fields), "adopted": self.adopted}


def mark_in(metadata: Any) -> Mark | None:
    """The mark in an object's metadata; nothing if there is none that can be read."""
    found: Any = cast("Object", metadata).get(MARK) if isinstance(metadata, dict) else None
    if not isinstance(found, dict):
        return None
    stored = cast("Object", found)
    fields: Any = stored.get("fields")
    if not isinstance(stored.get("owner"), str):
        return None
    names = cast("Iterable[Any]", fields) if isinstance(fields, list) else ()
    return Mark(
        owner=stored["owner"],
        uid=str(stored.get("uid", "")),
        fields=frozenset(name for name in names if isinstance(name, str)),
        adopted=stored.get("adopted") is True,
    )


class Claim(Enum):
    """Whose an object is, seen from one owner."""

    OURS = "made by us, or bound to us by our status"
    ADOPTED = "somebody else's, and ours by the user's word"
    FOREIGN = "another owner's"
    NAMESAKE = "another object's of the same cluster id, namespace and name"
    UNCLAIMED = "nobody's that can be seen"


def claim(mark: Mark | None, owner: Owner, *, bound: bool, adopting: bool, adopted: bool = False, strict: bool = False) -> Claim:
    """``bound``: our status holds the object's id. ``adopting``: the user asked for that very object. ``adopted``: our
    status says that it was there before us. ``strict``: a mark with another uid is no earlier one of ours."""
    if mark is not None and mark.owner != owner.path:
        return Claim.FOREIGN
    if mark is not None and strict and mark.uid not in ("", owner.uid):
        return Claim.NAMESAKE
    if (mark is not None and mark.adopted) or adopted:
        return Claim.ADOPTED
    if mark is not None or bound:
        return Claim.OURS
    return Claim.ADOPTED if adopting else Claim.UNCLAIMED
