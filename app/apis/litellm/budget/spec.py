"""What a LiteLLMBudget asks for."""

from __future__ import annotations

from app.apis.section import Section
from app.apis.types import InstanceRef


class LiteLLMBudgetSpec(Section):
    """A tier of limits that customers can share. Keys, teams and users have limits of their own."""

    instance_ref: InstanceRef
    budget_id: str | None = None
    """Id in LiteLLM; absent means the name of this object. A change after the first sync has no effect."""
    max_budget: float | None = None
    """US dollars that may be spent in a period."""
    soft_budget: float | None = None
    """US dollars above which LiteLLM alerts and still answers."""
    budget_duration: str | None = None
    """Period after which the spend starts again from 0, such as 24h or 30d."""
    tpm_limit: int | None = None
    """Tokens per minute."""
    rpm_limit: int | None = None
    """Requests per minute."""
    max_parallel_requests: int | None = None
    """Requests at the same time."""
    model_max_budget: dict[str, float] | None = None
    """US dollars that may be spent in a period, by model."""
