"""What a LiteLLMVirtualKey asks for."""

from __future__ import annotations

from app.apis.litellm.object_permission import ObjectPermission
from app.apis.section import Section
from app.apis.types import InstanceRef, TeamRef, Time, UserRef


class KeySecretTemplate(Section):
    """What the Secret with the key carries besides the key."""

    annotations: dict[str, str] | None = None
    """Annotations."""
    labels: dict[str, str] | None = None
    """Labels; those of Palena win."""


class LiteLLMVirtualKeySpec(Section):
    """A key for clients of the gateway."""

    instance_ref: InstanceRef
    key_alias: str
    """Name of the key, unique in the proxy."""
    team_ref: TeamRef | None = None
    """LiteLLMTeam in the same namespace that the key belongs to. The key waits until LiteLLM has it."""
    user_ref: UserRef | None = None
    """LiteLLMUser in the same namespace that the key belongs to. The key waits until LiteLLM has them."""
    models: list[str] | None = None
    """Models that may be used; absent means all that the team or user may."""
    max_budget: str | None = None
    """US dollars that may be spent in a period, as a text such as "12.50"."""
    budget_duration: str | None = None
    """Period after which the spend starts again from 0, such as 24h or 30d."""
    expires_at: Time | None = None
    """When the key stops working."""
    tpm_limit: int | None = None
    """Tokens per minute."""
    rpm_limit: int | None = None
    """Requests per minute."""
    soft_budget: float | None = None
    """US dollars above which LiteLLM alerts and still answers."""
    model_rpm_limit: dict[str, int] | None = None
    """Requests per minute, by model."""
    model_tpm_limit: dict[str, int] | None = None
    """Tokens per minute, by model."""
    metadata: dict[str, str] | None = None
    """Notes that LiteLLM keeps with the key."""
    blocked: bool | None = None
    """Refuse all requests."""
    object_permission: ObjectPermission | None = None
    model_max_budget: dict[str, str] | None = None
    """US dollars in budgetDuration, or in 30 days without it, by model, as a text such as "12.50" (LiteLLM Enterprise)."""
    max_parallel_requests: int | None = None
    """Requests at the same time."""
    key_secret_name: str | None = None
    """Name of the Secret that gets the key; absent means the name of this object and "-key"."""
    key_secret_template: KeySecretTemplate | None = None
    guardrails: list[str] | None = None
    """Names of guardrails that run on every request (LiteLLM Enterprise)."""
