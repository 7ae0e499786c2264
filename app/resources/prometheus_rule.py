"""The PrometheusRule with alerts about one instance. They read kube-state-metrics and cAdvisor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.resources import names
from app.resources.child import child, user_labels
from app.resources.kinds import PROMETHEUS_RULE
from app.resources.metric_selectors import of_container, of_deployment, of_pods

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway


@dataclass(frozen=True, slots=True)
class Alert:
    """One alert; ``%deployment``, ``%pods`` and ``%container`` stand for the selectors of the instance."""

    name: str
    pending: str
    """How long it must hold before it fires."""
    severity: str
    expression: str
    summary: str
    description: str
    """What it means; follows "LiteLLM instance <namespace>/<name>"."""
    runbook: str
    """What to look at."""


ALERTS = (
    Alert(
        "LiteLLMInstanceDown",
        "5m",
        "critical",
        "kube_deployment_status_replicas_available{%deployment} == 0",
        "LiteLLM is down",
        "has no available replica.",
        "kubectl describe the LiteLLMInstance: PodsHealthy and DatabaseReady say why.",
    ),
    Alert(
        "LiteLLMInstanceDegraded",
        "10m",
        "warning",
        "kube_deployment_status_replicas_available{%deployment} < kube_deployment_spec_replicas{%deployment}",
        "LiteLLM runs with fewer replicas than it should",
        "has fewer available replicas than it asks for.",
        "Look at status.unhealthyPods of the LiteLLMInstance.",
    ),
    Alert(
        "LiteLLMPodRestarting",
        "15m",
        "warning",
        "increase(kube_pod_container_status_restarts_total{%container}[1h]) > 3",
        "A LiteLLM pod restarts again and again",
        "has a pod that restarted more than three times in an hour.",
        "Read the log of the container's previous run: kubectl logs --previous.",
    ),
    Alert(
        "LiteLLMPodNotReady",
        "10m",
        "warning",
        'kube_pod_status_ready{%pods,condition="true"} == 0',
        "A LiteLLM pod is not ready",
        "has a pod that has not been ready for ten minutes.",
        "Look at the pod's events, and at the readiness of the database.",
    ),
    Alert(
        "LiteLLMHighMemoryUsage",
        "15m",
        "warning",
        # A container without a limit has the limit 0, and anything divided by that would be too much.
        "container_memory_working_set_bytes{%container} / (container_spec_memory_limit_bytes{%container} > 0) > 0.9",
        "A LiteLLM pod is short of memory",
        "uses more than 90 % of its memory limit.",
        "Raise spec.resources.limits.memory, or spread the load over more replicas.",
    ),
    Alert(
        "LiteLLMHighCPUUsage",
        "15m",
        "warning",
        "rate(container_cpu_usage_seconds_total{%container}[5m])"
        " / (container_spec_cpu_quota{%container} / container_spec_cpu_period{%container}) > 0.9",
        "A LiteLLM pod is short of CPU",
        "uses more than 90 % of its CPU limit.",
        "Raise spec.resources.limits.cpu, or spread the load over more replicas.",
    ),
)


def prometheus_rule(gateway: Gateway) -> Object | None:
    """The alerts that are not disabled. None while ``spec.observability.prometheusRule`` is off, or none is left."""
    wanted = gateway.spec.observability.prometheus_rule if gateway.spec.observability else None
    if wanted is None or not wanted.enabled:
        return None
    rules = [_rule(gateway, alert) for alert in ALERTS if alert.name not in (wanted.disabled_alerts or ())]
    if not rules:
        return None
    return child(
        PROMETHEUS_RULE,
        gateway,
        names.alerts(gateway.name),
        labels=user_labels(wanted.labels, "spec.observability.prometheusRule.labels"),
        spec={"groups": [{"name": f"litellm-{gateway.name}.rules", "rules": rules}]},
    )


def unknown_alerts(gateway: Gateway) -> list[str]:
    """What is disabled and is no alert of ours."""
    wanted = gateway.spec.observability.prometheus_rule if gateway.spec.observability else None
    if wanted is None or not wanted.enabled:
        return []
    known = {alert.name for alert in ALERTS}
    return sorted({name for name in wanted.disabled_alerts or () if name not in known})


def _rule(gateway: Gateway, alert: Alert) -> Object:
    expression = alert.expression
    selectors = {"%deployment": of_deployment, "%pods": of_pods, "%container": of_container}
    for word, selector in selectors.items():
        expression = expression.replace(word, selector(gateway))
    return {
        "alert": alert.name,
        "expr": expression,
        "for": alert.pending,
        "labels": {"severity": alert.severity, "namespace": gateway.namespace, "instance": gateway.name},
        "annotations": {
            "summary": alert.summary,
            "description": f"LiteLLM instance {gateway.namespace}/{gateway.name} {alert.description}",
            "runbook": alert.runbook,
        },
    }
