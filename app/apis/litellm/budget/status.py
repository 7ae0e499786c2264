"""What is reported about a LiteLLMBudget."""

from __future__ import annotations

from app.apis.litellm.entity_status import UnmarkedEntityStatus


class LiteLLMBudgetStatus(UnmarkedEntityStatus):
    """Whether LiteLLM has the budget."""

    litellm_budget_id: str | None = None
    """Id in LiteLLM."""
    current_spend: float | None = None
    """US dollars spent in this period."""
