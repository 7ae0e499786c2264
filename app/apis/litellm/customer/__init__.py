"""LiteLLMCustomer: an end user of an application, who has no key of their own."""

from __future__ import annotations

from app.apis.custom_resource import AGE, CustomResource, PrinterColumn, condition_column
from app.apis.litellm import API_VERSION, CATEGORIES
from app.apis.litellm.customer.spec import LiteLLMCustomerSpec
from app.apis.litellm.customer.status import LiteLLMCustomerStatus
from app.hooks.objects import Resource

__all__ = ["LITELLM_CUSTOMER", "LiteLLMCustomerSpec", "LiteLLMCustomerStatus"]

LITELLM_CUSTOMER = CustomResource(
    resource=Resource(API_VERSION, "LiteLLMCustomer", "litellmcustomers"),
    singular="litellmcustomer",
    short_names=("lcust",),
    categories=CATEGORIES,
    description="An end user of an application that calls a LiteLLM proxy, named in requests and without a key of their own.",
    spec=LiteLLMCustomerSpec,
    status=LiteLLMCustomerStatus,
    columns=(
        PrinterColumn("CustomerID", ".spec.customerId"),
        PrinterColumn("MaxBudget", ".spec.maxBudget"),
        PrinterColumn("Spend", ".status.currentSpend"),
        PrinterColumn("Synced", ".status.synced", "boolean"),
        condition_column("Ready"),
        AGE,
    ),
)
