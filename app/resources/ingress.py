"""The Ingress of the proxy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.resources import names
from app.resources.checks import host, object_name
from app.resources.child import child, user_annotations
from app.resources.errors import Unbuildable
from app.resources.kinds import INGRESS
from app.resources.service import service_port

if TYPE_CHECKING:
    from app.apis.litellm.instance.exposure import Ingress
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

_ADDRESS = re.compile(r"[0-9]+(\.[0-9]+){3}", re.ASCII)


def ingress(gateway: Gateway) -> Object | None:
    """One host, everything below ``/``. None while ``spec.ingress`` is off."""
    wanted = gateway.spec.ingress
    if wanted is None or not wanted.enabled:
        return None
    backend = {"service": {"name": names.service(gateway.name), "port": {"number": service_port(gateway)}}}
    rule: Object = {"http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": backend}]}}
    spec: Object = {"rules": [{"host": _host(wanted.host), **rule} if wanted.host else rule]}
    if wanted.ingress_class_name:
        spec["ingressClassName"] = object_name(wanted.ingress_class_name, "spec.ingress.ingressClassName")
    if tls := _tls(wanted):
        spec["tls"] = [tls]
    return child(
        INGRESS,
        gateway,
        gateway.name,
        annotations=user_annotations(wanted.annotations, "spec.ingress.annotations"),
        spec=spec,
    )


def _host(name: str) -> str:
    """The host name. Ingresses alone may not have an address in its place."""
    if _ADDRESS.fullmatch(name):
        raise Unbuildable("spec.ingress.host", "must be a name, not an address; leave it out to serve every host")
    return host(name, "spec.ingress.host")


def _tls(wanted: Ingress) -> Object:
    if wanted.tls is None or not wanted.tls.enabled:
        return {}
    entry: Object = {"hosts": [wanted.host]} if wanted.host else {}
    if wanted.tls.secret_name:
        entry["secretName"] = object_name(wanted.tls.secret_name, "spec.ingress.tls.secretName")
    return entry
