"""Where a LiteLLMInstance's proxy is: a pure formula on its spec, the same for every controller.

It is never read back from status, so a lost or stale status misdirects nobody. Whether the address behind the endpoint may
be reached is judged later, when a connection is made (:mod:`app.litellm.transport`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from app.hooks.names import dns_label

if TYPE_CHECKING:
    from app.apis.litellm.instance import LiteLLMInstanceSpec

DEFAULT_PORT = 4000
"""LiteLLM's port, and that of the Service where the spec names none (or 0)."""

_PORTS = range(1, 65536)


class EndpointInvalid(ValueError):
    """There is no base URL. The text names the field, says why and never quotes an endpoint: it may hold a password."""

    def __init__(self, problem: str, field: str = "spec.workload.endpoint") -> None:
        super().__init__(f"{field} {problem}")


def endpoint_of(spec: LiteLLMInstanceSpec, namespace: str, name: str) -> str:
    """The base URL without trailing slashes: ``spec.workload.endpoint``, else the Service of the instance's name.

    Raises :class:`EndpointInvalid`.
    """
    given = spec.workload.endpoint if spec.workload else None
    return checked_endpoint(given) if given else service_endpoint(spec, namespace, name)


def service_endpoint(spec: LiteLLMInstanceSpec, namespace: str, name: str) -> str:
    """The Service of the instance's name, as far as a Service may be called so; https exactly when
    ``spec.tls.serverCertSecretRef`` is set.

    Raises :class:`EndpointInvalid` for a port that an older schema let through.
    """
    scheme = "https" if spec.tls and spec.tls.server_cert_secret_ref else "http"
    port = (spec.service.port if spec.service else None) or DEFAULT_PORT
    if port not in _PORTS:
        raise EndpointInvalid(f"is {port}; a port is from 1 to 65535", "spec.service.port")
    return f"{scheme}://{dns_label(name)}.{namespace}.svc:{port}"


@lru_cache(maxsize=1024)
def checked_endpoint(given: str) -> str:
    """The given base URL without trailing slashes. Raises :class:`EndpointInvalid`.

    The CRD's pattern asks for a scheme and a host only; what it lets through and no base URL may have is refused here.
    """
    if not given.isprintable() or " " in given or "\\" in given:
        raise EndpointInvalid("holds a space, a backslash or a character that cannot be seen")
    try:
        url = urlsplit(given)
        port = url.port
    except ValueError as error:
        raise EndpointInvalid("has a host or port that cannot be read; the port must be from 1 to 65535") from error
    if url.scheme.lower() not in {"http", "https"} or not url.hostname:
        raise EndpointInvalid("must be http:// or https:// followed by a host")
    if "@" in url.netloc:
        raise EndpointInvalid("holds a user name or password; the key belongs into the Secret of spec.masterKey.secretRef")
    if url.netloc.endswith(":"):
        raise EndpointInvalid("has a colon after the host and no port")
    if port == 0:
        raise EndpointInvalid("names port 0")
    if "?" in given or "#" in given:
        raise EndpointInvalid("has a query or a fragment; give the base URL alone")
    return given.rstrip("/")
