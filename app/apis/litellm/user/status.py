"""What is reported about a LiteLLMUser."""

from __future__ import annotations

from app.apis.litellm.entity_status import SyncedEntityStatus
from app.apis.section import Section


class ResolvedTeam(Section):
    """A team of the spec, as LiteLLM knows it."""

    team_id: str
    """Id in LiteLLM."""
    team_alias: str | None = None
    """Name of the team."""
    role: str
    """Role in the team."""
    synced: bool
    """Whether LiteLLM has the user in the team."""
    max_budget_in_team: float | None = None
    """US dollars that the user may spend in the team, as LiteLLM was told."""


class LiteLLMUserStatus(SyncedEntityStatus):
    """Whether LiteLLM has the user."""

    litellm_user_id: str | None = None
    """Id in LiteLLM."""
    current_spend: float | None = None
    """US dollars spent in this period."""
    resolved_teams: list[ResolvedTeam] | None = None
    """Teams of the spec."""
    initial_password_digest: str | None = None
    """Digest of the password that was set last; the password can't be told from it."""
