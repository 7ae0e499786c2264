"""LiteLLMTeam: users and keys with models and limits in common, and where their requests are logged to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.apis.litellm.organization import LITELLM_ORGANIZATION
from app.apis.litellm.team import LITELLM_TEAM, LiteLLMTeamSpec
from app.controllers.entities import permissions, shown_members
from app.controllers.entities.controller import entity_controller
from app.controllers.entities.kind import Aim, EntityKind, Followed
from app.controllers.entities.lost import lost_id
from app.controllers.entities.references import spec_name
from app.controllers.entities.roster import keep_members
from app.controllers.entities.secrets import texts_in
from app.hooks.observed_fields import object_in, objects_in
from app.litellm.entities import team_logging
from app.litellm.entities.amounts import number
from app.litellm.entities.team import Team
from app.resources.kinds import SECRET
from app.status.entity.reasons import FIELDS_IGNORED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object, Resource
    from app.litellm.entities.entity import Plan

_TEAM = Team()


async def _aim(setting: Setting[LiteLLMTeamSpec]) -> Aim:
    spec = setting.spec
    entries, ignored, secrets = await _destinations(setting)
    disabled = spec.logging is not None and spec.logging.disabled is True
    metadata = {**(spec.metadata or {}), **({team_logging.ENTRY: entries} if entries or disabled else {})}
    wanted = setting.wanted(
        {**_fields(setting), "metadata": metadata},
        secrets=secrets,
        licensed=("guardrails", "tags"),
        object_id=await lost_id(setting, _TEAM, spec.team_alias),
    )
    return Aim(
        wanted=wanted,
        beyond={
            "mode": spec.member_management,
            "members": [[one.email, one.role] for one in spec.members or ()],
            "ignored": ignored,
        },
        fields={"loggingSynced": bool(entries) or disabled, "loggingDisabled": disabled},
        conditions=setting.id_change,
        message=f"LiteLLM has accepted the team {spec.team_alias} as the spec says",
    )


def _fields(setting: Setting[LiteLLMTeamSpec]) -> Object:
    """What LiteLLM is told, by its names. Raises :class:`~app.controllers.entities.unsettled.Unsettled`."""
    spec = setting.spec
    organization = spec.organization_ref
    return {
        "team_alias": spec.team_alias,
        # An organization is a cap of spend: the team waits for it.
        "organization_id": organization
        and setting.referenced_id(LITELLM_ORGANIZATION, organization.name, "spec.organizationRef", "litellmOrganizationId"),
        "models": spec.models,
        "max_budget": spec.max_budget_monthly,
        "soft_budget": spec.soft_budget,
        "budget_duration": spec.budget_duration,
        "tpm_limit": spec.tpm_limit,
        "rpm_limit": spec.rpm_limit,
        "team_member_budget": spec.team_member_budget,
        "team_member_rpm_limit": spec.team_member_rpm_limit,
        "team_member_tpm_limit": spec.team_member_tpm_limit,
        "model_rpm_limit": spec.model_rpm_limit,
        "model_tpm_limit": spec.model_tpm_limit,
        "max_parallel_requests": spec.max_parallel_requests,
        "blocked": spec.blocked,
        "object_permission": permissions.object_permission(setting, spec.object_permission),
        "tags": spec.tags,
        "guardrails": spec.guardrails,
    }


async def _destinations(setting: Setting[LiteLLMTeamSpec]) -> tuple[list[Object], list[str], list[str]]:
    """Entries for LiteLLM, what of the spec they leave out, and every secret value. Raises ``Unsettled``."""
    logging = setting.spec.logging
    entries: list[Object] = []
    ignored: list[str] = []
    secrets: list[str] = []
    for place, callback in enumerate((logging.callbacks if logging and not logging.disabled else None) or ()):
        field = f"spec.logging.callbacks[{place}]"
        name = callback.credentials_secret_ref.name
        texts = texts_in(await setting.secret(name, f"{field}.credentialsSecretRef"))
        variables, others = team_logging.passed_on(callback, texts)
        entries.append(team_logging.entry(callback, variables))
        secrets += [text for text in texts.values() if text]
        if others:
            ignored.append(f"{field}: {', '.join(others)} (no variables that every release knows for {callback.name})")
    return entries, ignored, secrets


async def _follow_up(setting: Setting[LiteLLMTeamSpec], aim: Aim, _: Plan) -> Followed:
    """Members, and a look at what LiteLLM made of it all."""
    answer, told = await keep_members(setting, aim.wanted.id)
    row = _TEAM.row(aim.wanted.id, answer) or {}
    ignored: list[str] = list(aim.beyond["ignored"])
    parallel = "max_parallel_requests"
    if parallel in aim.wanted.fields and row.get(parallel) is None:
        ignored.append("spec.maxParallelRequests (LiteLLM does not limit it for teams)")
    conditions = (FIELDS_IGNORED.because("; ".join(ignored)),) if ignored else ()
    fields = {"currentSpend": number(row.get("spend")), **told.fields}
    if told.trouble is not None:
        told.trouble.fields = fields
        told.trouble.conditions = conditions
        raise told.trouble
    return Followed(fields=fields, conditions=conditions)


def _names(spec: Any) -> Iterator[tuple[Resource, Any]]:
    yield LITELLM_ORGANIZATION.resource, spec_name(spec, "organizationRef")
    yield from permissions.names(spec)
    for callback in objects_in(object_in(spec, "logging"), "callbacks"):
        yield SECRET, spec_name(callback, "credentialsSecretRef")


TEAM = EntityKind(
    resource=LITELLM_TEAM,
    spec=LiteLLMTeamSpec,
    entity=_TEAM,
    id_field="litellmTeamId",
    chosen_id=lambda spec, _: spec.team_id or "",
    aim=_aim,
    names=_names,
    related=(LITELLM_ORGANIZATION.resource, *permissions.RELATED),
    follow_up=_follow_up,
    told_by_calls=frozenset({FIELDS_IGNORED.type}),
    beyond_differing=shown_members.of_team,
    spent=number,
)

LITELLM_TEAMS = entity_controller(TEAM)
