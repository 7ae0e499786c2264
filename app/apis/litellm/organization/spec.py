"""What a LiteLLMOrganization asks for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.apis.litellm.object_permission import ObjectPermission
from app.apis.section import Section
from app.apis.types import InstanceRef, Int64


class OrganizationMember(Section):
    """A member of an organization."""

    email: Annotated[str, Field(min_length=1)]
    """E-mail address of the user. An empty one would be that of every user who has none."""
    role: Literal["org_admin", "internal_user"] = "internal_user"
    """Role in the organization."""


class LiteLLMOrganizationSpec(Section):
    """Teams and users under limits in common (LiteLLM Enterprise)."""

    instance_ref: InstanceRef
    organization_alias: str
    """Name of the organization."""
    models: list[str] | None = None
    """Models that may be used; absent means all."""
    max_budget: float | None = None
    """US dollars that may be spent in a period."""
    budget_duration: str | None = None
    """Period after which the spend starts again from 0, such as 24h or 30d."""
    tpm_limit: Int64 | None = None
    """Tokens per minute."""
    rpm_limit: Int64 | None = None
    """Requests per minute."""
    soft_budget: float | None = None
    """US dollars above which LiteLLM alerts and still answers."""
    model_rpm_limit: dict[str, int] | None = None
    """Requests per minute, by model."""
    model_tpm_limit: dict[str, int] | None = None
    """Tokens per minute, by model."""
    members: list[OrganizationMember] | None = None
    """All members: others are removed. Absent or empty leaves members alone."""
    object_permission: ObjectPermission | None = None
    metadata: dict[str, str] | None = None
    """Notes that LiteLLM keeps with the organization."""
