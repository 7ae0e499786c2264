"""What is reported about a LiteLLMOrganization."""

from __future__ import annotations

from app.apis.litellm.entity_status import SyncedEntityStatus


class LiteLLMOrganizationStatus(SyncedEntityStatus):
    """Whether LiteLLM has the organization."""

    litellm_organization_id: str | None = None
    """Id in LiteLLM."""
    current_spend: float | None = None
    """US dollars spent in this period."""
    member_count: int | None = None
    """Members in LiteLLM."""
