"""The sync of an entity of any kind: resolve, compare, call only if something changed, tell what came of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from app.apis.checking import InvalidSpec, check_spec
from app.apis.section import Section
from app.controllers.entities.drifting import Finding, again_after, find_drift
from app.controllers.entities.kind import Followed
from app.controllers.entities.latest import with_latest_status
from app.controllers.entities.link import link_to
from app.controllers.entities.moving import left_at_another_instance
from app.controllers.entities.setting import Setting
from app.controllers.entities.settling import settle
from app.controllers.entities.unsettled import REFUSED, Unsettled, of_failure
from app.hooks.replay import replay_all
from app.hooks.response import SyncResponse
from app.litellm.admin.errors import AdminError
from app.litellm.entities.fingerprint import fingerprint, with_place
from app.status import resync
from app.status.entity.reasons import (
    ADOPTED,
    CANNOT_CLEAR,
    ENTERPRISE_LICENSE_REQUIRED,
    INSTANCE_NOT_FOUND,
    INSTANCE_NOT_READY,
    INVALID_SPEC,
)
from app.status.entity.status import Report, entity_status
from app.status.instance.finalizer import finalizer_conditions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.controllers.context import Context
    from app.controllers.entities.kind import Aim, EntityKind
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest
    from app.litellm.entities.entity import Plan
    from app.status.entity.recorded import Recorded
    from app.status.reason import Condition

S = TypeVar("S", bound=Section)

STEADY = resync.TICK
"""Seconds after which an entity that is in step is looked at again. Nothing is called then unless something changed."""

UPSTREAM_WORDS = {INSTANCE_NOT_FOUND: INSTANCE_NOT_READY}
"""The Go operator's reasons, which its users' tools know: most kinds make no difference between missing and not ready."""


async def sync_entity(kind: EntityKind[S], request: SyncRequest, context: Context) -> SyncResponse:
    """The status of one object, after LiteLLM was told what it was not told yet."""
    # Of one that is gone, nobody takes the answer any more.
    request = await with_latest_status(kind, request, context) or request
    before = kind.remembered(request)
    left = await left_at_another_instance(kind, request, context)
    spec = check_spec(kind.spec, request.parent.get("spec"))
    children: tuple[Object, ...] | None = None
    if isinstance(spec, InvalidSpec):
        report, again = Report(reason=INVALID_SPEC, message=spec.message), resync.NEVER
    else:
        try:
            report, again, children = await _in_step(kind, request, spec, before, context)
        except Unsettled as unsettled:
            report, again, children = unsettled_report(kind, unsettled), unsettled.again, unsettled.children
        if children is None and kind.children is not None:
            children = kind.children(request, spec)
    report = replace(report, conditions=(*report.conditions, *left, *finalizer_conditions(request.parent)))
    return SyncResponse(
        status=entity_status(report, before, request.generation, context.now, kind.told_by_calls),
        children=list(children or ()),
        retained=replay_all(request.children) if children is None else [],
        resync_after_seconds=resync.jittered(again, request.uid),
    )


def unsettled_report(kind: EntityKind[S], unsettled: Unsettled) -> Report:
    """What is told of a sync that ended early."""
    return Report(
        reason={**UPSTREAM_WORDS, **kind.other_words}.get(unsettled.reason, unsettled.reason),
        message=unsettled.message,
        fields={kind.accepted_field: False, **unsettled.fields},
        conditions=unsettled.conditions,
    )


async def _in_step(
    kind: EntityKind[S], request: SyncRequest, spec: S, before: Recorded, context: Context
) -> tuple[Report, int, tuple[Object, ...] | None]:
    """What is told, when to look again, and what is owned in the cluster."""
    link = await link_to(request, kind.instance(spec), context)
    setting = Setting(request, spec, link, context, before, kind.chosen_id(spec, request.name))
    aim = await kind.aim(setting)
    # Another proxy was told nothing, even one with the same master key.
    request_told = [link.admin.target.endpoint, aim.wanted.id, aim.wanted.fields, aim.beyond]
    digest = with_place(kind.instance(spec), request.uid, fingerprint(link.admin.key, request_told))
    message = aim.message or f"LiteLLM has accepted {kind.entity.noun} {aim.wanted.id} as the spec says"
    again = aim.again or STEADY
    found = Finding()
    if before.synced and before.sync_hash == digest:
        found = await find_drift(kind, setting, aim)
        if not found.push:
            fields = {**aim.fields, **found.fields, **await _observed(kind, setting, aim)}
            report = Report(
                reason=found.reason or aim.reason,
                message=found.message or message,
                fields=fields,
                conditions=(*aim.conditions, *found.conditions),
            )
            return report, again_after(again, link, found), aim.children
    try:
        fields, conditions, retry = await _carried_out(kind, setting, aim)
    except Unsettled as unsettled:
        if unsettled.children is None:
            unsettled.children = aim.children
        raise
    done = None if retry else digest
    fields |= {"syncHash": done, kind.accepted_field: True, **await _observed(kind, setting, aim)}
    told = (*conditions, *found.conditions)
    report = Report(reason=aim.reason, message=message, fields=fields, conditions=told, called=True)
    return report, retry or again_after(again, link, found), aim.children


async def _carried_out(kind: EntityKind[S], setting: Setting[S], aim: Aim) -> tuple[Object, list[Condition], int]:
    """Every call that the aim takes; what they tell of the status, and when all is done again. Raises :class:`Unsettled`."""
    link = setting.link
    told: Object = {}
    if kind.prepare is not None:
        try:
            told = await kind.prepare(setting, aim)
        except AdminError as error:
            raise of_failure(error) from error
    try:
        done, refusal = await settle(link.admin, kind.entity, aim.wanted)
    except Unsettled as unsettled:
        if not kind.entity.marked and unsettled.may_exist:
            # No mark will tell that it is ours, so this must.
            unsettled.fields = {kind.id_field: aim.wanted.id, "created": True, **unsettled.fields}
        elif kind.entity.late:
            known = {kind.id_field: aim.wanted.id} if unsettled.may_exist else {"awaitedSince": None}
            unsettled.fields = {**known, **unsettled.fields}
        raise
    fields = {**aim.fields, **told, **bound_fields(kind, aim, done)}
    conditions = [*aim.conditions, *_of_plan(done)]
    followed = Followed()
    if kind.follow_up is not None:
        try:
            followed = await kind.follow_up(setting, aim, done)
        except AdminError as error:
            raise _partly(of_failure(error), fields, conditions, refusal) from error
        except Unsettled as unsettled:
            raise _partly(unsettled, fields, conditions, refusal) from unsettled
    fields.update(followed.fields)
    conditions += followed.conditions
    if refusal:
        raise Unsettled(ENTERPRISE_LICENSE_REQUIRED, refusal, REFUSED, fields=fields, conditions=tuple(conditions))
    return fields, conditions, followed.again


def bound_fields(kind: EntityKind[S], aim: Aim, done: Plan) -> Object:
    """What the status remembers of an object that LiteLLM has."""
    fields: Object = {kind.id_field: aim.wanted.id, "adopted": True if done.adopted else None}
    if not kind.entity.marked:
        fields["created"] = done.created or (aim.wanted.created and not done.adopted)
    if not kind.entity.marked or kind.entity.late:
        fields["sentFields"] = sorted({*aim.wanted.fields, *done.uncleared})
    if kind.entity.late:
        fields["awaitedSince"] = None
    return fields


async def _observed(kind: EntityKind[S], setting: Setting[S], aim: Aim) -> Object:
    return await kind.observe(setting, aim) if kind.observe is not None else {}


def _of_plan(done: Plan) -> Iterator[Condition]:
    if done.adopted:
        yield ADOPTED.because("the object was in LiteLLM before and stays there when this one is deleted")
    if done.uncleared:
        names = ", ".join(done.uncleared)
        yield CANNOT_CLEAR.because(f"LiteLLM keeps the last value of {names}: its API has no way to clear that")


def _partly(unsettled: Unsettled, fields: Object, conditions: list[Condition], refusal: str) -> Unsettled:
    """The same, with what was done before it, and what was refused for want of a licence."""
    if refusal:
        unsettled.message += f"; and {refusal}"
    unsettled.fields = {**fields, **unsettled.fields}
    unsettled.conditions = (*conditions, *unsettled.conditions)
    return unsettled
