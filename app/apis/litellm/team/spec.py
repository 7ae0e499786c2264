"""What a LiteLLMTeam asks for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.apis.litellm.object_permission import ObjectPermission
from app.apis.section import Section
from app.apis.types import InstanceRef, OrganizationRef, SecretRef


class TeamMember(Section):
    """A member of a team."""

    email: Annotated[str, Field(min_length=1)]
    """E-mail address of the user. An empty one would be that of every user who has none."""
    role: Literal["admin", "user"] = "user"
    """Role in the team."""


class TeamCallback(Section):
    """A destination of logs."""

    name: Literal["langfuse", "gcs_bucket", "langsmith", "arize"]
    """Where to."""
    type: Literal["success", "failure", "success_and_failure"] = "success_and_failure"
    """Which requests are logged, by their outcome."""
    credentials_secret_ref: SecretRef
    """Secret whose keys are the destination's credentials, such as langfuse_public_key and langfuse_secret."""
    config: dict[str, str] | None = None
    """More variables of the destination, beside those of the Secret."""


class TeamLogging(Section):
    """Where the team's requests are logged to, instead of where the proxy logs to."""

    disabled: bool | None = None
    """No destination of the team's own, nor one that the proxy's configuration names for it. What is logged of all requests
    stays."""
    callbacks: list[TeamCallback] | None = None
    """Destinations."""


class LiteLLMTeamSpec(Section):
    """A group of users and keys with limits in common."""

    instance_ref: InstanceRef
    organization_ref: OrganizationRef | None = None
    """Organization that the team belongs to. The team waits until LiteLLM has it."""
    team_id: str | None = None
    """Id in LiteLLM: the team is taken over if it exists, else created under it. A change after the first sync has no effect."""
    team_alias: str
    """Name of the team."""
    models: list[str] | None = None
    """Models that may be used; absent means all."""
    max_budget_monthly: float | None = None
    """US dollars that may be spent in a period; a month only if budgetDuration says so."""
    budget_duration: str | None = None
    """Period after which the spend starts again from 0, such as 24h or 30d."""
    tpm_limit: int | None = None
    """Tokens per minute."""
    rpm_limit: int | None = None
    """Requests per minute."""
    team_member_rpm_limit: int | None = None
    """Requests per minute of each member."""
    team_member_tpm_limit: int | None = None
    """Tokens per minute of each member."""
    team_member_budget: float | None = None
    """US dollars that each member may spend in a period."""
    soft_budget: float | None = None
    """US dollars above which LiteLLM alerts and still answers."""
    model_rpm_limit: dict[str, int] | None = None
    """Requests per minute, by model."""
    model_tpm_limit: dict[str, int] | None = None
    """Tokens per minute, by model."""
    metadata: dict[str, str] | None = None
    """Notes that LiteLLM keeps with the team."""
    blocked: bool | None = None
    """Refuse all requests."""
    object_permission: ObjectPermission | None = None
    tags: list[str] | None = None
    """Tags that route requests and group spend."""
    max_parallel_requests: int | None = None
    """Requests at the same time."""
    member_management: Literal["crd", "sso", "mixed"] = "mixed"
    """Who decides on members: crd keeps exactly those listed here, sso leaves all to single sign-on, mixed adds those listed here
    and removes only those that were listed before."""
    members: list[TeamMember] | None = None
    """Members."""
    guardrails: list[str] | None = None
    """Names of guardrails that run on every request (LiteLLM Enterprise)."""
    logging: TeamLogging | None = None
