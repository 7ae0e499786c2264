"""The Service in front of the proxy; its port is part of the instance's endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.litellm.endpoint import DEFAULT_PORT
from app.resources import names
from app.resources.checks import one_of, port
from app.resources.child import child
from app.resources.gateway import PROXY_PORT
from app.resources.kinds import SERVICE

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

PORT_NAME = "http"

_TYPES = ("ClusterIP", "NodePort", "LoadBalancer")


def service(gateway: Gateway) -> Object:
    """One port. A node port that the API server chose is not ours, so it stays."""
    wanted = gateway.spec.service
    exposed = {
        "name": PORT_NAME,
        "port": service_port(gateway),
        "protocol": "TCP",
        "targetPort": PROXY_PORT,
    }
    service_type = one_of(_TYPES, (wanted.type if wanted else "") or "ClusterIP", "spec.service.type")
    return child(
        SERVICE,
        gateway,
        names.service(gateway.name),
        spec={"type": service_type, "selector": gateway.labels, "ports": [exposed]},
    )


def service_port(gateway: Gateway) -> int:
    """The Service's port; 0 counts as not given."""
    wanted = gateway.spec.service
    return port((wanted.port if wanted else 0) or DEFAULT_PORT, "spec.service.port")
