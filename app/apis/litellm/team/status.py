"""What is reported about a LiteLLMTeam."""

from __future__ import annotations

from app.apis.litellm.entity_status import SyncedEntityStatus
from app.apis.section import Section


class MemberStatus(Section):
    """A member that LiteLLM has in the team."""

    email: str
    """E-mail address of the user."""
    role: str
    """Role in the team."""
    source: str | None = None
    """Who put the member there: crd or sso."""
    synced: bool | None = None
    """Whether LiteLLM has the member as the spec says."""


class LiteLLMTeamStatus(SyncedEntityStatus):
    """Whether LiteLLM has the team."""

    litellm_team_id: str | None = None
    """Id in LiteLLM."""
    current_spend: float | None = None
    """US dollars spent in this period."""
    total_member_count: int | None = None
    """Members in LiteLLM."""
    crd_members: list[MemberStatus] | None = None
    """Members that the spec put there."""
    sso_members: list[MemberStatus] | None = None
    """All other members."""
    logging_synced: bool | None = None
    """Whether LiteLLM has the logging of the spec."""
    logging_disabled: bool | None = None
    """Whether LiteLLM logs none of the team's requests."""
