"""LiteLLMUser: somebody who signs in to the gateway or has keys of their own."""

from __future__ import annotations

from app.apis.custom_resource import AGE, CustomResource, PrinterColumn, condition_column
from app.apis.litellm import API_VERSION, CATEGORIES
from app.apis.litellm.user.spec import LiteLLMUserSpec
from app.apis.litellm.user.status import LiteLLMUserStatus
from app.hooks.objects import Resource

__all__ = ["LITELLM_USER", "LiteLLMUserSpec", "LiteLLMUserStatus"]

LITELLM_USER = CustomResource(
    resource=Resource(API_VERSION, "LiteLLMUser", "litellmusers"),
    singular="litellmuser",
    short_names=("lu",),
    categories=CATEGORIES,
    description="A user of a LiteLLM proxy, with a role, limits and teams.",
    spec=LiteLLMUserSpec,
    status=LiteLLMUserStatus,
    columns=(
        PrinterColumn("UserID", ".spec.userId"),
        PrinterColumn("Role", ".spec.userRole"),
        PrinterColumn("Synced", ".status.synced", "boolean"),
        condition_column("Ready"),
        AGE,
    ),
)
