"""What is reported about a LiteLLMVectorStore."""

from __future__ import annotations

from app.apis.litellm.entity_status import SyncedEntityStatus


class LiteLLMVectorStoreStatus(SyncedEntityStatus):
    """Whether LiteLLM has the vector store, under the id of the spec."""
