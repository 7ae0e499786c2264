"""Brings one remote object in step: a look, a plan, its calls in order."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from app.controllers.entities.unsettled import REFUSED, Unsettled, of_failure
from app.litellm.admin.errors import (
    AdminError,
    AlreadyExists,
    DatabaseDown,
    EnterpriseOnly,
    NameTaken,
    NotFound,
    ServerFault,
    Unreachable,
)
from app.litellm.entities.entity import Conflict, plan
from app.status.conditions import timestamp
from app.status.entity.reasons import AWAITING_STORAGE, CONFLICT, NOT_STORED

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.litellm.admin.calls import Call
    from app.litellm.admin.client import Admin
    from app.litellm.entities.entity import Entity, Plan, Wanted

LATER = 5
"""Seconds after which an object is looked for again that another replica of the proxy may have."""
STORING = timedelta(minutes=1)
"""For so long an object is looked for before LiteLLM is told of it again: twice what replicas take to see each other's."""


async def look(admin: Admin, entity: Entity, object_id: str) -> Object | None:
    """The remote object as it is, or nothing. Raises :class:`~app.litellm.admin.errors.AdminError`."""
    return (await look_up(admin, entity, object_id))[0]


async def look_up(admin: Admin, entity: Entity, object_id: str) -> tuple[Object | None, Any]:
    """The same, with the whole answer; nothing where LiteLLM says that there is no such object."""
    call = entity.read(object_id)
    try:
        answer = await admin.ask(call)
    except NotFound:
        return None, None
    row = entity.row(object_id, answer)
    if row is None and not entity.tells_absence(answer):
        # Taken for an absence it would have the object made again, or forgotten by its deletion.
        raise Unreachable(f"was asked {call}, and something else answered without a {entity.noun}")
    return row, answer


async def settle(admin: Admin, entity: Entity, wanted: Wanted) -> tuple[Plan, str]:
    """Makes the remote object what is wanted; what was done, and what LiteLLM refused for want of a licence.

    Raises :class:`Unsettled`. The object is then as it was, or half way; the next settling begins with a look again.
    """
    try:
        return await _carried_out(admin, entity, wanted), ""
    except EnterpriseOnly as error:
        if not wanted.licensed & wanted.fields.keys():
            raise of_failure(error) from error
        refusal = f"LiteLLM {error}"
    except AdminError as error:
        raise of_failure(error) from error
    try:
        done = await _carried_out(admin, entity, wanted.unlicensed())
    except AdminError as error:
        raise of_failure(error) from error
    return done, refusal


async def _carried_out(admin: Admin, entity: Entity, wanted: Wanted) -> Plan:
    row = await look(admin, entity, wanted.id)
    if row is None and wanted.awaited is not None and not _overdue(wanted):
        raise _unseen(entity, wanted, "was told of")
    decided = _planned(entity, wanted, row)
    for number, call in enumerate(decided.calls):
        # The first call of an object that is made anew deletes it.
        asked = _made if decided.created or (decided.remade and number) else _asked
        try:
            await asked(admin, wanted, call)
        except NotFound:
            # Another replica has deleted it and this one has not seen that yet.
            if not decided.remade or number:
                raise
        except (Unreachable, DatabaseDown) as error:
            error.creating = decided.created
            raise
        except (AlreadyExists, ServerFault) as error:
            error.creating = decided.created and isinstance(error, ServerFault)
            if not decided.makes:
                raise
            # It may be there all the same: made by an earlier call of ours, or by this one before it failed.
            found = await look(admin, entity, wanted.id)
            if found is None:
                if isinstance(error, NameTaken) or (isinstance(error, ServerFault) and (_overdue(wanted) or not entity.late)):
                    raise
                what = f"{error}; it may have stored" if isinstance(error, ServerFault) else "says that it has"
                raise _unseen(entity, wanted, what) from error
            return await _carried_out_on(admin, entity, wanted, found, made=error.creating and not entity.marked)
    if entity.read_back and decided.makes and await look(admin, entity, wanted.id) is None:
        raise _unseen(entity, wanted, "has accepted")
    return decided


async def _carried_out_on(admin: Admin, entity: Entity, wanted: Wanted, row: Object, *, made: bool) -> Plan:
    """The rest of a creation whose answer was lost: what there is becomes what is wanted, if it is ours.

    ``made``: no mark can tell, and just before the call it was not there, so the call has made it.
    """
    decided = _planned(entity, replace(wanted, bound=wanted.bound or made), row)
    for call in decided.calls:
        await _asked(admin, wanted, call)
    return replace(decided, created=decided.created or made)


def _planned(entity: Entity, wanted: Wanted, row: Object | None) -> Plan:
    try:
        return plan(entity, wanted, row)
    except Conflict as error:
        raise Unsettled(CONFLICT, f"LiteLLM {error}", REFUSED) from error


async def make(admin: Admin, call: Call) -> None:
    """A call that makes an object, which all releases show in the answer. Raises :class:`~app.litellm.admin.errors.AdminError`.

    An answer without one is something else's: taken for success, nobody would look whether the object is there.
    """
    if not isinstance(await admin.ask(call), dict):
        raise Unreachable(f"was asked {call}, and something else answered without an object")


async def _made(admin: Admin, wanted: Wanted, call: Call) -> None:
    await make(admin, replace(call, secrets=(*call.secrets, *wanted.secrets)))


async def _asked(admin: Admin, wanted: Wanted, call: Call) -> None:
    await admin.ask(replace(call, secrets=(*call.secrets, *wanted.secrets)))


def _overdue(wanted: Wanted) -> bool:
    if wanted.awaited is None or wanted.now is None:
        return False
    return not wanted.awaited <= wanted.now < wanted.awaited + STORING


def _unseen(entity: Entity, wanted: Wanted, what: str) -> Unsettled:
    """LiteLLM does not show an object that it ``what``: it is looked for, and after :data:`STORING` held for not stored."""
    told = f"LiteLLM {what} {entity.noun} {wanted.id}, and does not show it"
    if _overdue(wanted):
        setting = "general_settings.store_model_in_db, or STORE_MODEL_IN_DB in its environment"
        message = f"{told}: see that the proxy keeps {entity.noun}s in its database ({setting})"
        unsettled = Unsettled(NOT_STORED, message, REFUSED)
    else:
        unsettled = Unsettled(AWAITING_STORAGE, f"{told} yet; it is looked for again every {LATER} seconds", LATER)
    since = wanted.awaited or wanted.now
    if entity.late and since is not None:
        unsettled.fields = {"awaitedSince": timestamp(since)}
        unsettled.may_exist = True
    return unsettled
