"""LiteLLMGuardrail: a check of requests or answers, rendered into the configuration of the gateway it names."""

from __future__ import annotations

from app.apis.custom_resource import AGE, CustomResource, PrinterColumn
from app.apis.litellm import API_VERSION, CATEGORIES
from app.apis.litellm.guardrail.spec import LiteLLMGuardrailSpec
from app.apis.litellm.guardrail.status import LiteLLMGuardrailStatus
from app.hooks.objects import Resource

__all__ = ["LITELLM_GUARDRAIL", "LiteLLMGuardrailSpec", "LiteLLMGuardrailStatus"]

LITELLM_GUARDRAIL = CustomResource(
    resource=Resource(API_VERSION, "LiteLLMGuardrail", "litellmguardrails"),
    singular="litellmguardrail",
    short_names=("lg",),
    categories=CATEGORIES,
    description="A check of what goes into a model or comes out of it, run by a LiteLLM proxy.",
    spec=LiteLLMGuardrailSpec,
    status=LiteLLMGuardrailStatus,
    columns=(
        PrinterColumn("Guardrail", ".spec.guardrailName"),
        PrinterColumn("Provider", ".spec.provider"),
        PrinterColumn("Mode", ".spec.mode"),
        PrinterColumn("Instance", ".spec.instanceRef.name"),
        PrinterColumn("Configured", ".status.configured", "boolean"),
        AGE,
    ),
)
