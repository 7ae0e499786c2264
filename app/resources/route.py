"""The OpenShift Route of the proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources import names
from app.resources.checks import host
from app.resources.child import child
from app.resources.kinds import ROUTE
from app.resources.service import PORT_NAME

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway


def route(gateway: Gateway) -> Object | None:
    """To the Service by its port's name: a number would be the pods' port, not the Service's. None while it is off."""
    wanted = gateway.spec.route
    if wanted is None or not wanted.enabled:
        return None
    spec: Object = {
        "to": {"kind": "Service", "name": names.service(gateway.name), "weight": 100},
        "port": {"targetPort": PORT_NAME},
        "tls": {"termination": wanted.tls_termination},
    }
    if wanted.host:
        spec["host"] = host(wanted.host, "spec.route.host")
    return child(ROUTE, gateway, gateway.name, spec=spec)
