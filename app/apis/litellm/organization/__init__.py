"""LiteLLMOrganization: teams under one cap of spend."""

from __future__ import annotations

from app.apis.custom_resource import AGE, CustomResource, PrinterColumn, condition_column
from app.apis.litellm import API_VERSION, CATEGORIES
from app.apis.litellm.organization.spec import LiteLLMOrganizationSpec
from app.apis.litellm.organization.status import LiteLLMOrganizationStatus
from app.hooks.objects import Resource

__all__ = ["LITELLM_ORGANIZATION", "LiteLLMOrganizationSpec", "LiteLLMOrganizationStatus"]

LITELLM_ORGANIZATION = CustomResource(
    resource=Resource(API_VERSION, "LiteLLMOrganization", "litellmorganizations"),
    singular="litellmorganization",
    short_names=("lo",),
    categories=CATEGORIES,
    description="An organization in a LiteLLM proxy: teams and users under limits in common (LiteLLM Enterprise).",
    spec=LiteLLMOrganizationSpec,
    status=LiteLLMOrganizationStatus,
    columns=(
        PrinterColumn("Alias", ".spec.organizationAlias"),
        PrinterColumn("Members", ".status.memberCount", "integer"),
        PrinterColumn("Synced", ".status.synced", "boolean"),
        condition_column("Ready"),
        AGE,
    ),
)
