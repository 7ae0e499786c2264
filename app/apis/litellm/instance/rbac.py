"""``spec.rbac``: which role may call which route."""

from __future__ import annotations

from app.apis.section import Section


class TeamKeyGeneration(Section):
    """Who may make keys of a team."""

    allowed_team_member_roles: list[str]
    """Roles in the team: admin, user."""


class PersonalKeyGeneration(Section):
    """Who may make keys of their own."""

    allowed_user_roles: list[str]
    """Roles in the proxy: proxy_admin, proxy_admin_viewer, internal_user, internal_user_viewer."""


class KeyGeneration(Section):
    """Who may make keys (LiteLLM Enterprise)."""

    team_key_generation: TeamKeyGeneration | None = None
    personal_key_generation: PersonalKeyGeneration | None = None


class RolePermissions(Section):
    """What a role may do."""

    routes: list[str] | None = None
    """Routes it may call."""
    models: list[str] | None = None
    """Models it may call."""


class RBAC(Section):
    """Roles and routes. Nothing of it counts while it is not enabled."""

    enabled: bool
    """Enforce it; general_settings.enforce_rbac."""
    admin_only_routes: list[str] | None = None
    """Routes for admins only."""
    allowed_routes: list[str] | None = None
    """Routes that may be called at all."""
    key_generation: KeyGeneration | None = None
    role_permissions: dict[str, RolePermissions] | None = None
    """What a role may do, by role (LiteLLM Enterprise)."""
    default_team_disabled: bool | None = None
    """Do not let users make keys outside a team."""
