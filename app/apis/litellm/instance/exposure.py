"""How the proxy is reached: Service, Ingress, OpenShift Route, Gateway API HTTPRoute."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.apis.section import Section
from app.apis.types import Int32


class Service(Section):
    """The Service in front of the proxy."""

    type: str = "ClusterIP"
    """Service type."""
    port: Int32 = 4000
    """Port of the Service. It is also part of the URL of an attached proxy that has no workload.endpoint."""


class IngressTLS(Section):
    """TLS at the Ingress."""

    enabled: bool
    """Serve HTTPS."""
    secret_name: str | None = None
    """Secret with the certificate."""


class Ingress(Section):
    """An Ingress for the proxy."""

    enabled: bool
    """Make the Ingress."""
    ingress_class_name: str | None = None
    """Which ingress controller serves it; absent means the cluster's default class."""
    host: str | None = None
    """Host name; it also becomes the proxy's PROXY_BASE_URL."""
    tls: IngressTLS | None = None
    annotations: dict[str, str] | None = None
    """Annotations of the Ingress."""


class Route(Section):
    """An OpenShift Route for the proxy."""

    enabled: bool
    """Make the Route."""
    host: str | None = None
    """Host name; absent means that the router chooses one."""
    tls_termination: Literal["edge", "passthrough", "reencrypt"] = "edge"
    """Where TLS ends."""


class ParentRef(Section):
    """A Gateway that the HTTPRoute attaches to."""

    name: str
    """Name of the Gateway."""
    namespace: str | None = None
    """Namespace of the Gateway; absent means that of the instance."""
    section_name: str | None = None
    """Listener of the Gateway; absent means all that accept the route."""


class GatewayHTTPRoute(Section):
    """A Gateway API HTTPRoute for the proxy."""

    enabled: bool
    """Make the HTTPRoute."""
    host: str | None = None
    """Host name that the route matches."""
    parent_refs: Annotated[list[ParentRef], Field(min_length=1)]
    """Gateways that the route attaches to."""
    annotations: dict[str, str] | None = None
    """Annotations of the HTTPRoute."""
