"""LiteLLMVectorStore: a provider's store of documents that the gateway may search."""

from __future__ import annotations

from app.apis.custom_resource import AGE, CustomResource, PrinterColumn, condition_column
from app.apis.litellm import API_VERSION, CATEGORIES
from app.apis.litellm.vector_store.spec import LiteLLMVectorStoreSpec
from app.apis.litellm.vector_store.status import LiteLLMVectorStoreStatus
from app.hooks.objects import Resource

__all__ = ["LITELLM_VECTOR_STORE", "LiteLLMVectorStoreSpec", "LiteLLMVectorStoreStatus"]

LITELLM_VECTOR_STORE = CustomResource(
    resource=Resource(API_VERSION, "LiteLLMVectorStore", "litellmvectorstores"),
    singular="litellmvectorstore",
    short_names=("lvs",),
    categories=CATEGORIES,
    description="A vector store at a provider, registered in a LiteLLM proxy for searches.",
    spec=LiteLLMVectorStoreSpec,
    status=LiteLLMVectorStoreStatus,
    columns=(
        PrinterColumn("StoreID", ".spec.vectorStoreId"),
        PrinterColumn("Provider", ".spec.provider"),
        PrinterColumn("Instance", ".spec.instanceRef.name"),
        PrinterColumn("Synced", ".status.synced", "boolean"),
        condition_column("Ready"),
        AGE,
    ),
)
