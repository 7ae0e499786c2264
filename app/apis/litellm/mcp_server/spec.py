"""What a LiteLLMMCPServer asks for."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from app.apis.rules import Rule
from app.apis.section import Section
from app.apis.types import HeaderSecret, HttpUrl, InstanceRef, Json, SecretKeyRef

AuthType = Literal["none", "api_key", "bearer_token", "basic", "authorization", "oauth2", "token"]

PrefixName = Annotated[str, Field(min_length=1, max_length=253, pattern=r"^[^-]+$")]
"""LiteLLM puts it and a dash in front of the names of tools, and refuses one that has a dash itself."""


class MCPCredentials(Section):
    """What the proxy proves itself with to the server."""

    auth_value_secret_ref: SecretKeyRef | None = None
    """Secret key with the key, token or user:password of authType."""
    client_id_secret_ref: SecretKeyRef | None = None
    """Secret key with the OAuth client's id."""
    client_secret_secret_ref: SecretKeyRef | None = None
    """Secret key with the OAuth client's secret."""
    scopes: list[str] | None = None
    """OAuth scopes to ask for."""


class MCPOAuth2(Section):
    """How an OAuth token is got; only with authType oauth2. What is absent is discovered at the server."""

    flow: Literal["client_credentials", "authorization_code"] | None = None
    """One token for the proxy (client_credentials), or one for each user (authorization_code)."""
    authorization_url: Annotated[HttpUrl | None, Field(alias="authorizationURL")] = None
    """URL at which users give their consent."""
    token_url: Annotated[HttpUrl | None, Field(alias="tokenURL")] = None
    """URL at which tokens are got."""
    registration_url: Annotated[HttpUrl | None, Field(alias="registrationURL")] = None
    """URL at which clients register themselves."""


class LiteLLMMCPServerSpec(Section):
    """A server of the Model Context Protocol, reached over HTTP."""

    instance_ref: InstanceRef
    server_name: PrefixName | None = None
    """Name in LiteLLM, without dashes; absent means the name of this object with underscores for dashes."""
    alias: PrefixName | None = None
    """Name in front of the names of tools, without dashes; absent means the name in LiteLLM."""
    description: str | None = None
    """What the server is for."""
    url: HttpUrl
    """URL of the server."""
    transport: Literal["http", "sse"] = "http"
    """Streamable HTTP, or the older HTTP with server-sent events."""
    spec_path: str | None = None
    """URL of an OpenAPI document whose operations become the tools; url is then the base of their requests."""
    auth_type: AuthType | None = None
    """How the proxy proves itself to the server; absent means not at all."""
    credentials: MCPCredentials | None = None
    oauth2: MCPOAuth2 | None = None
    extra_headers: list[str] | None = None
    """Names of headers of the client's request that are handed on."""
    static_headers: dict[str, str] | None = None
    """Headers that are sent to the server."""
    static_header_secrets: list[HeaderSecret] | None = None
    """Headers that are sent to the server with a value from a Secret; they win over staticHeaders."""
    allowed_tools: list[str] | None = None
    """Tools that are offered; absent means all."""
    tool_name_to_display_name: dict[str, str] | None = None
    """Names to show, by tool."""
    tool_name_to_description: dict[str, str] | None = None
    """Descriptions instead of the server's own, by tool."""
    access_groups: list[str] | None = None
    """Groups by which keys and teams get access to the server."""
    instructions: str | None = None
    """What a model is told about the server."""
    allow_all_keys: bool | None = None
    """Let every key use the server."""
    available_on_public_internet: bool | None = None
    """Offer the server to clients outside of the proxy's private networks too."""
    mcp_info: dict[str, Json] | None = None
    """More of what LiteLLM keeps about the server, such as logo_url or mcp_server_cost_info."""

    rules: ClassVar[tuple[Rule[LiteLLMMCPServerSpec], ...]] = (
        Rule(
            cel="!has(self.oauth2) || (has(self.authType) && self.authType == 'oauth2')",
            message="oauth2 is only valid when authType is oauth2",
            holds=lambda spec: spec.oauth2 is None or spec.auth_type == "oauth2",
        ),
        Rule(
            cel="!has(self.credentials) || (has(self.authType) && self.authType != 'none')",
            message="credentials is only valid with an authType other than none",
            holds=lambda spec: spec.credentials is None or spec.auth_type not in {None, "none"},
        ),
        Rule(
            cel=(
                "!has(self.oauth2) || !has(self.oauth2.flow) || self.oauth2.flow != 'client_credentials' || ("
                "has(self.credentials) && has(self.credentials.clientIdSecretRef) && has(self.credentials.clientSecretSecretRef))"
            ),
            message="oauth2.flow client_credentials requires credentials.clientIdSecretRef and credentials.clientSecretSecretRef",
            holds=lambda spec: (
                spec.oauth2 is None
                or spec.oauth2.flow != "client_credentials"
                or (
                    spec.credentials is not None
                    and spec.credentials.client_id_secret_ref is not None
                    and spec.credentials.client_secret_secret_ref is not None
                )
            ),
        ),
    )
