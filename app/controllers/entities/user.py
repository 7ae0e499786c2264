"""LiteLLMUser: somebody who signs in to the gateway or has keys of their own, and the teams that they are in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.apis.litellm.team import LITELLM_TEAM
from app.apis.litellm.user import LITELLM_USER, LiteLLMUserSpec
from app.controllers.entities import password, permissions, shown_members
from app.controllers.entities.controller import entity_controller
from app.controllers.entities.kind import Aim, EntityKind, Followed
from app.controllers.entities.memberships import keep_memberships, wishes
from app.controllers.entities.references import spec_name
from app.hooks.observed_fields import objects_in
from app.litellm.admin.errors import Invalid
from app.litellm.entities.amounts import number
from app.litellm.entities.user import User
from app.resources.kinds import SECRET
from app.status.entity.password_reasons import PASSWORD_APPLIED
from app.status.entity.reasons import CANNOT_CLEAR, FIELDS_IGNORED, MEMBERSHIP_REFUSED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object, Resource
    from app.litellm.entities.entity import Plan
    from app.status.reason import Condition

_USER = User()


async def _aim(setting: Setting[LiteLLMUserSpec]) -> Aim:
    teams = wishes(setting)
    secret = await password.find(setting)
    return Aim(
        wanted=setting.wanted(_fields(setting), secrets=(secret.value,) if secret.value else ()),
        beyond={
            "teams": [wish.known() for wish in teams],
            "password": secret.value,
            "blocked": setting.spec.blocked,
        },
        fields={} if setting.spec.initial_password_secret_ref else {password.DIGEST: None},
        conditions=(*setting.id_change, *secret.conditions),
        message=f"LiteLLM has accepted the user {setting.spec.user_id} as the spec says",
        again=secret.again,
    )


def _fields(setting: Setting[LiteLLMUserSpec]) -> Object:
    """What LiteLLM is told, by its names. ``blocked`` is not: there is no place for it, and an update with it is refused."""
    spec = setting.spec
    return {
        "user_email": spec.user_email,
        "user_role": spec.user_role,
        "max_budget": spec.max_budget,
        "soft_budget": spec.soft_budget,
        "budget_duration": spec.budget_duration,
        "models": spec.models,
        "tpm_limit": spec.tpm_limit,
        "rpm_limit": spec.rpm_limit,
        "model_rpm_limit": spec.model_rpm_limit,
        "model_tpm_limit": spec.model_tpm_limit,
        "metadata": spec.metadata,
        "object_permission": permissions.object_permission(setting, spec.object_permission),
    }


async def _follow_up(setting: Setting[LiteLLMUserSpec], aim: Aim, _: Plan) -> Followed:
    """A look at what LiteLLM made of it, the password, and the teams."""
    admin, user = setting.link.admin, aim.wanted.id
    row = _USER.row(user, await admin.ask(_USER.read(user))) or {}
    conditions = [*await _ignored(setting, aim, row), *_left(aim, row)]
    fields: Object = {"currentSpend": number(row.get("spend"))}
    joined = await keep_memberships(setting, user, wishes(setting))
    conditions += joined.conditions
    fields |= joined.fields
    again = 0
    if aim.beyond["password"]:
        applied = await password.apply(admin, user, aim.beyond["password"], setting.before.fields.get(password.DIGEST))
        conditions.append(applied.condition)
        fields |= applied.fields
        again = applied.again
    if joined.trouble is not None:
        joined.trouble.fields = fields
        joined.trouble.conditions = tuple(conditions)
        raise joined.trouble
    return Followed(fields=fields, conditions=tuple(conditions), again=again)


async def _ignored(setting: Setting[LiteLLMUserSpec], aim: Aim, row: Object) -> list[Condition]:
    """Fields of the spec that LiteLLM has no place for, in all releases or in this one."""
    ignored: list[str] = []
    if setting.spec.blocked:
        ignored.append("spec.blocked (LiteLLM has no switch for users; block the user's keys, or take the models away)")
    if "soft_budget" in aim.wanted.fields and row.get("soft_budget") is None:
        ignored.append("spec.softBudget (LiteLLM has none for users)")
    if _USER.lacks_permission(aim.wanted, row):
        try:
            await setting.link.admin.ask(_USER.permission_alone(aim.wanted))
        except Invalid:
            ignored.append("spec.objectPermission (this release of LiteLLM has none for users)")
    return [FIELDS_IGNORED.because("; ".join(ignored))] if ignored else []


def _left(aim: Aim, row: Object) -> list[Condition]:
    left = ", ".join(_USER.left(aim.wanted, row))
    return [CANNOT_CLEAR.because(f"LiteLLM keeps the last value of {left}: this release has no way to clear it")] if left else []


def _names(spec: Any) -> Iterator[tuple[Resource, Any]]:
    for team in objects_in(spec, "teams"):
        yield LITELLM_TEAM.resource, spec_name(team, "teamRef")
    yield SECRET, spec_name(spec, "initialPasswordSecretRef")
    yield from permissions.names(spec)


USER = EntityKind(
    resource=LITELLM_USER,
    spec=LiteLLMUserSpec,
    entity=_USER,
    id_field="litellmUserId",
    chosen_id=lambda spec, _: spec.user_id,
    aim=_aim,
    names=_names,
    related=(LITELLM_TEAM.resource, *permissions.RELATED),
    follow_up=_follow_up,
    told_by_calls=frozenset({FIELDS_IGNORED.type, MEMBERSHIP_REFUSED.type, PASSWORD_APPLIED.type}),
    beyond_differing=shown_members.of_user,
    spent=number,
)

LITELLM_USERS = entity_controller(USER)
