"""What is reported about a LiteLLMCredential."""

from __future__ import annotations

from app.apis.litellm.entity_status import LateEntityStatus


class LiteLLMCredentialStatus(LateEntityStatus):
    """Whether LiteLLM has the credential."""

    credential_name: str | None = None
    """Name in LiteLLM, which the credential keeps whatever becomes of the spec."""
    configured: bool | None = None
    """Whether LiteLLM has the credential as the spec says."""
    secret_resource_version: str | None = None
    """Version of the Secret whose key LiteLLM has."""
    referenced_by_models: int | None = None
    """LiteLLMModels of the namespace that name it."""
