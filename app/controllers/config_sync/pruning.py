"""Deletes in LiteLLM what ``unmanagedResourcePolicy: prune`` gives up: what is ours and whose custom resource is gone, and models
and keys that nobody lays claim to.

A list is a moment old, so each object is looked at once more, and the cluster asked once more, right before it is deleted.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.controllers.config_sync import PRUNED
from app.controllers.config_sync.claims import claims_of
from app.controllers.config_sync.comparing import alias_of, named
from app.controllers.entities.settling import look
from app.kube.reader import ReadFailed
from app.litellm.admin.errors import AdminError, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.controllers.config_sync.comparing import Compared
    from app.controllers.context import Context
    from app.controllers.entities.kind import EntityKind
    from app.litellm.admin.client import Admin
    from app.litellm.snapshot import Listing

MOST = 20
"""Objects of one pass; the next one goes on."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Pruning:
    """One pass over the kinds of one proxy."""

    admin: Admin
    context: Context
    instance: str
    """For the log: ``LiteLLMInstance team/gw``."""
    deleted: list[str] = field(default_factory=list[str])
    errors: list[str] = field(default_factory=list[str])

    async def prune(self, kind: EntityKind[Any], listing: Listing, compared: Compared) -> None:
        """Whatever of the kind is to go."""
        for object_id in compared.orphans:
            await self._try(kind, listing, object_id)
        if compared.unclaimed:
            for object_id in await self._unclaimed_anywhere(kind, listing, compared.unclaimed):
                await self._try(kind, listing, object_id)

    async def _unclaimed_anywhere(self, kind: EntityKind[Any], listing: Listing, ids: Iterable[str]) -> list[str]:
        """Without those that a custom resource of another namespace, whose instance may attach to the same proxy, claims."""
        try:
            items = await self.context.reader.list(kind.resource.resource, "")
        except ReadFailed as error:
            self.errors.append(f"no {kind.entity.noun} without a mark is pruned: {error}")
            return []
        claims = claims_of(kind, items, "", self.context.cluster_id)
        if not claims.certain:
            return []
        return [one for one in ids if one not in claims.ids and alias_of(listing.rows[one]) not in claims.aliases]

    async def _try(self, kind: EntityKind[Any], listing: Listing, object_id: str) -> None:
        if len(self.deleted) >= MOST:
            return
        try:
            if await self._deleted(kind, listing, object_id):
                known = named(kind.entity.noun, object_id, listing.rows[object_id])
                self.deleted.append(known)
                _log.warning("%s: pruned %s from LiteLLM", self.instance, known)
                self.context.changed(kind.resource.resource.kind, PRUNED)
        except NotFound:
            return
        except (AdminError, ReadFailed) as error:
            told = f"LiteLLM {error}" if isinstance(error, AdminError) else str(error)
            self.errors.append(f"a {kind.entity.noun} cannot be pruned: {told}")

    async def _deleted(self, kind: EntityKind[Any], listing: Listing, object_id: str) -> bool:
        mark = listing.rows[object_id].mark
        if mark is not None:
            _, namespace, name = mark.owner.split("/", 2)
            if await self.context.reader.get(kind.resource.resource, namespace, name) is not None:
                return False
        row = await look(self.admin, kind.entity, object_id)
        now = None if row is None else kind.entity.mark_of(row)
        if row is None or now != mark or kind.entity.protected(row):
            return False
        await self.admin.ask(kind.entity.delete(object_id))
        return True
