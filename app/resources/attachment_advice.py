"""What a spec asks of an add-on that does nothing, or does not work together. Part of :mod:`app.resources.advice`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.apis.litellm.instance.database import DatabaseBackup
from app.resources import names
from app.resources.prometheus_rule import ALERTS, unknown_alerts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.resources.gateway import Gateway

DEFAULT_RETENTION: int = DatabaseBackup.model_fields["retention"].default

Remark = tuple[str, str]
"""Field, and the rest of a sentence about it."""


def attachment_advice(gateway: Gateway) -> Iterator[Remark]:
    """All remarks, in a fixed order."""
    yield from _metrics(gateway)
    yield from _route(gateway)
    yield from _http_route(gateway)
    yield from _backup(gateway)


def _metrics(gateway: Gateway) -> Iterator[Remark]:
    observability = gateway.spec.observability
    monitor = observability.service_monitor if observability else None
    if monitor and monitor.enabled and not monitor.path and not _reports_to_prometheus(gateway):
        yield (
            "spec.observability.serviceMonitor",
            "scrapes /metrics, which LiteLLM fills only with prometheus among spec.callbacks.types",
        )
    for name in unknown_alerts(gateway):
        known = ", ".join(alert.name for alert in ALERTS)
        yield "spec.observability.prometheusRule.disabledAlerts", f"names {name}, which is no alert; there are {known}"


def _reports_to_prometheus(gateway: Gateway) -> bool:
    spec = gateway.spec
    given: list[Any] = list(spec.callbacks.types or ()) if spec.callbacks else []
    extra = (spec.litellm_settings.extra if spec.litellm_settings else None) or {}
    for key in ("callbacks", "success_callback"):
        listed: Any = extra.get(key)
        given += cast("list[Any]", listed) if isinstance(listed, list) else [listed]
    return "prometheus" in given


def _route(gateway: Gateway) -> Iterator[Remark]:
    wanted = gateway.spec.route
    if wanted is None or not wanted.enabled:
        return
    field = "spec.route.tlsTermination"
    if _serves_https(gateway) and wanted.tls_termination == "edge":
        yield field, "is edge, so the router speaks plain HTTP to a proxy that serves HTTPS; use reencrypt or passthrough"
    if not _serves_https(gateway) and wanted.tls_termination != "edge":
        yield field, f"is {wanted.tls_termination}, which needs a proxy that serves HTTPS: set spec.tls.serverCertSecretRef"


def _http_route(gateway: Gateway) -> Iterator[Remark]:
    wanted = gateway.spec.gateway_http_route
    if wanted and wanted.enabled and _serves_https(gateway):
        yield (
            "spec.gatewayHTTPRoute",
            "leads to a proxy that serves HTTPS, which a Gateway speaks only to what a BackendTLSPolicy names: make one for "
            f"Service {names.service(gateway.name)}",
        )


def _backup(gateway: Gateway) -> Iterator[Remark]:
    database = gateway.spec.database.cloudnativepg
    # The default can't be told from what nobody has set.
    if database and database.backup and database.backup.enabled and database.backup.retention != DEFAULT_RETENTION:
        yield (
            "spec.database.cloudnativepg.backup.retention",
            f"does nothing: how long backups are kept is decided by Cluster {database.cluster_name}, for an object store in its "
            "spec.backup.retentionPolicy",
        )


def _serves_https(gateway: Gateway) -> bool:
    return gateway.spec.tls is not None and gateway.spec.tls.server_cert_secret_ref is not None
