"""Callers with tokens: ``jwtAuth`` and ``oauth2Auth`` in ``general_settings``.

The keys under ``litellm_jwtauth`` are the fields of LiteLLM's ``LiteLLM_JWTAuth``. It does not start with a key that it does not
know, nor with some that need another one: those are left out here, and ``refused`` tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.proxyconfig.findings import Cause, Finding
from app.proxyconfig.oauth2 import CLAIM_VARIABLES
from app.proxyconfig.table import Setting, field, filled, is_empty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

TOKEN_ROLES = frozenset({"proxy_admin", "team", "internal_user"})
"""Roles that LiteLLM maps the roles of a token to, and takes permissions for (its ``RBAC_ROLES``)."""

USER_ROLES = frozenset(
    {"proxy_admin", "proxy_admin_viewer", "org_admin", "internal_user", "internal_user_viewer", "team", "customer"}
)
"""Roles of a user (its ``LitellmUserRoles``)."""

_JWT = "litellm_jwtauth"


def _claim(name: str, key: str) -> Setting:
    return Setting(f"jwtAuth.{name}", f"{_JWT}.{key}", when="jwtAuth.enabled")


def role_mappings(mappings: list[Object]) -> list[Object]:
    """Roles of the token to LiteLLM's, without those that LiteLLM does not know."""
    return [
        {"role": mapping["role"], "internal_role": mapping["internalRole"]}
        for mapping in mappings
        if mapping["internalRole"] in TOKEN_ROLES
    ]


def role_map(mappings: list[Object]) -> list[Object]:
    """Roles of the token to those of a user, without those that LiteLLM does not know."""
    return [
        {"jwt_role": mapping["jwtRole"], "litellm_role": mapping["litellmRole"]}
        for mapping in mappings
        if mapping["litellmRole"] in USER_ROLES
    ]


def routing_overrides(overrides: list[Object]) -> list[Object]:
    """Tokens that are treated in another way; LiteLLM knows the way ``oauth2`` and no other."""
    keys = {"iss": "iss", "clientId": "client_id", "scope": "scope", "aud": "aud", "path": "path"}
    return [
        {key: override[name] for name, key in keys.items() if not is_empty(override.get(name))}
        for override in overrides
        if override.get("path", "oauth2") == "oauth2"
    ]


def claim_mappings(mappings: list[Object]) -> dict[str, Any]:
    """Claims by the attribute that they become; the last counts."""
    return {mapping["litellmAttribute"]: mapping["jwtField"] for mapping in mappings}


JWT = (
    Setting("jwtAuth.enabled", "enable_jwt_auth", when="jwtAuth.enabled"),
    _claim("adminJwtScope", "admin_jwt_scope"),
    _claim("adminAllowedRoutes", "admin_allowed_routes"),
    _claim("teamIdJwtField", "team_id_jwt_field"),
    _claim("teamIdsJwtField", "team_ids_jwt_field"),
    _claim("teamAliasJwtField", "team_alias_jwt_field"),
    _claim("teamIdDefault", "team_id_default"),
    _claim("teamAllowedRoutes", "team_allowed_routes"),
    _claim("teamIdUpsert", "team_id_upsert"),
    _claim("teamClaimFallback", "team_claim_fallback"),
    _claim("orgIdJwtField", "org_id_jwt_field"),
    _claim("orgAliasJwtField", "org_alias_jwt_field"),
    _claim("userIdJwtField", "user_id_jwt_field"),
    _claim("userIdUpsert", "user_id_upsert"),
    _claim("userEmailJwtField", "user_email_jwt_field"),
    _claim("userAllowedEmailDomain", "user_allowed_email_domain"),
    _claim("userRolesJwtField", "user_roles_jwt_field"),
    _claim("userAllowedRoles", "user_allowed_roles"),
    _claim("endUserIdJwtField", "end_user_id_jwt_field"),
    _claim("objectIdJwtField", "object_id_jwt_field"),
    _claim("rolesJwtField", "roles_jwt_field"),
    Setting("jwtAuth.roleMappings", f"{_JWT}.role_mappings", when="jwtAuth.enabled", form=role_mappings),
    Setting("jwtAuth.jwtLitellmRoleMap", f"{_JWT}.jwt_litellm_role_map", when="jwtAuth.enabled", form=role_map),
    _claim("enforceRbac", "enforce_rbac"),
    _claim("enforceTeamBasedModelAccess", "enforce_team_based_model_access"),
    _claim("enforceScopeBasedAccess", "enforce_scope_based_access"),
    _claim("syncUserRoleAndTeams", "sync_user_role_and_teams"),
    _claim("customValidate", "custom_validate"),
    _claim("publicKeyTtl", "public_key_ttl"),
    _claim("virtualKeyClaimField", "virtual_key_claim_field"),
    _claim("virtualKeyMappingCacheTtl", "virtual_key_mapping_cache_ttl"),
    Setting("jwtAuth.routingOverrides", f"{_JWT}.routing_overrides", when="jwtAuth.enabled", form=routing_overrides),
    _claim("oidcUserinfoEnabled", "oidc_userinfo_enabled"),
    _claim("oidcUserinfoEndpoint", "oidc_userinfo_endpoint"),
    _claim("oidcUserinfoCacheTtl", "oidc_userinfo_cache_ttl"),
)

