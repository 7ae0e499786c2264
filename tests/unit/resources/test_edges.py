"""What is around the pods: Service, Ingress, autoscaler, budget, policy, dashboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest

from app.resources.autoscaler import autoscaler
from app.resources.deployment import deployment
from app.resources.disruption_budget import disruption_budget
from app.resources.errors import Unbuildable
from app.resources.grafana_dashboard import grafana_dashboard
from app.resources.ingress import ingress
from app.resources.managed_database import database_volume
from app.resources.network_policy import network_policy
from app.resources.service import service
from app.resources.service_account import service_account
from tests.unit.resources.gateways import gateway

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.unit.resources.gateways import Builder


def test_port_0_is_the_default_port() -> None:
    assert service(gateway({"service": {"port": 0}}))["spec"]["ports"] == [
        {"name": "http", "port": 4000, "protocol": "TCP", "targetPort": 4000}
    ]


@pytest.mark.parametrize(
    ("budget", "bound"),
    [
        ({}, {"minAvailable": 1}),
        ({"minAvailable": 0}, {"minAvailable": 0}),
        ({"maxUnavailable": 1}, {"maxUnavailable": 1}),
        ({"minAvailable": 2, "maxUnavailable": 1}, {"minAvailable": 2}),
    ],
    ids=["one pod stays", "0 is a bound", "the other bound", "Kubernetes takes one of them"],
)
def test_the_bound_of_a_disruption_budget(budget: Object, bound: Object) -> None:
    built = disruption_budget(gateway({"podDisruptionBudget": {"enabled": True, **budget}}))
    assert built is not None
    assert {key: value for key, value in built["spec"].items() if key != "selector"} == bound


def test_without_targets_the_autoscaler_has_kubernetes_own() -> None:
    built = autoscaler(gateway({"autoscaling": {"enabled": True, "maxReplicas": 3}}))
    assert built is not None
    assert "metrics" not in built["spec"]


def test_without_namespaces_anyone_may_reach_the_port() -> None:
    built = network_policy(gateway({"security": {"networkPolicy": {"enabled": True, "allowedNamespaces": []}}}))
    assert built is not None
    assert built["spec"]["ingress"] == [{"ports": [{"port": 4000, "protocol": "TCP"}]}]


@pytest.mark.parametrize(
    ("section", "tls"),
    [
        ({"host": "llm.example.com", "tls": {"enabled": True}}, [{"hosts": ["llm.example.com"]}]),
        ({"tls": {"enabled": True, "secretName": "s"}}, [{"secretName": "s"}]),
        ({"host": "llm.example.com", "tls": {"enabled": False, "secretName": "s"}}, None),
        ({"tls": {"enabled": True}}, None),
    ],
)
def test_tls_of_the_ingress(section: Object, tls: Any) -> None:
    built = ingress(gateway({"ingress": {"enabled": True, **section}}))
    assert built is not None
    assert built["spec"].get("tls") == tls


def test_the_dashboard_shows_this_instances_pods_only() -> None:
    built = grafana_dashboard(gateway({"observability": {"grafanaDashboard": {"enabled": True}}}, name="gw.prod"))
    assert built is not None
    assert built["metadata"]["annotations"] == {"grafana_folder": "LiteLLM"}
    panels = orjson.loads(built["data"]["litellm-dashboard.json"])["panels"]
    assert len(panels) == 8
    for panel in panels:
        query = panel["targets"][0]["expr"]
        assert 'namespace="team"' in query
        assert "gw[.]prod-" in query or 'deployment="gw.prod"' in query


def test_our_own_labels_win_over_the_users() -> None:
    labels = {"app.kubernetes.io/name": "mine", "team": "ml"}
    built = service_account(gateway({"serviceAccount": {"labels": labels}}))
    assert built["metadata"]["labels"]["app.kubernetes.io/name"] == "litellm"
    assert built["metadata"]["labels"]["team"] == "ml"


@pytest.mark.parametrize(
    ("build", "spec", "field"),
    [
        (service, {"service": {"port": 65536}}, "spec.service.port"),
        (service, {"service": {"type": "ExternalName"}}, "spec.service.type"),
        (ingress, {"ingress": {"enabled": True, "host": "https://x"}}, "spec.ingress.host"),
        (ingress, {"ingress": {"enabled": True, "host": "10.0.0.1"}}, "spec.ingress.host"),
        (database_volume, {"database": {"managed": {"enabled": True, "storageSize": "0"}}}, "spec.database.managed.storageSize"),
        (autoscaler, {"autoscaling": {"enabled": True, "maxReplicas": 0}}, "spec.autoscaling.maxReplicas"),
        (autoscaler, {"autoscaling": {"enabled": True, "minReplicas": 0, "maxReplicas": 1}}, "spec.autoscaling.minReplicas"),
        (deployment, {"podScheduling": {"nodeSelector": {"-a": "b"}}}, "spec.podScheduling.nodeSelector.-a"),
        (deployment, {"podScheduling": {"nodeSelector": {"pool": "a b"}}}, "spec.podScheduling.nodeSelector.pool"),
        (service_account, {"serviceAccount": {"labels": {"team": "not a value"}}}, "spec.serviceAccount.labels.team"),
        (
            network_policy,
            {"security": {"networkPolicy": {"enabled": True, "allowedNamespaces": ["a", "B!"]}}},
            "spec.security.networkPolicy.allowedNamespaces[1]",
        ),
    ],
)
def test_what_makes_no_object_is_refused_by_its_field(build: Builder, spec: Object, field: str) -> None:
    with pytest.raises(Unbuildable) as refused:
        build(gateway(spec))
    assert refused.value.field == field
