"""Which objects are a parent's children: kept, adopted or let go.

An object without a controller becomes a child by its labels alone; one whose labels no longer match is released. Nothing is
adopted or released for a parent that is being deleted.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, cast

from app.hooks.objects import CONTROLLER_UID, Object, Resource, reference, terminating
from app.sim.cluster import ApiError, NotFound
from app.sim.metacontroller.atomic import atomic_update
from app.sim.metacontroller.errors import SyncError
from app.sim.metacontroller.ownership import controller_of, owner_reference, with_owner, without_owner
from app.sim.metacontroller.selectors import Selector, SelectorError, label_selector, labels_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.sim.cluster import Cluster


class Claim(Enum):
    """What an object is to a parent."""

    OURS = auto()
    TO_ADOPT = auto()
    TO_RELEASE = auto()
    NONE = auto()


def claim(item: Object, parent: Object, selector: Selector) -> Claim:
    """What this object is to this parent."""
    owner = controller_of(item)
    matches = selector(labels_of(item))
    if owner is not None:
        if owner["uid"] != parent["metadata"]["uid"]:
            return Claim.NONE
        if matches:
            return Claim.OURS
        return Claim.NONE if terminating(parent) else Claim.TO_RELEASE
    if terminating(parent) or terminating(item) or not matches:
        return Claim.NONE
    return Claim.TO_ADOPT


def child_selector(parent: Object, *, generated: bool) -> Selector:
    """The labels of a parent's children: its uid under ``controller-uid``, or its own ``spec.selector``.

    Raises :class:`SyncError` for one that can't be read, and for an empty one, which would select every object there is.
    """
    if generated:
        uid = parent["metadata"]["uid"]
        return lambda labels: labels.get(CONTROLLER_UID) == uid
    selector = cast("Object", parent.get("spec", {}).get("selector") or {})
    if not (selector.get("matchLabels") or selector.get("matchExpressions")):
        raise SyncError(f"{reference(parent)}: spec.selector needs matchLabels or matchExpressions")
    try:
        return label_selector(selector)
    except SelectorError as error:
        raise SyncError(f"{reference(parent)}: spec.selector: {error}") from error


class Claims:
    """Claims children of one parent in one pass."""

    def __init__(self, cluster: Cluster, resource: Resource, parent: Object, selector: Selector) -> None:
        self._cluster = cluster
        self._resource = resource
        self._parent = parent
        self._selector = selector
        self._may_adopt = False

    async def claim(self, resource: Resource, candidates: Iterable[Object]) -> list[Object]:
        """The children among the candidates, as the cache had them: one that is adopted just now still lacks our reference.

        Raises :class:`SyncError` if any of them could not be adopted or released, once all were tried.
        """
        children: list[Object] = []
        failures: list[str] = []
        for item in candidates:
            try:
                if await self._is_child(resource, item):
                    children.append(item)
            except NotFound:
                continue
            except ApiError as error:
                failures.append(f"can't claim {reference(item)}: {error}")
        if failures:
            raise SyncError("; ".join(failures))
        return children

    async def _is_child(self, resource: Resource, item: Object) -> bool:
        verdict = claim(item, self._parent, self._selector)
        if verdict is Claim.TO_RELEASE:
            uid = self._parent["metadata"]["uid"]
            await atomic_update(self._cluster, resource, item, lambda live: without_owner(live, uid))
        elif verdict is Claim.TO_ADOPT:
            await self._check_parent_lives()
            await atomic_update(self._cluster, resource, item, lambda live: with_owner(live, owner_reference(self._parent)))
        return verdict in (Claim.OURS, Claim.TO_ADOPT)

    async def _check_parent_lives(self) -> None:
        """Adopting for a parent that has just been deleted would hand the object to the garbage collector."""
        if self._may_adopt:
            return
        metadata = self._parent["metadata"]
        live = await self._cluster.get(self._resource, metadata.get("namespace", ""), metadata["name"])
        if live["metadata"]["uid"] != metadata["uid"] or terminating(live):
            raise SyncError(f"{reference(self._parent)} has just been deleted and adopts nothing any more")
        self._may_adopt = True
