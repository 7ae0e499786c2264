"""What is reported about a LiteLLMCustomer."""

from __future__ import annotations

from app.apis.litellm.entity_status import UnmarkedEntityStatus


class LiteLLMCustomerStatus(UnmarkedEntityStatus):
    """Whether LiteLLM has the customer."""

    litellm_customer_id: str | None = None
    """Id in LiteLLM."""
    current_spend: float | None = None
    """US dollars spent in this period."""
    blocked: bool | None = None
    """Whether LiteLLM refuses the customer's requests."""
