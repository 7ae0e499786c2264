"""What is reported about a LiteLLMVirtualKey."""

from __future__ import annotations

from app.apis.litellm.entity_status import SyncedEntityStatus
from app.apis.types import SecretKeyRef, Time


class LiteLLMVirtualKeyStatus(SyncedEntityStatus):
    """Whether LiteLLM has the key, and where its value is."""

    key_secret_ref: SecretKeyRef | None = None
    """Secret key that holds the value."""
    litellm_key_token: str | None = None
    """Hash of the key, by which LiteLLM knows it."""
    current_spend: str | None = None
    """US dollars spent in this period."""
    is_active: bool | None = None
    """Whether the key can be used: neither blocked nor expired."""
    expires_at: Time | None = None
    """When the key stops working."""
