"""LiteLLMVirtualKey: a key for clients of the gateway, handed over in a Secret."""

from __future__ import annotations

from app.apis.custom_resource import AGE, CustomResource, PrinterColumn, condition_column
from app.apis.litellm import API_VERSION, CATEGORIES
from app.apis.litellm.virtual_key.spec import LiteLLMVirtualKeySpec
from app.apis.litellm.virtual_key.status import LiteLLMVirtualKeyStatus
from app.hooks.objects import Resource

__all__ = ["LITELLM_VIRTUAL_KEY", "LiteLLMVirtualKeySpec", "LiteLLMVirtualKeyStatus"]

LITELLM_VIRTUAL_KEY = CustomResource(
    resource=Resource(API_VERSION, "LiteLLMVirtualKey", "litellmvirtualkeys"),
    singular="litellmvirtualkey",
    short_names=("lk",),
    categories=CATEGORIES,
    description="A key that clients call a LiteLLM proxy with. Its value is kept in a Secret.",
    spec=LiteLLMVirtualKeySpec,
    status=LiteLLMVirtualKeyStatus,
    columns=(
        PrinterColumn("Alias", ".spec.keyAlias"),
        PrinterColumn("Active", ".status.isActive", "boolean"),
        PrinterColumn("Synced", ".status.synced", "boolean"),
        condition_column("Ready"),
        AGE,
    ),
)
