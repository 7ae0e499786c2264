"""LiteLLMVirtualKey: a key for clients of the gateway, whose value lives in a Secret.

The first sync makes the value and stores it, and uses it nowhere. The next one sees it in the cluster and registers it. So
whatever is interrupted, there is never a key in LiteLLM whose value nobody has, and never a second one.
"""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from app.apis.litellm.team import LITELLM_TEAM
from app.apis.litellm.user import LITELLM_USER
from app.apis.litellm.virtual_key import LITELLM_VIRTUAL_KEY, LiteLLMVirtualKeySpec
from app.controllers.entities import permissions
from app.controllers.entities.controller import entity_controller
from app.controllers.entities.key_secret import fresh_value, held, is_usable, observed_children
from app.controllers.entities.kind import Aim, EntityKind, Followed
from app.controllers.entities.references import spec_name
from app.controllers.entities.succession import KEY, leftovers, succeed
from app.controllers.entities.syncing import STEADY
from app.controllers.entities.unsettled import Unsettled
from app.hooks.controller import ChildRule, Update
from app.kube.reader import LIVE, ReaderOff, ReadFailed
from app.litellm.entities.amounts import AmountError, dollars, plain
from app.litellm.entities.budget import PERIOD
from app.litellm.entities.times import parsed_time
from app.litellm.entities.virtual_key import EXPIRES, token_of
from app.resources.errors import Unbuildable
from app.resources.key_secret import default_name
from app.resources.kinds import SECRET
from app.status import resync
from app.status.entity.reasons import (
    CANNOT_CLEAR,
    EXPIRED,
    FIELDS_IGNORED,
    INVALID_SPEC,
    KEY_PENDING,
    KEY_SECRET_NAME_TAKEN,
    KEY_SECRET_NOT_OWNED,
    KEY_VALUE_INVALID,
    SECRET_FETCH_FAILED,
    SYNCED,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.controllers.entities.key_secret import Held
    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object, Resource
    from app.hooks.request import CustomizeRequest
    from app.litellm.entities.entity import Plan
    from app.status.reason import Condition


async def _aim(setting: Setting[LiteLLMVirtualKeySpec]) -> Aim:
    try:
        here = held(setting.request, setting.spec)
        if here.taken and not here.foreign:
            raise Unsettled(KEY_SECRET_NAME_TAKEN, here.taken, resync.MISSING_REFERENCE)
        fields = _fields(setting)
        if not here.value:
            here = await _held_live(setting, here)
        children = here.children(here.value or fresh_value(setting.context))
    except Unbuildable as error:
        raise Unsettled(INVALID_SPEC, str(error), resync.NEVER) from error
    if not here.place:
        raise _pending(setting, here, children)
    if not here.registered and not is_usable(here.value):
        message = f"the value in Secret {here.place} is none that LiteLLM takes for a key"
        raise Unsettled(KEY_VALUE_INVALID, message, resync.NEVER, children=children)
    wanted = setting.wanted(
        {"key": here.value, **fields},
        secrets=(here.value,),
        licensed=("guardrails", "model_max_budget"),
        object_id=token_of(here.value),
    )
    left = _left(setting)
    expired = left is not None and left <= timedelta(0)
    return Aim(
        wanted=wanted,
        children=children,
        fields={
            "keySecretRef": {"name": here.place, "key": here.key},
            "isActive": not expired and not setting.spec.blocked,
            "expiresAt": setting.spec.expires_at,
        },
        conditions=tuple(_of_secret(setting, here)),
        reason=EXPIRED if expired else SYNCED,
        message=(
            "the time in spec.expiresAt has passed, and LiteLLM refuses the key since; set a later one, or delete this object"
            if expired
            else f"LiteLLM has accepted the key {setting.spec.key_alias} as the spec says"
        ),
        again=STEADY if left is None or expired else min(STEADY, math.ceil(left / timedelta(seconds=1))),
    )


def _fields(setting: Setting[LiteLLMVirtualKeySpec]) -> Object:
    """What LiteLLM is told, by its names. Raises :class:`Unsettled`."""
    spec = setting.spec
    return {
        "key_alias": spec.key_alias,
        "team_id": spec.team_ref and setting.referenced_id(LITELLM_TEAM, spec.team_ref.name, "spec.teamRef", "litellmTeamId"),
        "user_id": spec.user_ref and setting.referenced_id(LITELLM_USER, spec.user_ref.name, "spec.userRef", "litellmUserId"),
        "models": spec.models,
        "max_budget": None if spec.max_budget is None else _dollars(spec.max_budget, "spec.maxBudget"),
        "budget_duration": spec.budget_duration,
        EXPIRES: _checked_time(spec.expires_at),
        "tpm_limit": spec.tpm_limit,
        "rpm_limit": spec.rpm_limit,
        "soft_budget": spec.soft_budget,
        "model_rpm_limit": spec.model_rpm_limit,
        "model_tpm_limit": spec.model_tpm_limit,
        "metadata": spec.metadata,
        "blocked": spec.blocked,
        "object_permission": permissions.object_permission(setting, spec.object_permission),
        "model_max_budget": {
            model: {
                "budget_limit": _dollars(text, f"spec.modelMaxBudget[{model}]"),
                "time_period": spec.budget_duration or PERIOD,
            }
            for model, text in (spec.model_max_budget or {}).items()
        },
        "max_parallel_requests": spec.max_parallel_requests,
        "guardrails": spec.guardrails,
    }


def _dollars(text: str, field: str) -> float:
    try:
        return dollars(text)
    except AmountError as error:
        raise Unsettled(INVALID_SPEC, f"{field}: {error}", resync.NEVER) from error


def _checked_time(text: str | None) -> str | None:
    if text is not None and parsed_time(text) is None:
        raise Unsettled(INVALID_SPEC, "spec.expiresAt: must be a time such as 2030-01-01T00:00:00Z", resync.NEVER)
    return text


def _left(setting: Setting[LiteLLMVirtualKeySpec]) -> timedelta | None:
    end = parsed_time(setting.spec.expires_at)
    return None if end is None else end - setting.context.now()


async def _held_live(setting: Setting[LiteLLMVirtualKeySpec], here: Held) -> Held:
    """The same after a look at the cluster itself: no key is replaced, and none made twice, for a watch that lags."""
    try:
        found = await setting.context.reader.secret(setting.request.namespace, here.name, version=LIVE)
    except ReaderOff:
        return here
    except ReadFailed as error:
        raise Unsettled(SECRET_FETCH_FAILED, f"{error}; no value is made up for the key until it can be read") from error
    if found is None:
        return here
    again = held(setting.request, setting.spec, found)
    # While the request still shows it as ours, an answer without it would have it deleted.
    if again.taken and (not again.foreign or here.own):
        raise Unsettled(KEY_SECRET_NAME_TAKEN, again.taken, resync.MISSING_REFERENCE)
    return again


def _pending(setting: Setting[LiteLLMVirtualKeySpec], here: Held, children: tuple[Object, ...]) -> Unsettled:
    message = f"the value of the key is being stored in Secret {here.name}"
    if here.value:
        message = f"the value of the key is being put back into Secret {here.name}"
    elif setting.before.id:
        message = f"Secret {here.name} has no value any more: a new one is being stored there, and takes the old key's place"
    fields: Object = {} if setting.before.id else {"isActive": False}
    return Unsettled(KEY_PENDING, message, resync.PENDING, fields=fields, children=children)


def _of_secret(setting: Setting[LiteLLMVirtualKeySpec], here: Held) -> Iterator[Condition]:
    if here.foreign:
        yield KEY_SECRET_NOT_OWNED.because(
            f"the key works with Secret {here.name}, which is not this object's; to hand it over: "
            f"kubectl label secret {here.name} controller-uid={setting.request.uid}"
        )


async def _follow_up(setting: Setting[LiteLLMVirtualKeySpec], aim: Aim, done: Plan) -> Followed:
    """Looks whether LiteLLM did what some releases say and do not do."""
    body: Object = done.calls[0].body
    cleared = "budget_duration" in body and body["budget_duration"] is None
    if done.created or not (cleared or body.get("soft_budget") is not None):
        return Followed()
    row = KEY.row(aim.wanted.id, await setting.link.admin.ask(KEY.read(aim.wanted.id)))
    return Followed(conditions=tuple(_not_done(body, row or {})))


def _not_done(body: Object, row: Object) -> Iterator[Condition]:
    if "budget_duration" in body and body["budget_duration"] is None and row.get("budget_duration"):
        yield CANNOT_CLEAR.because("LiteLLM keeps the last value of budget_duration: this release has no way to clear it")
    table: Any = row.get("litellm_budget_table") or {}
    if body.get("soft_budget") is not None and table.get("soft_budget") != body["soft_budget"]:
        yield FIELDS_IGNORED.because("spec.softBudget: this release of LiteLLM takes it only when a key is made")


def _names(spec: Any) -> Iterator[tuple[Resource, Any]]:
    yield LITELLM_TEAM.resource, spec_name(spec, "teamRef")
    yield LITELLM_USER.resource, spec_name(spec, "userRef")
    yield from permissions.names(spec)


def _own_names(request: CustomizeRequest) -> Iterator[tuple[Resource, Any]]:
    """The Secret that the spec names, and the one that the status does: the Go operator's may have another name."""
    spec: Any = request.parent.get("spec")
    chosen: Any = cast("Object", spec).get("keySecretName") if isinstance(spec, dict) else None
    yield SECRET, chosen or default_name(request.name)
    yield SECRET, spec_name(request.parent.get("status"), "keySecretRef")


VIRTUAL_KEY = EntityKind(
    resource=LITELLM_VIRTUAL_KEY,
    spec=LiteLLMVirtualKeySpec,
    entity=KEY,
    id_field="litellmKeyToken",
    aim=_aim,
    names=_names,
    related=(LITELLM_TEAM.resource, LITELLM_USER.resource, *permissions.RELATED),
    owned=(ChildRule(SECRET, Update.IN_PLACE),),
    children=observed_children,
    own_names=_own_names,
    ids=leftovers,
    prepare=succeed,
    follow_up=_follow_up,
    told_by_calls=frozenset({FIELDS_IGNORED.type}),
    spent=plain,
)

LITELLM_VIRTUAL_KEYS = entity_controller(VIRTUAL_KEY)
