"""``general_settings.pass_through_endpoints``: routes that the proxy hands on as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.proxyconfig.secret_names import HeaderVariable, pass_through_variables, reference
from app.proxyconfig.table import is_empty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.apis.litellm.instance.pass_through import PassThroughEndpoint
    from app.hooks.objects import Object


def endpoints(declared: Sequence[PassThroughEndpoint]) -> list[Object]:
    """LiteLLM's ``PassThroughGenericEndpoint`` for each, in the order of the spec."""
    secrets = pass_through_variables(declared)
    return [_endpoint(endpoint, headers) for endpoint, headers in zip(declared, secrets, strict=True)]


def _endpoint(endpoint: PassThroughEndpoint, secrets: list[HeaderVariable]) -> Object:
    settings: dict[str, Any] = {
        "path": endpoint.path,
        "target": endpoint.target,
        "auth": endpoint.auth,
        "forward_headers": endpoint.forward_headers,
        "include_subpath": endpoint.include_subpath,
        "methods": endpoint.methods,
        "headers": _headers(endpoint.headers or {}, secrets),
        "default_query_params": endpoint.default_query_params,
    }
    return {key: value for key, value in settings.items() if not is_empty(value)}


def _headers(static: dict[str, str], secrets: list[HeaderVariable]) -> dict[str, str]:
    """A secret header replaces a static one of the same name, however it is spelled.

    LiteLLM takes ``Bearer os.environ/NAME`` too: what follows ``os.environ/`` is the name, what precedes it stays.
    """
    secret_names = {secret.header.lower() for secret in secrets}
    headers = {name: value for name, value in static.items() if name.lower() not in secret_names}
    return headers | {secret.header: secret.prefix + reference(secret.variable.name) for secret in secrets}
