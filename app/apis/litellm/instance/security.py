"""Who may reach the proxy, and over which certificates: ``spec.security`` and ``spec.tls``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.apis.section import Section
from app.apis.types import CASecretRef, SecretRef


class NetworkPolicy(Section):
    """A NetworkPolicy for the proxy's pods."""

    enabled: bool
    """Make the NetworkPolicy."""
    allowed_namespaces: list[str] | None = None
    """Namespaces whose pods may connect."""


class IPAllowlist(Section):
    """The proxy's own filter by client address (LiteLLM Enterprise)."""

    enabled: bool
    """Filter."""
    allowed_ips: Annotated[list[str], Field(alias="allowedIPs", min_length=1)]
    """Addresses and networks (CIDR) that may call."""
    use_x_forwarded_for: bool | None = None
    """Take the client's address from X-Forwarded-For; only behind a proxy that sets it."""
    max_request_size_mb: Annotated[int | None, Field(alias="maxRequestSizeMB")] = None
    """Largest request, in MB."""
    max_response_size_mb: Annotated[int | None, Field(alias="maxResponseSizeMB")] = None
    """Largest answer, in MB."""


class Security(Section):
    """Hardening of the proxy."""

    network_policy: NetworkPolicy | None = None
    run_as_non_root: bool | None = None
    """Run LiteLLM's non-root image as user 65534 in a restricted security context."""
    ip_allowlist: IPAllowlist | None = None


class TLS(Section):
    """Certificates that the proxy serves with, trusts and presents."""

    server_cert_secret_ref: SecretRef | None = None
    """Secret with tls.crt and tls.key that the proxy serves HTTPS with; the instance's URL becomes https."""
    trusted_ca_secret_ref: Annotated[CASecretRef | None, Field(alias="trustedCASecretRef")] = None
    """Authorities that the proxy trusts for outgoing calls, and that we trust when we call the proxy over https."""
    client_cert_secret_ref: SecretRef | None = None
    """Secret with tls.crt and tls.key that the proxy presents in outgoing calls."""