OAUTH2 = (
    Setting("oauth2Auth.enabled", "enable_oauth2_auth", when="oauth2Auth.enabled"),
    # LiteLLM wants attribute: name of the claim. It reads the map for ``enable_oauth2_proxy_auth`` only; for this way of
    # authenticating the pod has ``oauth2.claim_variables``.
    Setting("oauth2Auth.configMappings", "oauth2_config_mappings", when="oauth2Auth.enabled", form=claim_mappings),
)

_NEEDS = (
    ("user_roles_jwt_field", "userRolesJwtField", "user_allowed_roles", "userAllowedRoles"),
    ("user_allowed_roles", "userAllowedRoles", "user_roles_jwt_field", "userRolesJwtField"),
    ("object_id_jwt_field", "objectIdJwtField", "role_mappings", "roleMappings"),
    ("scope_mappings", "scopeMappings", "enforce_scope_based_access", "enforceScopeBasedAccess"),
)
"""Key, its field, what LiteLLM demands beside it, and that one's field."""


def general_settings(spec: Object, section: Object) -> None:
    """Put ``jwtAuth`` and ``oauth2Auth`` into ``general_settings``, beside what ``sso`` has put there."""
    for key, value in filled(spec, JWT, OAUTH2).items():
        if key == _JWT:
            section.setdefault(_JWT, {}).update(value)
        else:
            section[key] = value
    if scopes := scope_mappings(spec):
        section.setdefault(_JWT, {})["scope_mappings"] = scopes
    jwt = section.get(_JWT, {})
    for key in _without_what_they_need(jwt):
        del jwt[key]
    if not jwt:
        section.pop(_JWT, None)


def scope_mappings(spec: Object) -> list[Object]:
    """Both ways of writing what a scope permits: the map of models sorted by scope, then the list."""
    if field(spec, "jwtAuth.enabled") is not True:
        return []
    models: dict[str, list[str]] = field(spec, "jwtAuth.scopeModelMappings") or {}
    mappings: list[Object] = [{"scope": scope, "models": models[scope]} for scope in sorted(models)]
    mappings += field(spec, "jwtAuth.scopeMappings") or []
    return [{key: value for key, value in mapping.items() if not is_empty(value)} for mapping in mappings]


def refused(spec: Object) -> Iterator[Finding]:
    """What of ``jwtAuth`` and ``oauth2Auth`` does not reach LiteLLM, and why."""
    if field(spec, "jwtAuth.enabled") is True:
        yield from _refused_jwt(spec["jwtAuth"], spec)
    if field(spec, "oauth2Auth.enabled") is True:
        for index, mapping in enumerate(field(spec, "oauth2Auth.configMappings") or ()):
            if mapping["litellmAttribute"] not in CLAIM_VARIABLES:
                path = f"spec.oauth2Auth.configMappings[{index}].litellmAttribute"
                yield Finding(Cause.NOT_READ, path, f"is not one that LiteLLM sets from a token: {_listed(CLAIM_VARIABLES)}")


def _refused_jwt(auth: Object, spec: Object) -> Iterator[Finding]:
    if auth.get("userRoleJwtField"):
        text = "is not known to LiteLLM, which reads a list of roles: use userRolesJwtField with userAllowedRoles"
        yield Finding(Cause.NOT_READ, "spec.jwtAuth.userRoleJwtField", text)
    jwt = filled(spec, JWT).get(_JWT, {}) | {"scope_mappings": scope_mappings(spec)}
    for key in _without_what_they_need(jwt):
        name, need = next((name, need) for own, name, _, need in _NEEDS if own == key)
        names = [name] if key != "scope_mappings" else [name for name in ("scopeModelMappings", name) if auth.get(name)]
        for name in names:
            yield Finding(Cause.LEFT_OUT, f"spec.jwtAuth.{name}", f"counts only together with {need}")
    yield from _unknown_roles(auth, "roleMappings", "internalRole", TOKEN_ROLES)
    yield from _unknown_roles(auth, "jwtLitellmRoleMap", "litellmRole", USER_ROLES)
    for index, override in enumerate(auth.get("routingOverrides", ())):
        if override.get("path", "oauth2") != "oauth2":
            yield Finding(Cause.LEFT_OUT, f"spec.jwtAuth.routingOverrides[{index}].path", "has to be oauth2, or absent")


def _without_what_they_need(jwt: Object) -> list[str]:
    return [key for key, _, need, _ in _NEEDS if jwt.get(key) and not jwt.get(need)]


def _unknown_roles(auth: Object, name: str, role: str, known: frozenset[str]) -> Iterator[Finding]:
    for index, mapping in enumerate(auth.get(name, ())):
        if mapping[role] not in known:
            yield Finding(Cause.LEFT_OUT, f"spec.jwtAuth.{name}[{index}].{role}", f"is no role of LiteLLM: {_listed(known)}")


def _listed(names: frozenset[str] | dict[str, str]) -> str:
    return ", ".join(sorted(names))
