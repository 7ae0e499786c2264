"""Callers that authenticate without a virtual key: ``spec.jwtAuth`` and ``spec.oauth2Auth`` (LiteLLM Enterprise)."""

from __future__ import annotations

from app.apis.section import Section


class ScopeMapping(Section):
    """What a scope permits."""

    scope: str
    """The scope."""
    models: list[str] | None = None
    """Models it permits."""
    routes: list[str] | None = None
    """Routes it permits."""


class RoleMapping(Section):
    """A role of the token, and the proxy's role for it."""

    role: str
    """Role in the token."""
    internal_role: str
    """Role in the proxy."""


class JWTRoleMapping(Section):
    """A role of the token, and LiteLLM's role for it."""

    jwt_role: str
    """Role in the token."""
    litellm_role: str
    """Role in LiteLLM."""


class RoutingOverride(Section):
    """Tokens that are treated in another way, chosen by what is set here."""

    iss: str
    """Issuer."""
    client_id: str | None = None
    """Client id."""
    scope: str | None = None
    """Scope."""
    aud: str | None = None
    """Audience."""
    path: str | None = None
    """Path of the request."""


class JWTAuth(Section):
    """Callers that bring a JSON Web Token of your identity provider. Fields named ...JwtField take the name of a claim."""

    enabled: bool
    """Accept tokens."""
    public_key_url: str | None = None
    """URLs of the signing keys, separated by commas. In practice it is needed."""
    issuer: str | None = None
    """Issuer that a token must have."""
    audience: str | None = None
    """Audience that a token must have."""
    admin_jwt_scope: str | None = None
    """Scope that makes the caller an admin."""
    admin_allowed_routes: list[str] | None = None
    """Routes that such an admin may call."""
    team_id_jwt_field: str | None = None
    """Claim with the id of the team."""
    team_ids_jwt_field: str | None = None
    """Claim with the ids of several teams."""
    org_id_jwt_field: str | None = None
    """Claim with the id of the organization."""
    user_id_jwt_field: str | None = None
    """Claim with the id of the user."""
    user_id_upsert: bool | None = None
    """Make users that are not known yet."""
    user_email_jwt_field: str | None = None
    """Claim with the user's e-mail address."""
    user_role_jwt_field: str | None = None
    """Claim with the user's one role."""
    user_roles_jwt_field: str | None = None
    """Claim with the list of the user's roles."""
    user_allowed_roles: list[str] | None = None
    """Roles that make the caller an internal user."""
    enforce_rbac: bool | None = None
    """Refuse callers without a role that is known here."""
    object_id_jwt_field: str | None = None
    """Claim with an id that is a user's or a team's, by role."""
    end_user_id_jwt_field: str | None = None
    """Claim with the id of the end user (customer)."""
    public_key_ttl: int | None = None
    """Seconds that signing keys are kept."""
    scope_model_mappings: dict[str, list[str]] | None = None
    """Models by scope; joined with scopeMappings."""
    scope_mappings: list[ScopeMapping] | None = None
    """Models and routes by scope."""
    roles_jwt_field: str | None = None
    """Claim with the roles that roleMappings are about."""
    role_mappings: list[RoleMapping] | None = None
    """The proxy's roles by the token's."""
    jwt_litellm_role_map: list[JWTRoleMapping] | None = None
    """LiteLLM's roles by the token's."""
    team_alias_jwt_field: str | None = None
    """Claim with the alias of the team."""
    org_alias_jwt_field: str | None = None
    """Claim with the alias of the organization."""
    team_id_default: str | None = None
    """Team of callers whose token names none."""
    team_allowed_routes: list[str] | None = None
    """Routes that teams may call."""
    team_id_upsert: bool | None = None
    """Make teams that are not known yet."""
    team_claim_fallback: bool | None = None
    """Go on without a team when the token's team is not known."""
    user_allowed_email_domain: str | None = None
    """Domain that users' e-mail addresses must have."""
    enforce_team_based_model_access: bool | None = None
    """Refuse models that the caller's team may not call."""
    enforce_scope_based_access: bool | None = None
    """Refuse models that the token's scopes do not permit."""
    sync_user_role_and_teams: bool | None = None
    """Bring a known user's role and teams in line with the token."""
    custom_validate: str | None = None
    """Dotted path of a function that has the last word about a token."""
    virtual_key_claim_field: str | None = None
    """Claim that the caller's virtual key is found by."""
    virtual_key_mapping_cache_ttl: int | None = None
    """Seconds that such a key is remembered."""
    routing_overrides: list[RoutingOverride] | None = None
    """Tokens that are treated in another way."""
    oidc_userinfo_enabled: bool | None = None
    """Ask the provider's userinfo endpoint about the caller."""
    oidc_userinfo_endpoint: str | None = None
    """URL of that endpoint."""
    oidc_userinfo_cache_ttl: int | None = None
    """Seconds that its answers are kept."""


class OAuth2ConfigMapping(Section):
    """A claim that becomes an attribute of the caller."""

    name: str
    """Name of the mapping."""
    jwt_field: str
    """Claim that is read."""
    litellm_attribute: str
    """Attribute that is written, e.g. team_id."""


class OAuth2Auth(Section):
    """Machines that authenticate with OAuth 2 client credentials."""

    enabled: bool
    """Accept them."""
    config_mappings: list[OAuth2ConfigMapping] | None = None
    """Claims that become attributes of the caller."""
