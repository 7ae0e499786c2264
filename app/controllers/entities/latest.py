"""The status as it is in the cluster, for kinds whose objects in LiteLLM can hold no mark: it alone tells who made them.

A hook's request comes from a cache, which for some milliseconds lacks the status that the sync before wrote. An object that was
made by that one would be taken for somebody else's, and stay in LiteLLM for good.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from app.apis.section import Section
from app.kube.reader import ReadFailed

if TYPE_CHECKING:
    from app.controllers.context import Context
    from app.controllers.entities.kind import EntityKind
    from app.hooks.request import SyncRequest

S = TypeVar("S", bound=Section)


async def with_latest_status(kind: EntityKind[S], request: SyncRequest, context: Context) -> SyncRequest | None:
    """The request with the status that is in the cluster now; unchanged where that decides nothing, or where nobody answers.

    Nothing where the object is gone, be it that another has its name: what LiteLLM has under its id may be another's by now.

    Kinds without a mark cost a read in each sync until LiteLLM has accepted this generation, and in each finalize; others none.
    """
    if kind.entity.marked or (not request.finalizing and _accepted(kind, request)):
        return request
    try:
        found = await context.reader.get(kind.resource.resource, request.namespace, request.name)
    except ReadFailed:
        return request
    if found is None or found["metadata"].get("uid") != request.uid:
        return None
    return replace(request, parent={**request.parent, "status": found.get("status")})


def _accepted(kind: EntityKind[S], request: SyncRequest) -> bool:
    before = kind.remembered(request)
    return before.synced and before.fields.get("observedGeneration") == request.generation
