"""Objects of APIs that a cluster may lack: legal, told apart from other instances', and in the words of those APIs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.hooks.guard import Place, child_breaches
from app.resources.advice import advice
from app.resources.attachments import ATTACHMENTS
from app.resources.errors import Unbuildable
from app.resources.gateway import SecretKey
from app.status.instance.spec_facts import asked_apis
from tests.unit.resources.gateways import gateway

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

PARENT = {"name": "edge", "namespace": "infra"}
ALL: Object = {
    "observability": {
        "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}, "authorization": {}},
        "prometheusRule": {"enabled": True, "labels": {"release": "prometheus"}},
    },
    "route": {"enabled": True, "host": "llm.example.com"},
    "gatewayHTTPRoute": {"enabled": True, "host": "llm.example.com", "parentRefs": [PARENT], "annotations": {"team": "ml"}},
    "database": {"cloudnativepg": {"clusterName": "pg", "backup": {"enabled": True}}},
    "service": {"port": 80},
}
TLS = {"tls": {"serverCertSecretRef": {"name": "cert"}}}
DECLARED = {attachment.resource.key: attachment.resource for attachment in ATTACHMENTS}


def attached(given: Gateway) -> dict[str, Object]:
    """Everything by kind; where there are several of a kind, the last."""
    return {item["kind"]: item for attachment in ATTACHMENTS for item in attachment.build(given)}


def monitor(spec: Object, **facts: Any) -> Object:
    """The one endpoint of the ServiceMonitor."""
    wanted = {"enabled": True, **spec.pop("serviceMonitor", {})}
    (endpoint,) = attached(gateway({"observability": {"serviceMonitor": wanted}, **spec}, **facts))["ServiceMonitor"]["spec"][
        "endpoints"
    ]
    return endpoint


def schedule(text: str) -> str:
    backup = {"enabled": True, "schedule": text}
    return attached(gateway({"database": {"cloudnativepg": {"clusterName": "pg", "backup": backup}}}))["ScheduledBackup"]["spec"][
        "schedule"
    ]


@pytest.mark.parametrize("name", ["gw", "gw.prod.example", "g" * 253], ids=["usual", "with dots", "longest"])
def test_the_guard_lets_every_attachment_pass(name: str) -> None:
    place = Place("team", DECLARED, DECLARED.keys())
    given = gateway(ALL | TLS, name, certificate_authority=SecretKey(name="cert", key="ca.crt"))
    assert [str(breach) for item in attached(given).values() for breach in child_breaches(item, place)] == []


def test_what_is_not_asked_for_is_not_built() -> None:
    assert attached(gateway()) == {}


def test_what_asks_for_an_attachment_is_what_misses_its_api() -> None:
    told = {attachment.field: attachment.resource.group for attachment in ATTACHMENTS}
    assert asked_apis(gateway(ALL).spec) == told


def test_names_cover_what_is_built() -> None:
    for attachment in ATTACHMENTS:
        for item in attachment.build(gateway(ALL)):
            assert item["metadata"]["name"] in attachment.names("gw")


def test_metrics_are_scraped_at_the_services_port() -> None:
    assert monitor({}) == {"port": "http", "path": "/metrics", "interval": "30s"}


CREDENTIALS = [
    ("what is given", {"authorization": {"credentials": {"name": "metrics", "key": "token"}}}, {}, ("metrics", "token")),
    ("else the Secret that the spec names for the master key", {"authorization": {}}, {}, ("lk", "MASTER")),
    (
        "else the Secret of the generated one",
        {"authorization": {}},
        {"masterKey": {"autoGenerate": True}},
        ("gw-master-key", "master-key"),
    ),
]


@pytest.mark.parametrize(("why", "wanted", "spec", "place"), CREDENTIALS, ids=[row[0] for row in CREDENTIALS])
def test_prometheus_authenticates_with(why: str, wanted: Object, spec: Object, place: tuple[str, str]) -> None:
    endpoint = monitor({"serviceMonitor": wanted, **spec})
    assert endpoint["authorization"] == {"type": "Bearer", "credentials": {"name": place[0], "key": place[1]}}, why


def test_a_proxy_with_a_certificate_is_scraped_over_https_under_its_services_name() -> None:
    """Prometheus calls pods by address, for which no certificate is made."""
    endpoint = monitor({**TLS}, certificate_authority=SecretKey(name="cert", key="ca.crt"))
    assert endpoint["scheme"] == "https"
    assert endpoint["tlsConfig"] == {"serverName": "gw.team.svc", "ca": {"secret": {"name": "cert", "key": "ca.crt"}}}


def test_a_certificate_of_a_public_authority_needs_no_ca() -> None:
    assert monitor({**TLS})["tlsConfig"] == {"serverName": "gw.team.svc"}


@pytest.mark.parametrize("interval", ["", "1.5m", "half a minute", "30"])
def test_an_interval_that_prometheus_cannot_read_is_refused(interval: str) -> None:
    with pytest.raises(Unbuildable, match=r"spec\.observability\.serviceMonitor\.interval"):
        monitor({"serviceMonitor": {"interval": interval}})


def test_every_alert_is_about_this_instance_only() -> None:
    (group,) = attached(gateway(ALL))["PrometheusRule"]["spec"]["groups"]
    assert len(group["rules"]) == 6
    for rule in group["rules"]:
        assert 'deployment="gw"' in rule["expr"] or 'pod=~"gw-[a-z0-9]+-[a-z0-9]{5}"' in rule["expr"], rule["alert"]
        assert rule["expr"].count('namespace="team"') == rule["expr"].count("{namespace")
        assert "%" not in rule["expr"]
        assert rule["labels"] | {"namespace": "team", "instance": "gw"} == rule["labels"]


def test_a_disabled_alert_is_left_out_and_with_the_last_one_the_rule() -> None:
    (group,) = attached(gateway(ALL))["PrometheusRule"]["spec"]["groups"]
    every = [rule["alert"] for rule in group["rules"]]
    some = attached(gateway({"observability": {"prometheusRule": {"enabled": True, "disabledAlerts": every[:5]}}}))
    assert [rule["alert"] for rule in some["PrometheusRule"]["spec"]["groups"][0]["rules"]] == every[5:]
    assert attached(gateway({"observability": {"prometheusRule": {"enabled": True, "disabledAlerts": every}}})) == {}


def test_a_route_leads_to_the_port_by_its_name() -> None:
    """A number would be the pods' port: with spec.service.port 80 nothing would listen there."""
    spec = attached(gateway(ALL))["Route"]["spec"]
    assert spec["port"] == {"targetPort": "http"}
    assert spec["to"] == {"kind": "Service", "name": "gw", "weight": 100}
    assert spec["tls"] == {"termination": "edge"}
    assert spec["host"] == "llm.example.com"


