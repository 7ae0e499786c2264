"""The end of an entity: its object in LiteLLM goes with it, if it is ours; if LiteLLM cannot be told, the end comes all the same.

Deletion is bounded: whatever is missing, after :data:`GRACE` seconds the object goes here and what is left in LiteLLM is said
in the log and counted. Only what carries our mark, or an id that our status holds, is deleted.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from app.apis.section import Section
from app.controllers.entities.latest import with_latest_status
from app.controllers.entities.link import instance_of, link_to
from app.controllers.entities.moving import leave_behind, left_at_another_instance
from app.controllers.entities.setting import ADOPTED_UPSTREAM, agreed, annotation, owner_of, remote_id
from app.controllers.entities.settling import look
from app.controllers.entities.unsettled import Unsettled, of_failure
from app.hooks.observed_fields import object_in, text_in
from app.hooks.replay import replay_all
from app.hooks.response import SyncResponse
from app.litellm.admin.errors import AdminError, NotFound, Unnameable
from app.litellm.entities.ownership import Claim, claim
from app.status.entity.reasons import DELETION_PENDING
from app.status.entity.status import Report, entity_status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.controllers.context import Context
    from app.controllers.entities.kind import EntityKind
    from app.hooks.request import SyncRequest
    from app.litellm.admin.calls import Call
    from app.litellm.admin.client import Admin
    from app.status.entity.recorded import Recorded
    from app.status.reason import Condition

S = TypeVar("S", bound=Section)

GRACE = 120
"""Seconds from the deletion mark within which LiteLLM is told again and again. The mark is by the API server's clock: if that is
ahead of ours it takes so much longer, and if it is further ahead than this, LiteLLM is told once."""

AGAIN = 5
"""Seconds between two attempts."""

DELETION_POLICY = "litellm.palena.ai/deletion-policy"
"""Annotation: ``orphan`` leaves the object in LiteLLM."""

_log = logging.getLogger(__name__)


async def finalize_entity(kind: EntityKind[S], request: SyncRequest, context: Context) -> SyncResponse:
    """Deletes the remote object, or says why that must wait or cannot be."""
    latest = await with_latest_status(kind, request, context)
    request = latest or request
    before = kind.remembered(request)
    if latest is None or _left_alone(request, before):
        return _done(before)
    left = await left_at_another_instance(kind, request, context)
    name = text_in(object_in(request.parent.get("spec"), "instanceRef"), "name")
    if not name or instance_of(request, name) is None:
        # Nobody knows any more where the object was. With the instance its database may be gone as well.
        leave_behind(kind, request, "its LiteLLMInstance is gone", context)
        return _done(before)
    try:
        await _delete(kind, request, name, before, context)
    except Unsettled as unsettled:
        if in_grace(request, context):
            return _wait(kind, request, before, unsettled, left, context)
        leave_behind(kind, request, unsettled.message, context)
    return _done(before)


async def _delete(kind: EntityKind[S], request: SyncRequest, name: str, before: Recorded, context: Context) -> None:
    link = await link_to(request, name, context, ready=False)
    try:
        if kind.ids is None:
            ids: Iterable[str] = (remote_id(request, before, kind.chosen_for(request), context),)
        else:
            ids = await kind.ids(link.admin, request, before, context)
        for object_id in ids:
            await _delete_one(kind, request, link.admin, object_id, before, context)
    except AdminError as error:
        raise of_failure(error) from error


async def _delete_one(
    kind: EntityKind[S], request: SyncRequest, admin: Admin, object_id: str, before: Recorded, context: Context
) -> None:
    owner = owner_of(request, context)
    try:
        row = await look(admin, kind.entity, object_id)
    except Unnameable:
        return
    bound = bool(before.id) and before.id == object_id if kind.entity.marked else before.created
    if row is None:
        if bound and kind.entity.late:
            # What this replica does not show may have been made a moment ago at another one.
            await _gone(admin, kind.entity.delete(object_id))
        return
    bound = bound and kind.entity.is_ours_unmarked(row)
    strict = not agreed(request)
    whose = claim(kind.entity.mark_of(row), owner, bound=bound, adopting=False, adopted=before.adopted, strict=strict)
    if whose is Claim.NAMESAKE:
        leave_behind(kind, request, f"it belongs to {owner.namesake}", context)
        return
    if whose is not Claim.OURS:
        _log.info(
            "%s %s/%s: LiteLLM's %s %s is not ours and stays",
            kind.resource.resource.kind,
            request.namespace,
            request.name,
            kind.entity.noun,
            object_id,
        )
        return
    for call in (*kind.entity.parts(object_id), kind.entity.delete(object_id)):
        await _gone(admin, call)


async def _gone(admin: Admin, call: Call) -> None:
    """Deletes something that may be gone already."""
    with suppress(NotFound):
        await admin.ask(call)


def _left_alone(request: SyncRequest, before: Recorded) -> bool:
    """Whether the user wants the object to stay, or it was there before us."""
    return (
        before.adopted
        or annotation(request.parent, ADOPTED_UPSTREAM) == "true"
        or annotation(request.parent, DELETION_POLICY) == "orphan"
    )


def deletion_mark(request: SyncRequest) -> datetime | None:
    """When the object was marked as being deleted; nothing where that cannot be read."""
    try:
        mark = datetime.fromisoformat(str(request.parent["metadata"].get("deletionTimestamp")))
    except ValueError:
        return None
    return mark if mark.tzinfo is not None else mark.replace(tzinfo=UTC)


def in_grace(request: SyncRequest, context: Context, seconds: int = GRACE) -> bool:
    """Whether the deletion mark is no older than that; false for one that cannot be read, or is further ahead than the grace."""
    marked = deletion_mark(request)
    return marked is not None and timedelta(seconds=-GRACE) <= context.now() - marked < timedelta(seconds=seconds)


def _done(before: Recorded) -> SyncResponse:
    return SyncResponse(status=before.fields, children=[], retained=[], finalized=True)


def _wait(
    kind: EntityKind[S],
    request: SyncRequest,
    before: Recorded,
    unsettled: Unsettled,
    left: tuple[Condition, ...],
    context: Context,
) -> SyncResponse:
    message = f"waiting to delete {kind.entity.noun} in LiteLLM, at most {GRACE} seconds: {unsettled.message}"
    report = Report(reason=DELETION_PENDING, message=message, conditions=left)
    return SyncResponse(
        status=entity_status(report, before, request.generation, context.now, kind.told_by_calls),
        children=[],
        retained=replay_all(request.children),
        resync_after_seconds=AGAIN,
    )
