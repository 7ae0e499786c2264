"""Variables about who signs in: single sign-on, SCIM, and tokens of an identity provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.litellm.endpoint import service_endpoint
from app.proxyconfig.oauth2 import claim_variables
from app.resources.environment.variables import from_secret, given, plain
from app.resources.generated_secrets import SCIM_TOKEN, scim_secret
from app.resources.service import service_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.apis.litellm.instance.sso import SSO, UserAttributeMappings
    from app.resources.environment.variables import Variable
    from app.resources.gateway import Gateway


def base_url(gateway: Gateway) -> Iterator[Variable]:
    """``PROXY_BASE_URL``: where users reach the proxy. Without a public host it is known only that sign-on needs one."""
    spec = gateway.spec
    http_route = spec.gateway_http_route
    if spec.ingress and spec.ingress.enabled and spec.ingress.host:
        secure = spec.ingress.tls is not None and spec.ingress.tls.enabled
        yield plain("PROXY_BASE_URL", f"{'https' if secure else 'http'}://{spec.ingress.host}")
    elif spec.route and spec.route.enabled and spec.route.host:
        yield plain("PROXY_BASE_URL", f"https://{spec.route.host}")
    elif http_route and http_route.enabled and http_route.host and not http_route.host.startswith("*"):
        # What the Gateway's listener speaks is not known here; identity providers ask for HTTPS.
        yield plain("PROXY_BASE_URL", f"https://{http_route.host}")
    elif spec.sso and spec.sso.enabled:
        service_port(gateway)  # Raises what a builder raises for a port that is none.
        yield plain("PROXY_BASE_URL", service_endpoint(spec, gateway.namespace, gateway.name))


def single_sign_on(gateway: Gateway) -> Iterator[Variable]:
    """The provider's client and endpoints, under the names that LiteLLM has for it."""
    sso = gateway.spec.sso
    if sso is None or not sso.enabled:
        return
    yield from _client("GENERIC", sso)
    if sso.provider == "azure-entra":
        yield from _client("MICROSOFT", sso)
        yield from given({"MICROSOFT_TENANT": sso.tenant_id})
    elif sso.provider == "google":
        yield from _client("GOOGLE", sso)
    else:
        yield from _endpoints(sso)
    yield from _attributes(sso.user_attribute_mappings)
    yield from given({"PROXY_LOGOUT_URL": sso.logout_url})


def scim(gateway: Gateway) -> Iterator[Variable]:
    """The bearer token, given or generated."""
    wanted = gateway.spec.scim
    if wanted is None or not wanted.enabled:
        return
    yield plain("SCIM_ENABLED", "true")
    if wanted.token_secret_ref:
        yield from_secret("SCIM_TOKEN", wanted.token_secret_ref.name, wanted.token_secret_ref.key)
    else:
        yield from_secret("SCIM_TOKEN", scim_secret(gateway), SCIM_TOKEN)


def tokens(gateway: Gateway) -> Iterator[Variable]:
    """What LiteLLM reads from its environment only; the rest of ``jwtAuth`` and ``oauth2Auth`` is configuration."""
    jwt = gateway.spec.jwt_auth
    if jwt is not None and jwt.enabled:
        yield from given({"JWT_PUBLIC_KEY_URL": jwt.public_key_url, "JWT_ISSUER": jwt.issuer, "JWT_AUDIENCE": jwt.audience})
    yield from given({**claim_variables(gateway.spec)})


def _client(prefix: str, sso: SSO) -> Iterator[Variable]:
    yield from_secret(f"{prefix}_CLIENT_ID", sso.client_id.name, sso.client_id.key)
    yield from_secret(f"{prefix}_CLIENT_SECRET", sso.client_secret.name, sso.client_secret.key)


def _endpoints(sso: SSO) -> Iterator[Variable]:
    return given(
        {
            "GENERIC_AUTHORIZATION_ENDPOINT": sso.authorization_endpoint,
            "GENERIC_TOKEN_ENDPOINT": sso.token_endpoint,
            "GENERIC_USERINFO_ENDPOINT": sso.userinfo_endpoint,
            "GENERIC_SCOPE": " ".join(sso.scopes),
        }
    )


def _attributes(mappings: UserAttributeMappings | None) -> Iterator[Variable]:
    if mappings is None:
        return
    yield from given(
        {
            "GENERIC_USER_ID_ATTRIBUTE": mappings.user_id,
            "GENERIC_USER_EMAIL_ATTRIBUTE": mappings.email,
            "GENERIC_USER_DISPLAY_NAME_ATTRIBUTE": mappings.display_name,
            "GENERIC_USER_FIRST_NAME_ATTRIBUTE": mappings.first_name,
            "GENERIC_USER_LAST_NAME_ATTRIBUTE": mappings.last_name,
            "GENERIC_USER_ROLE_ATTRIBUTE": mappings.role,
        }
    )
