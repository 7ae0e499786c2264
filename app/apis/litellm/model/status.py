"""What is reported about a LiteLLMModel."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.apis.litellm.entity_status import LateEntityStatus, SyncedEntityStatus
from app.apis.types import Int64


class LiteLLMModelStatus(SyncedEntityStatus, LateEntityStatus):
    """Whether LiteLLM has the model, and how it does."""

    litellm_model_id: str | None = None
    """Id in LiteLLM."""
    health: str | None = None
    """Outcome of the last probe that the proxy remembers: healthy, unhealthy or unknown."""
    latency_p50_ms: int | None = None
    """Milliseconds that half of the requests took at most."""
    latency_p95_ms: int | None = None
    """Milliseconds that 95% of the requests took at most."""
    requests_last_24h: Annotated[Int64 | None, Field(alias="requestsLast24h")] = None
    """Requests in the last 24 hours."""
