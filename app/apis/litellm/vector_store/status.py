"""What is reported about a LiteLLMVectorStore."""

from __future__ import annotations

from app.apis.litellm.entity_status import SyncedEntityStatus


class LiteLLMVectorStoreStatus(SyncedEntityStatus):
    """Whether LiteLLM has the vector store."""

    litellm_vector_store_id: str | None = None
    """Id in LiteLLM, which is the provider's."""
