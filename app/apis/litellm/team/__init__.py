"""LiteLLMTeam: a group of users and keys with limits in common."""

from __future__ import annotations

from app.apis.custom_resource import AGE, CustomResource, PrinterColumn, condition_column
from app.apis.litellm import API_VERSION, CATEGORIES
from app.apis.litellm.team.spec import LiteLLMTeamSpec
from app.apis.litellm.team.status import LiteLLMTeamStatus
from app.hooks.objects import Resource

__all__ = ["LITELLM_TEAM", "LiteLLMTeamSpec", "LiteLLMTeamStatus"]

LITELLM_TEAM = CustomResource(
    resource=Resource(API_VERSION, "LiteLLMTeam", "litellmteams"),
    singular="litellmteam",
    short_names=("lt",),
    categories=CATEGORIES,
    description="A team in a LiteLLM proxy: users and keys with models and limits in common.",
    spec=LiteLLMTeamSpec,
    status=LiteLLMTeamStatus,
    columns=(
        PrinterColumn("Alias", ".spec.teamAlias"),
        PrinterColumn("Members", ".status.totalMemberCount", "integer"),
        PrinterColumn("MemberMgmt", ".spec.memberManagement"),
        PrinterColumn("Synced", ".status.synced", "boolean"),
        condition_column("Ready"),
        AGE,
    ),
)