def test_an_http_route_leads_to_the_service_at_its_own_port() -> None:
    spec = attached(gateway(ALL))["HTTPRoute"]["spec"]
    (rule,) = spec["rules"]
    assert rule["backendRefs"] == [{"group": "", "kind": "Service", "name": "gw", "port": 80, "weight": 1}]
    assert spec["parentRefs"] == [{"group": "gateway.networking.k8s.io", "kind": "Gateway", **PARENT}]


def test_two_listeners_of_one_gateway_are_two_routes() -> None:
    """Dynamic apply tells the parents of one route apart by name."""
    parents = [{**PARENT, "sectionName": "http"}, {**PARENT, "sectionName": "https"}, {"name": "other"}]
    spec = {"gatewayHTTPRoute": {"enabled": True, "parentRefs": [*parents, parents[0]]}}
    routes = [item for attachment in ATTACHMENTS for item in attachment.build(gateway(spec))]
    assert [item["metadata"]["name"] for item in routes] == ["gw", "gw-route-2"]
    assert [[one.get("sectionName") for one in item["spec"]["parentRefs"]] for item in routes] == [["http", None], ["https"]]


SCHEDULES = [
    ("the default is nightly, not hourly", "0 0 * * *", "0 0 0 * * *"),
    ("six fields have their seconds", "30 0 2 * * 1-5", "30 0 2 * * 1-5"),
    ("blanks between fields are one", "0  2 * *  *", "0 0 2 * * *"),
    ("CloudNativePG knows these words", "@weekly", "@weekly"),
]


@pytest.mark.parametrize(("why", "given", "cron"), SCHEDULES, ids=[row[0] for row in SCHEDULES])
def test_a_schedule_has_seconds(why: str, given: str, cron: str) -> None:
    assert schedule(given) == cron, why


@pytest.mark.parametrize("given", ["", "0 0 * *", "every night", "0 0 * * * * *", "@nightly"])
def test_what_is_no_schedule_is_refused(given: str) -> None:
    with pytest.raises(Unbuildable, match=r"spec\.database\.cloudnativepg\.backup\.schedule"):
        schedule(given)


def test_a_backup_is_in_cloudnativepgs_words() -> None:
    assert attached(gateway(ALL))["ScheduledBackup"]["spec"] == {
        "schedule": "0 0 0 * * *",
        "suspend": False,
        "immediate": True,
        "method": "volumeSnapshot",
        "backupOwnerReference": "self",
        "cluster": {"name": "pg"},
    }


ADVICE = [
    ("metrics are filled by a callback", {}, "spec.observability.serviceMonitor"),
    (
        "retention belongs to the Cluster",
        {"database": {"cloudnativepg": {"clusterName": "pg", "backup": {"enabled": True, "retention": 14}}}},
        "spec.database.cloudnativepg.backup.retention",
    ),
    ("the router would speak plain HTTP to HTTPS", TLS, "spec.route.tlsTermination"),
    ("a Gateway speaks HTTPS on request only", TLS, "spec.gatewayHTTPRoute"),
    (
        "there is nothing to reencrypt to",
        {"route": {"enabled": True, "tlsTermination": "reencrypt"}},
        "spec.route.tlsTermination",
    ),
    (
        "no such alert",
        {"observability": {"prometheusRule": {"enabled": True, "disabledAlerts": ["LiteLLMSleepy"]}}},
        "spec.observability.prometheusRule.disabledAlerts",
    ),
]


@pytest.mark.parametrize(("why", "spec", "field"), ADVICE, ids=[row[0] for row in ADVICE])
def test_what_does_nothing_is_told(why: str, spec: Object, field: str) -> None:
    assert field in {remark.field for remark in advice(gateway(ALL | spec))}, why


@pytest.mark.parametrize(
    "spec",
    [
        {"callbacks": {"types": ["prometheus"]}},
        {"litellmSettings": {"extra": {"callbacks": ["prometheus"]}}},
        {"litellmSettings": {"extra": {"success_callback": "prometheus"}}},
    ],
    ids=["among the callbacks", "in the extra settings", "as a single word"],
)
def test_metrics_that_are_filled_are_not_warned_of(spec: Object) -> None:
    assert "spec.observability.serviceMonitor" not in {remark.field for remark in advice(gateway(ALL | spec))}
