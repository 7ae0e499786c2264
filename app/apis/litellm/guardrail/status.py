"""What is reported about a LiteLLMGuardrail."""

from __future__ import annotations

from app.apis.section import Section
from app.apis.types import Condition, Int64, Time


class LiteLLMGuardrailStatus(Section):
    """Whether the gateway can use the guardrail."""

    observed_generation: Int64 | None = None
    """Generation of the spec that this status is about."""
    configured: bool | None = None
    """Whether the guardrail is valid and its gateway is told of it."""
    last_sync_time: Time | None = None
    """When that was last found to have changed."""
    conditions: list[Condition] | None = None
    """The aspects of the state, each with its reason and what to do next."""
