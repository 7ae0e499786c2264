"""What is seen of the proxy from outside: ``spec.callbacks``, ``spec.observability`` and ``spec.logging``."""

from __future__ import annotations

from app.apis.core import EnvVar
from app.apis.section import Section
from app.apis.types import SecretKeyRef


class Callbacks(Section):
    """Logging integrations that every request is reported to."""

    types: list[str] | None = None
    """Names of LiteLLM's callbacks, e.g. langfuse or otel; told of success and of failure."""
    env_vars: list[EnvVar] | None = None
    """Environment that the callbacks read."""


class MetricsAuthorization(Section):
    """How Prometheus authenticates at the proxy."""

    type: str = "Bearer"
    """Type of the Authorization header."""
    credentials: SecretKeyRef | None = None
    """Secret key with the credentials; absent means the master key."""


class ServiceMonitor(Section):
    """A ServiceMonitor of the Prometheus operator."""

    enabled: bool
    """Make the ServiceMonitor, where its API is installed."""
    interval: str = "30s"
    """Time between scrapes."""
    labels: dict[str, str] | None = None
    """Labels that your Prometheus selects it by."""
    path: str | None = None
    """Path of the metrics; absent means /metrics."""
    authorization: MetricsAuthorization | None = None


class PrometheusRule(Section):
    """A PrometheusRule with alerts about the proxy."""

    enabled: bool
    """Make the PrometheusRule, where its API is installed."""
    labels: dict[str, str] | None = None
    """Labels that your Prometheus selects it by."""
    disabled_alerts: list[str] | None = None
    """Alerts to leave out, by name."""


class GrafanaDashboard(Section):
    """A ConfigMap with a dashboard for Grafana's sidecar."""

    enabled: bool
    """Make the ConfigMap."""
    labels: dict[str, str] | None = None
    """Labels beside grafana_dashboard."""
    folder: str = "LiteLLM"
    """Folder in Grafana."""


class Observability(Section):
    """Metrics, alerts and dashboards."""

    service_monitor: ServiceMonitor | None = None
    prometheus_rule: PrometheusRule | None = None
    grafana_dashboard: GrafanaDashboard | None = None


class AuditLogs(Section):
    """Who changed what in the proxy (LiteLLM Enterprise)."""

    enabled: bool
    """Keep audit logs."""
    retention_days: int | None = None
    """Days that they are kept."""


class SpendLogRetention(Section):
    """How long the proxy keeps a row per request."""

    max_retention_period: str | None = None
    """Age at which rows are deleted, e.g. 30d."""
    cleanup_interval: str | None = None
    """Time between deletions, e.g. 1d."""


class Logging(Section):
    """What the proxy records about requests and changes."""

    audit_logs: AuditLogs | None = None
    turn_off_message_logging: bool | None = None
    """Keep prompts and answers out of the logs."""
    redact_user_api_key_info: bool | None = None
    """Keep what identifies a key out of the logs."""
    spend_log_retention: SpendLogRetention | None = None
