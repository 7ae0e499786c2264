"""What is reported about a LiteLLMCredential."""

from __future__ import annotations

from app.apis.litellm.entity_status import EntityStatus


class LiteLLMCredentialStatus(EntityStatus):
    """Whether LiteLLM has the credential."""

    configured: bool | None = None
    """Whether LiteLLM has the credential as the spec says."""
    referenced_by_models: int | None = None
    """LiteLLMModels of the namespace that name it."""
