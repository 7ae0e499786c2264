"""LiteLLMBudget: a tier of limits that customers can share."""

from __future__ import annotations

from app.apis.custom_resource import AGE, CustomResource, PrinterColumn, condition_column
from app.apis.litellm import API_VERSION, CATEGORIES
from app.apis.litellm.budget.spec import LiteLLMBudgetSpec
from app.apis.litellm.budget.status import LiteLLMBudgetStatus
from app.hooks.objects import Resource

__all__ = ["LITELLM_BUDGET", "LiteLLMBudgetSpec", "LiteLLMBudgetStatus"]

LITELLM_BUDGET = CustomResource(
    resource=Resource(API_VERSION, "LiteLLMBudget", "litellmbudgets"),
    singular="litellmbudget",
    short_names=("lb",),
    categories=CATEGORIES,
    description="A tier of limits on spend and rate in a LiteLLM proxy, for customers to share.",
    spec=LiteLLMBudgetSpec,
    status=LiteLLMBudgetStatus,
    columns=(
        PrinterColumn("Budget ID", ".status.litellmBudgetId"),
        PrinterColumn("Synced", ".status.synced", "boolean"),
        PrinterColumn("Instance", ".spec.instanceRef.name"),
        condition_column("Ready"),
        AGE,
    ),
)
