"""LiteLLMCredential: a provider's key that several models share."""

from __future__ import annotations

from app.apis.custom_resource import AGE, CustomResource, PrinterColumn, condition_column
from app.apis.litellm import API_VERSION, CATEGORIES
from app.apis.litellm.credential.spec import LiteLLMCredentialSpec
from app.apis.litellm.credential.status import LiteLLMCredentialStatus
from app.hooks.objects import Resource

__all__ = ["LITELLM_CREDENTIAL", "LiteLLMCredentialSpec", "LiteLLMCredentialStatus"]

LITELLM_CREDENTIAL = CustomResource(
    resource=Resource(API_VERSION, "LiteLLMCredential", "litellmcredentials"),
    singular="litellmcredential",
    short_names=("lc",),
    categories=CATEGORIES,
    description="A provider's key and address, kept in a LiteLLM proxy for several models to use.",
    spec=LiteLLMCredentialSpec,
    status=LiteLLMCredentialStatus,
    columns=(
        PrinterColumn("Credential", ".spec.credentialName"),
        PrinterColumn("Instance", ".spec.instanceRef.name"),
        PrinterColumn("Configured", ".status.configured", "boolean"),
        PrinterColumn("Models", ".status.referencedByModels", "integer"),
        condition_column("Ready"),
        AGE,
    ),
)
