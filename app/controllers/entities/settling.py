"""Brings one remote object in step: a look, a plan, its calls in order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.controllers.entities.unsettled import Unsettled, of_failure
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
from app.status.entity.reasons import AWAITING_STORAGE, CONFLICT

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.litellm.admin.client import Admin
    from app.litellm.entities.entity import Entity, Plan, Wanted

LATER = 5
"""Seconds after which an object is looked for again that another replica of the proxy may have."""


async def look(admin: Admin, entity: Entity, object_id: str) -> Object | None:
    """The remote object as it is, or nothing. Raises :class:`~app.litellm.admin.errors.AdminError`."""
    try:
        return entity.row(object_id, await admin.ask(entity.read(object_id)))
    except NotFound:
        return None


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
    try:
        decided = plan(entity, wanted, await look(admin, entity, wanted.id))
    except Conflict as error:
        raise Unsettled(CONFLICT, f"LiteLLM {error}", 600) from error
    for call in decided.calls:
        try:
            await admin.ask(replace(call, secrets=(*call.secrets, *wanted.secrets, admin.key)))
        except (Unreachable, DatabaseDown) as error:
            error.creating = decided.created
            raise
        except (AlreadyExists, ServerFault) as error:
            error.creating = decided.created and isinstance(error, ServerFault)
            if not decided.created:
                raise
            # It may be there all the same: made by an earlier call of ours, or by this one before it failed.
            found = await look(admin, entity, wanted.id)
            if found is None:
                if isinstance(error, (ServerFault, NameTaken)):
                    raise
                message = f"LiteLLM says that {entity.noun} {wanted.id} exists, and does not show it yet"
                raise Unsettled(AWAITING_STORAGE, message, LATER) from error
            return await _carried_out_on(admin, entity, wanted, found)
    return decided


async def _carried_out_on(admin: Admin, entity: Entity, wanted: Wanted, row: Object) -> Plan:
    """The rest of a creation whose answer was lost: what there is becomes what is wanted, if it is ours."""
    try:
        decided = plan(entity, wanted, row)
    except Conflict as error:
        raise Unsettled(CONFLICT, f"LiteLLM {error}", 600) from error
    for call in decided.calls:
        await admin.ask(replace(call, secrets=(*call.secrets, *wanted.secrets, admin.key)))
    return decided
