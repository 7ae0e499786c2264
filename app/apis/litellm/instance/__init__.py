"""LiteLLMInstance: one LiteLLM proxy, run by us or attached to."""

from __future__ import annotations

from app.apis.custom_resource import AGE, CustomResource, PrinterColumn, condition_column
from app.apis.litellm import API_VERSION, CATEGORIES
from app.apis.litellm.instance.spec import LiteLLMInstanceSpec
from app.apis.litellm.instance.status import LiteLLMInstanceStatus
from app.hooks.objects import Resource

__all__ = ["LITELLM_INSTANCE", "LiteLLMInstanceSpec", "LiteLLMInstanceStatus"]

LITELLM_INSTANCE = CustomResource(
    resource=Resource(API_VERSION, "LiteLLMInstance", "litellminstances"),
    singular="litellminstance",
    short_names=("li",),
    categories=CATEGORIES,
    description="One LiteLLM proxy: run for you in this namespace, or attached to where it runs already.",
    spec=LiteLLMInstanceSpec,
    status=LiteLLMInstanceStatus,
    columns=(
        condition_column("Ready"),
        PrinterColumn("Endpoint", ".status.endpoint"),
        PrinterColumn("Version", ".status.version"),
        AGE,
    ),
)
