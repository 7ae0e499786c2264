"""What a LiteLLMUser asks for."""

from __future__ import annotations

from typing import Literal

from app.apis.litellm.object_permission import ObjectPermission
from app.apis.section import Section
from app.apis.types import InstanceRef, SecretKeyRef, TeamRef


class UserTeam(Section):
    """A team that the user belongs to."""

    team_ref: TeamRef | None = None
    """LiteLLMTeam in the same namespace; wins over teamId."""
    team_id: str | None = None
    """Id of a team in LiteLLM that no custom resource describes."""
    role: str = "user"
    """Role in the team: user or admin."""
    max_budget_in_team: float | None = None
    """US dollars that the user may spend in the team."""


class LiteLLMUserSpec(Section):
    """Somebody who signs in to the gateway or has keys of their own."""

    instance_ref: InstanceRef
    user_id: str
    """Id in LiteLLM: the user is taken over if they exist, else created under it."""
    user_email: str | None = None
    """E-mail address."""
    user_role: Literal["proxy_admin", "proxy_admin_viewer", "internal_user", "internal_user_viewer"] = "internal_user"
    """What the user may do in the proxy."""
    max_budget: float | None = None
    """US dollars that may be spent in a period."""
    budget_duration: str | None = None
    """Period after which the spend starts again from 0, such as 24h or 30d."""
    models: list[str] | None = None
    """Models that may be used; absent means all."""
    teams: list[UserTeam] | None = None
    """Teams that the user belongs to. Memberships from elsewhere are left alone."""
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
    """Notes that LiteLLM keeps with the user."""
    blocked: bool | None = None
    """Refuse all requests."""
    object_permission: ObjectPermission | None = None
    initial_password_secret_ref: SecretKeyRef | None = None
    """Secret key with the first password for the Admin UI. It is set once, and again only when the Secret's value changes."""
