"""Holds the objects of one kind in LiteLLM against the claims of custom resources. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.litellm.admin.refusals import told_name
from app.resources.references import OBJECT_NAME

if TYPE_CHECKING:
    from app.controllers.config_sync.claims import Claims
    from app.litellm.snapshot import Listing, Seen

PRUNED_UNMARKED = frozenset({"model", "key"})
"""Kinds of which ``prune`` deletes objects without a mark, too. Teams, users, customers and budgets come to be by requests, by
sign-on and by hand, and the spend and the members of those that are deleted are lost."""

LONGEST_HASH = 12
"""Characters by which a key without an alias is told: enough to find it."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One kind."""

    synced: int
    """Objects that the instance's custom resources have in LiteLLM."""
    unmanaged: tuple[str, ...]
    """Ids of what no custom resource of the namespace lays claim to, LiteLLM's own and other owners' aside."""
    orphans: tuple[str, ...]
    """Ids of what carries our mark and whose custom resource is gone."""
    unclaimed: tuple[str, ...]
    """Ids of what carries no mark and may be pruned all the same."""


def compare(noun: str, listing: Listing, claims: Claims, ours: str) -> Compared:
    """``ours`` is what the owners of this cluster and namespace begin with."""
    unmanaged: list[str] = []
    orphans: list[str] = []
    for object_id, seen in listing.rows.items():
        if seen.protected or _claimed(object_id, seen, claims):
            continue
        if seen.mark is None:
            unmanaged.append(object_id)
        elif seen.mark.owner.startswith(ours) and OBJECT_NAME.fullmatch(seen.mark.owner.removeprefix(ours)):
            unmanaged.append(object_id)
            # What was there before us stays when its owner goes.
            orphans += [] if seen.mark.adopted else [object_id]
    unclaimed = [one for one in unmanaged if listing.rows[one].mark is None] if noun in PRUNED_UNMARKED and claims.certain else []
    return Compared(len(claims.bound & listing.rows.keys()), tuple(unmanaged), tuple(orphans), tuple(unclaimed))


def _claimed(object_id: str, seen: Seen, claims: Claims) -> bool:
    if seen.mark is not None:
        return seen.mark.owner in claims.owners
    return object_id in claims.ids or alias_of(seen) in claims.aliases


def alias_of(seen: Seen) -> str:
    """The alias of a key; empty for one that has none."""
    alias = seen.fields.get("key_alias")
    return alias if isinstance(alias, str) else ""


def named(noun: str, object_id: str, seen: Seen) -> str:
    """An object in words: ``model gpt-4o``, a key by its alias."""
    known = alias_of(seen) or (object_id[:LONGEST_HASH] if noun == "key" else object_id)
    return f"{noun} {told_name(known)}"
