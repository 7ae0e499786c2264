"""Users from an identity provider: ``spec.sso`` and ``spec.scim``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.apis.section import Section
from app.apis.types import SecretKeyRef


class UserAttributeMappings(Section):
    """Claims that a user's attributes are read from."""

    user_id: str | None = None
    """Claim with the user's id."""
    email: str | None = None
    """Claim with the e-mail address."""
    display_name: str | None = None
    """Claim with the name to show."""
    first_name: str | None = None
    """Claim with the first name."""
    last_name: str | None = None
    """Claim with the last name."""
    role: str | None = None
    """Claim with the role."""


class DefaultUserTeam(Section):
    """A team that new users join."""

    team_id: str
    """Id of the team."""
    max_budget_in_team: float | None = None
    """US dollars that the user may spend in it."""
    role: str = "user"
    """Role in the team."""


class DefaultUserParams(Section):
    """What a user gets at the first sign-in."""

    max_budget: float | None = None
    """US dollars."""
    budget_duration: str | None = None
    """When the budget starts anew, e.g. 30d."""
    models: list[str] | None = None
    """Models the user may call."""
    user_role: Literal["internal_user", "internal_user_viewer", "proxy_admin", "proxy_admin_viewer"] = "internal_user"
    """Role in the proxy."""
    teams: list[DefaultUserTeam] | None = None
    """Teams the user joins."""


class DefaultTeamParams(Section):
    """What a team gets that is made at a sign-in."""

    max_budget: float | None = None
    """US dollars."""
    budget_duration: str | None = None
    """When the budget starts anew, e.g. 30d."""
    models: list[str] | None = None
    """Models the team may call."""
    tpm_limit: int | None = None
    """Tokens per minute."""
    rpm_limit: int | None = None
    """Requests per minute."""


class HandlerConfigMapRef(Section):
    """Python source in a ConfigMap, mounted at /app/custom_sso_handlers/."""

    name: str
    """Name of the ConfigMap."""
    file_name: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*\.py$")] = "handler.py"
    """Key of the ConfigMap, and name of the file."""
    function_name: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
    """Function in the file."""


class CustomSSOHandler(Section):
    """Your own function that turns the provider's answer into a user. Set one of the two."""

    module: str | None = None
    """Dotted path of a function in the image."""
    config_map_ref: HandlerConfigMapRef | None = None


class SSO(Section):
    """Single sign-on to the Admin UI."""

    enabled: bool
    """Use single sign-on."""
    provider: Literal["azure-entra", "okta", "google", "generic-oidc"]
    """Identity provider."""
    client_id: SecretKeyRef
    """Secret key with the OAuth client id."""
    client_secret: SecretKeyRef
    """Secret key with the OAuth client secret."""
    tenant_id: str | None = None
    """Tenant, for azure-entra."""
    authorization_endpoint: str | None = None
    """Authorization URL; okta and generic-oidc need it."""
    token_endpoint: str | None = None
    """Token URL; okta and generic-oidc need it."""
    userinfo_endpoint: str | None = None
    """Userinfo URL; okta and generic-oidc need it."""
    scopes: list[str] = Field(default=["openid", "profile", "email"])
    """Scopes that are asked for."""
    team_ids_jwt_field: str = "groups"
    """Claim with the ids of the user's teams."""
    user_attribute_mappings: UserAttributeMappings | None = None
    default_user_params: DefaultUserParams | None = None
    default_team_params: DefaultTeamParams | None = None
    custom_sso_handler: CustomSSOHandler | None = None
    logout_url: str | None = None
    """Where signing out leads."""


class SCIM(Section):
    """Users and groups pushed by the identity provider over SCIM 2."""

    enabled: bool
    """Serve SCIM."""
    token_secret_ref: SecretKeyRef | None = None
    """Secret key with the bearer token of the identity provider; absent means a generated one."""
    generated_token_secret_name: str = "litellm-scim-token"  # noqa: S105 - the name of a Secret
    """Name of the Secret that a generated token is kept in."""
