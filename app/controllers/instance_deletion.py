"""The end of an instance: it waits for its own entities that are being deleted, since LiteLLM forgets them over its proxy.

``kubectl delete -f folder`` and the end of a namespace delete an instance beside its entities, in any order. Gone at once, a
gateway would take the way to LiteLLM with it, and everything there would be left behind. Meanwhile children are kept as they are.

The wait is bounded by the grace that entities have themselves. What is still alive does not hold it, except in the first seconds:
its own deletion may be on its way.
"""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Any, cast

from app.controllers.entities import ENTITIES
from app.controllers.entities.finalizing import GRACE, deletion_mark, in_grace
from app.controllers.entities.references import spec_name
from app.controllers.retaining import retain
from app.hooks.objects import terminating
from app.hooks.response import SyncResponse
from app.kube.reader import ReaderOff, ReadFailed
from app.status.instance.deletion import deletion_status

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.controllers.context import Context
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest

COMPANY = 10
"""Seconds from the deletion mark within which an entity that is alive is waited for as well."""

AGAIN = 3
"""Seconds between two looks."""

_METACONTROLLERS = "metacontroller.io/"
"""What the finalizers of all its controllers begin with. Without one an entity has nothing left to do."""


async def finalize(request: SyncRequest, context: Context) -> SyncResponse:
    """The children as they are, and whether the instance may go."""
    waiting = await _waits_for(request, context)
    return SyncResponse(
        status=deletion_status(request.parent, request.generation, context.now, waiting),
        children=[],
        retained=retain(request),
        resync_after_seconds=AGAIN if waiting else 0,
        finalized=not waiting,
    )


async def _waits_for(request: SyncRequest, context: Context) -> str:
    """What is waited for, and how long at most; empty for nothing.

    It names kinds and no objects: all of them look at the instance, so each change of its status wakes them all.
    """
    marked = deletion_mark(request)
    if marked is None or not in_grace(request, context):
        return ""
    limit = f"it goes at {(marked + timedelta(seconds=GRACE)).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ} at the latest"
    alive: list[str] = []
    try:
        async for kind, entities in _entities(request, context):
            if any(_has_something_to_do(one) for one in entities):
                return f"{kind} objects that name it are deleted in LiteLLM first; {limit}"
            if not all(terminating(one) for one in entities):
                alive.append(kind)
    except ReaderOff:
        # Nobody can tell, now or later.
        return ""
    except ReadFailed as error:
        return f"what names it is not known: {error}; {limit}"
    if alive and in_grace(request, context, COMPANY):
        return f"{', '.join(alive)} objects name it, and may be deleted as well: they are waited for {COMPANY} seconds"
    return ""


async def _entities(request: SyncRequest, context: Context) -> AsyncGenerator[tuple[str, list[Object]]]:
    """The objects that name this instance, kind by kind, as far as somebody wants to know."""
    for controller in ENTITIES:
        items = await context.reader.list(controller.parent, request.namespace)
        yield controller.parent.kind, [one for one in items if spec_name(one.get("spec"), "instanceRef") == request.name]


def _has_something_to_do(entity: Object) -> bool:
    finalizers: Any = entity["metadata"].get("finalizers")
    held = isinstance(finalizers, list) and any(str(one).startswith(_METACONTROLLERS) for one in cast("list[Any]", finalizers))
    return held and terminating(entity)
