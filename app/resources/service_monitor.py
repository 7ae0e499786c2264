"""The ServiceMonitor, by which a Prometheus operator finds the proxy's metrics.

It scrapes the proxy as it serves: over HTTPS, under the Service's name and with its own authority, where it has a certificate.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.resources import names
from app.resources.child import child, user_labels
from app.resources.errors import Unbuildable
from app.resources.gateway import SecretKey
from app.resources.generated_secrets import MASTER_KEY
from app.resources.kinds import SERVICE_MONITOR
from app.resources.service import PORT_NAME

if TYPE_CHECKING:
    from app.apis.litellm.instance.observability import MetricsAuthorization, ServiceMonitor
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

_FIELD = "spec.observability.serviceMonitor"
_DURATION = re.compile("(?!$)" + "".join(f"([0-9]+{unit})?" for unit in ("y", "w", "d", "h", "m", "s", "ms")), re.ASCII)


def service_monitor(gateway: Gateway) -> Object | None:
    """One endpoint, the Service's port. None while ``spec.observability.serviceMonitor`` is off."""
    wanted = gateway.spec.observability.service_monitor if gateway.spec.observability else None
    if wanted is None or not wanted.enabled:
        return None
    return child(
        SERVICE_MONITOR,
        gateway,
        gateway.name,
        labels=user_labels(wanted.labels, f"{_FIELD}.labels"),
        spec={
            "selector": {"matchLabels": gateway.labels},
            "namespaceSelector": {"matchNames": [gateway.namespace]},
            "endpoints": [_endpoint(gateway, wanted)],
        },
    )


def _endpoint(gateway: Gateway, wanted: ServiceMonitor) -> Object:
    if not _DURATION.fullmatch(wanted.interval):
        raise Unbuildable(f"{_FIELD}.interval", "must be a duration of Prometheus such as 30s or 1m30s")
    endpoint: Object = {"port": PORT_NAME, "path": wanted.path or "/metrics", "interval": wanted.interval}
    if gateway.spec.tls and gateway.spec.tls.server_cert_secret_ref:
        endpoint |= {"scheme": "https", "tlsConfig": _tls(gateway)}
    if wanted.authorization is not None:
        endpoint["authorization"] = {
            "type": wanted.authorization.type or "Bearer",
            "credentials": _selector(_credentials(gateway, wanted.authorization)),
        }
    return endpoint


def _tls(gateway: Gateway) -> Object:
    """Prometheus calls pods by their address, so it must be told which name the certificate is for."""
    config: Object = {"serverName": f"{names.service(gateway.name)}.{gateway.namespace}.svc"}
    if (authority := gateway.certificate_authority) is not None:
        config["ca"] = {"secret": _selector(authority)}
    return config


def _credentials(gateway: Gateway, authorization: MetricsAuthorization) -> SecretKey:
    """Where the credentials are: what is given, else the master key."""
    given = authorization.credentials or gateway.spec.master_key.secret_ref
    if given is not None:
        return SecretKey(name=given.name, key=given.key)
    return SecretKey(name=names.master_key(gateway.name), key=MASTER_KEY)


def _selector(place: SecretKey) -> Object:
    return {"name": place.name, "key": place.key}
