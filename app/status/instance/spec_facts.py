"""What a spec asks for, as far as a status speaks of it. Pure readings of the spec, each recomputed from scratch."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.apis.litellm.instance import LiteLLMInstanceSpec
    from app.hooks.objects import Object


def redis_behind_cache(spec: LiteLLMInstanceSpec) -> bool:
    """Whether the proxy's cache is in Redis, so that the proxy can be asked whether it reaches it."""
    caching = spec.caching
    wanted = spec.redis is not None and spec.redis.enabled
    return wanted and caching is not None and caching.enabled and caching.type in {"redis", "redis-semantic"}


def enterprise_features(spec: LiteLLMInstanceSpec) -> tuple[str, ...]:
    """Features that are on and need a licence, by their fields."""
    found: list[str] = []
    if spec.jwt_auth is not None and spec.jwt_auth.enabled:
        found.append("spec.jwtAuth")
    if spec.oauth2_auth is not None and spec.oauth2_auth.enabled:
        found.append("spec.oauth2Auth")
    if spec.rbac is not None and spec.rbac.enabled:
        found += ["spec.rbac.keyGeneration"] if spec.rbac.key_generation else []
        found += ["spec.rbac.rolePermissions"] if spec.rbac.role_permissions else []
    return tuple(found)


def asked_apis(spec: LiteLLMInstanceSpec) -> dict[str, str]:
    """API groups that add-ons need, by the field that asks for an object of them."""
    asked: dict[str, str] = {}
    observability = spec.observability
    if observability is not None and observability.service_monitor is not None and observability.service_monitor.enabled:
        asked["spec.observability.serviceMonitor"] = "monitoring.coreos.com"
    if observability is not None and observability.prometheus_rule is not None and observability.prometheus_rule.enabled:
        asked["spec.observability.prometheusRule"] = "monitoring.coreos.com"
    if spec.route is not None and spec.route.enabled:
        asked["spec.route"] = "route.openshift.io"
    if spec.gateway_http_route is not None and spec.gateway_http_route.enabled:
        asked["spec.gatewayHTTPRoute"] = "gateway.networking.k8s.io"
    postgres = spec.database.cloudnativepg
    if postgres is not None and postgres.backup is not None and postgres.backup.enabled:
        asked["spec.database.cloudnativepg.backup"] = "postgresql.cnpg.io"
    return asked


def sections(spec: LiteLLMInstanceSpec, *, scim_secret: str, credentials: bool, backup: bool) -> Object:
    """``sso``, ``scim``, ``secretManager`` and ``backup`` of the status; each is absent while it is off.

    ``scim_secret`` is the Secret with the token, empty where there can be none, ``credentials`` whether those of the secret
    manager are there or not needed, ``backup`` whether somebody makes the ScheduledBackup.
    """
    found: Object = {}
    if spec.sso is not None and spec.sso.enabled:
        found["sso"] = {"configured": True, "provider": spec.sso.provider}
    if spec.scim is not None and spec.scim.enabled:
        found["scim"] = {"configured": True, "tokenSecretName": scim_secret} if scim_secret else {"configured": False}
    if spec.secret_manager is not None:
        found["secretManager"] = {"configured": credentials, "provider": spec.secret_manager.provider}
    if backup:
        found["backup"] = {"configured": True}
    return found
