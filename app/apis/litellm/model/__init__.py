"""LiteLLMModel: a deployment of a model, under the name that clients use."""

from __future__ import annotations

from app.apis.custom_resource import AGE, CustomResource, PrinterColumn, condition_column
from app.apis.litellm import API_VERSION, CATEGORIES
from app.apis.litellm.model.spec import LiteLLMModelSpec
from app.apis.litellm.model.status import LiteLLMModelStatus
from app.hooks.objects import Resource

__all__ = ["LITELLM_MODEL", "LiteLLMModelSpec", "LiteLLMModelStatus"]

LITELLM_MODEL = CustomResource(
    resource=Resource(API_VERSION, "LiteLLMModel", "litellmmodels"),
    singular="litellmmodel",
    short_names=("lm",),
    categories=CATEGORIES,
    description="A deployment of a model at a provider, which a LiteLLM proxy serves under a name of its own.",
    spec=LiteLLMModelSpec,
    status=LiteLLMModelStatus,
    columns=(
        PrinterColumn("Model", ".spec.modelName"),
        PrinterColumn("Synced", ".status.synced", "boolean"),
        PrinterColumn("Health", ".status.health"),
        condition_column("Ready"),
        AGE,
    ),
)
