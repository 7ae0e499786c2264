"""LiteLLMOrganization: teams and users under limits in common. LiteLLM 1.108 and later keep organizations to its Enterprise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.apis.litellm.organization import LITELLM_ORGANIZATION, LiteLLMOrganizationSpec
from app.controllers.entities import permissions, shown_members
from app.controllers.entities.controller import entity_controller
from app.controllers.entities.kind import Aim, EntityKind, Followed
from app.controllers.entities.lost import lost_id
from app.controllers.entities.organization_roster import keep_members
from app.litellm.entities.amounts import number
from app.litellm.entities.organization import Organization, organization_fields
from app.litellm.entities.organization_members import members_in
from app.litellm.entities.permission import PERMISSION

if TYPE_CHECKING:
    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Plan

_ORGANIZATION = Organization()


async def _aim(setting: Setting[LiteLLMOrganizationSpec]) -> Aim:
    spec = setting.spec
    fields = organization_fields(spec)
    fields[PERMISSION] = permissions.object_permission(setting, spec.object_permission)
    return Aim(
        wanted=setting.wanted(fields, object_id=await lost_id(setting, _ORGANIZATION, spec.organization_alias)),
        beyond=[[one.email, one.role] for one in spec.members or ()],
        message=f"LiteLLM has accepted the organization {spec.organization_alias} as the spec says",
    )


async def _follow_up(setting: Setting[LiteLLMOrganizationSpec], aim: Aim, _: Plan) -> Followed:
    row, trouble = await keep_members(setting, aim.wanted.id)
    fields: Object = {"currentSpend": number(row.get("spend")), "memberCount": len(members_in(row))}
    if trouble is not None:
        trouble.fields = fields
        raise trouble
    return Followed(fields=fields)


ORGANIZATION = EntityKind(
    resource=LITELLM_ORGANIZATION,
    spec=LiteLLMOrganizationSpec,
    entity=_ORGANIZATION,
    id_field="litellmOrganizationId",
    aim=_aim,
    names=permissions.names,
    related=permissions.RELATED,
    follow_up=_follow_up,
    beyond_differing=shown_members.of_organization,
    spent=number,
)

LITELLM_ORGANIZATIONS = entity_controller(ORGANIZATION)
