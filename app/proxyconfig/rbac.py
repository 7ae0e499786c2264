"""Roles and routes. Nothing of it counts while ``rbac.enabled`` is false."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.hooks.field_path import field_path
from app.proxyconfig.findings import Cause, Finding
from app.proxyconfig.machine_auth import TOKEN_ROLES
from app.proxyconfig.table import Setting, field, is_empty, map_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object


def role_permissions(roles: dict[str, Any]) -> list[Object]:
    """A map in the spec, a list in LiteLLM: a map there keeps the proxy from starting. Sorted, so that order means nothing."""
    return [
        {"role": role, **{key: roles[role][key] for key in ("routes", "models") if not is_empty(roles[role].get(key))}}
        for role in sorted(roles)
    ]


PROBES = ("/health/liveliness", "/health/readiness")
"""Routes of the pod's own probes. LiteLLM 1.81 answers 403 to them unless they are allowed, and the pod would never be ready."""


def with_probes(routes: list[str]) -> list[str]:
    """The allowed routes and those of the probes."""
    return [*routes, *(probe for probe in PROBES if probe not in routes)]


GENERAL = (
    Setting("rbac.enabled", "enforce_rbac", when="rbac.enabled"),
    Setting("rbac.adminOnlyRoutes", "admin_only_routes", when="rbac.enabled"),
    Setting("rbac.allowedRoutes", "allowed_routes", when="rbac.enabled", form=with_probes),
    Setting("rbac.rolePermissions", "role_permissions", when="rbac.enabled", form=role_permissions),
    Setting("rbac.defaultTeamDisabled", "default_team_disabled", when="rbac.enabled"),
)
"""Part of ``general_settings``."""

KEY_GENERATION = (
    Setting(
        "rbac.keyGeneration.teamKeyGeneration.allowedTeamMemberRoles",
        "key_generation_settings.team_key_generation.allowed_team_member_roles",
        when="rbac.enabled",
    ),
    Setting(
        "rbac.keyGeneration.personalKeyGeneration.allowedUserRoles",
        "key_generation_settings.personal_key_generation.allowed_user_roles",
        when="rbac.enabled",
    ),
)
"""Part of ``litellm_settings``: LiteLLM reads ``litellm.key_generation_settings`` and nothing else."""


def told(spec: Object) -> Iterator[Finding]:
    """Roles that LiteLLM refuses, and what ``adminUI`` decides otherwise."""
    if field(spec, "rbac.enabled") is not True:
        return
    for role in sorted(map_at(spec, "rbac.rolePermissions")):
        if role not in TOKEN_ROLES:
            text = f"LiteLLM takes permissions for {', '.join(sorted(TOKEN_ROLES))} only, and does not start with another role"
            yield Finding(Cause.PREVENTS_START, field_path("spec.rbac.rolePermissions", role), text)
    ours, theirs = field(spec, "rbac.defaultTeamDisabled"), field(spec, "adminUI.defaultTeamDisabled")
    if ours is not None and theirs is not None and ours != theirs:
        yield Finding(Cause.OVERRIDDEN, "spec.rbac.defaultTeamDisabled", "spec.adminUI.defaultTeamDisabled differs, and counts")
