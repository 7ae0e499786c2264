"""Probes of the proxy container. They ask the endpoints that need no key; over TLS the kubelet does not check certificates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.apis.litellm.instance.pods import HealthCheck
from app.resources.checks import at_least
from app.resources.gateway import PROXY_PORT

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

_LIVENESS = "/health/liveliness"
_READINESS = "/health/readiness"


def probes(gateway: Gateway) -> Object:
    """The container's three probe fields."""
    timings = gateway.spec.health_check or HealthCheck()
    return {
        "livenessProbe": {
            "httpGet": _get(gateway, _LIVENESS),
            "initialDelaySeconds": _checked("livenessInitialDelay", timings.liveness_initial_delay),
            "periodSeconds": 15,
            "timeoutSeconds": 5,
        },
        "readinessProbe": {
            "httpGet": _get(gateway, _READINESS),
            "initialDelaySeconds": _checked("readinessInitialDelay", timings.readiness_initial_delay),
            "periodSeconds": 10,
            "timeoutSeconds": 5,
        },
        "startupProbe": {
            "httpGet": _get(gateway, _LIVENESS),
            "periodSeconds": 5,
            "failureThreshold": _checked("startupFailureThreshold", timings.startup_failure_threshold),
        },
    }


def _get(gateway: Gateway, path: str) -> Object:
    scheme = "HTTPS" if gateway.spec.tls and gateway.spec.tls.server_cert_secret_ref else "HTTP"
    return {"path": path, "port": PROXY_PORT, "scheme": scheme}


def _checked(name: str, value: int) -> int:
    return at_least(0, value, f"spec.healthCheck.{name}")
