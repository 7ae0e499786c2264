"""The ConfigMap with a dashboard, found by Grafana's sidecar through its label.

The panels read kube-state-metrics and cAdvisor, and see this instance's pods only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from app.resources import names
from app.resources.child import child, user_labels
from app.resources.kinds import CONFIG_MAP
from app.resources.metric_selectors import of_container, of_deployment, of_pods

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

DASHBOARD_FILE = "litellm-dashboard.json"
_SOURCE = {"type": "prometheus", "uid": "${datasource}"}


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel; ``%deployment`` and ``%pods`` in a query stand for the selectors of this instance."""

    title: str
    type: str
    unit: str
    query: str
    legend: str = ""


PANELS = (
    Panel("Ready Replicas", "stat", "short", "kube_deployment_status_replicas_available{%deployment}"),
    Panel("Desired Replicas", "stat", "short", "kube_deployment_spec_replicas{%deployment}"),
    Panel("Pod Restarts (1h)", "stat", "short", "sum(increase(kube_pod_container_status_restarts_total{%pods}[1h]))"),
    Panel("Container Uptime", "stat", "s", "time() - max(container_start_time_seconds{%pods})"),
    Panel("CPU Usage", "timeseries", "short", "sum by (pod) (rate(container_cpu_usage_seconds_total{%pods}[5m]))", "{{pod}}"),
    Panel("Memory Usage", "timeseries", "bytes", "sum by (pod) (container_memory_working_set_bytes{%pods})", "{{pod}}"),
    Panel(
        "Network I/O",
        "timeseries",
        "Bps",
        "sum by (pod) (rate(container_network_receive_bytes_total{%network}[5m])"
        " + rate(container_network_transmit_bytes_total{%network}[5m]))",
        "{{pod}}",
    ),
    Panel("Deployment Conditions", "table", "short", 'kube_deployment_status_condition{%deployment,status="true"}'),
)
"""A row of four numbers, then two rows of two charts."""


def grafana_dashboard(gateway: Gateway) -> Object | None:
    """None while ``spec.observability.grafanaDashboard`` is off."""
    wanted = gateway.spec.observability.grafana_dashboard if gateway.spec.observability else None
    if wanted is None or not wanted.enabled:
        return None
    labels = {**user_labels(wanted.labels, "spec.observability.grafanaDashboard.labels"), "grafana_dashboard": "1"}
    return child(
        CONFIG_MAP,
        gateway,
        names.dashboard(gateway.name),
        labels=labels,
        annotations={"grafana_folder": wanted.folder},
        data={DASHBOARD_FILE: orjson.dumps(_dashboard(gateway), option=orjson.OPT_INDENT_2).decode()},
    )


def _dashboard(gateway: Gateway) -> Object:
    selectors = _selectors(gateway)
    variable = {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus"}
    return {
        "title": f"LiteLLM - {gateway.name}",
        "uid": f"litellm-{gateway.name}"[:40],
        "schemaVersion": 39,
        "tags": ["litellm", "ai-gateway", "kubernetes"],
        "time": {"from": "now-1h", "to": "now"},
        "refresh": "30s",
        "templating": {"list": [variable]},
        "panels": [_panel(index, panel, selectors) for index, panel in enumerate(PANELS)],
    }


def _selectors(gateway: Gateway) -> dict[str, str]:
    return {"%deployment": of_deployment(gateway), "%pods": of_container(gateway), "%network": of_pods(gateway)}


def _panel(index: int, panel: Panel, selectors: dict[str, str]) -> Object:
    query = panel.query
    for word, selector in selectors.items():
        query = query.replace(word, selector)
    target: Object = {"refId": "A", "datasource": _SOURCE, "expr": query}
    if panel.legend:
        target["legendFormat"] = panel.legend
    if panel.type == "table":
        target |= {"format": "table", "instant": True}
    return {
        "id": index + 1,
        "title": panel.title,
        "type": panel.type,
        "datasource": _SOURCE,
        "gridPos": _place(index),
        "fieldConfig": {"defaults": {"unit": panel.unit}, "overrides": []},
        "targets": [target],
    }


def _place(index: int) -> Object:
    if index < 4:
        return {"x": 6 * index, "y": 0, "w": 6, "h": 4}
    return {"x": 12 * (index % 2), "y": 4 + 8 * ((index - 4) // 2), "w": 12, "h": 8}
