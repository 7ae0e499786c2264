"""Add-ons of an instance, as Metacontroller calls them: what they attach, and what they leave alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2
import orjson
import pytest

from app.controllers.add_ons import ADD_ONS
from app.hooks import application
from app.hooks.manifests import Address, manifest
from app.hooks.objects import LAST_APPLIED
from app.registry import CONTROLLERS
from tests.unit.controllers.exchange import grouped, instance, secret

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hooks.objects import Object

MANAGED: Object = {
    "masterKey": {"autoGenerate": True},
    "database": {"cloudnativepg": {"clusterName": "pg", "backup": {"enabled": True}}},
    "route": {"enabled": True},
    "gatewayHTTPRoute": {"enabled": True, "parentRefs": [{"name": "edge"}]},
    "observability": {"serviceMonitor": {"enabled": True}, "prometheusRule": {"enabled": True}},
}
ATTACHED: Object = {**MANAGED, "workload": {"managed": False}, "masterKey": {"secretRef": {"name": "lk", "key": "MASTER"}}}
OF = {add_on.optional_api: add_on for add_on in ADD_ONS}
ROUTE = "route.openshift.io"
NOTED = "names-taken.litellm.palena.ai/route.openshift.io"
MONITORING = "monitoring.coreos.com"
NAMES = {
    MONITORING: ["PrometheusRule gw-alerts", "ServiceMonitor gw"],
    ROUTE: ["Route gw"],
    "gateway.networking.k8s.io": ["HTTPRoute gw"],
    "postgresql.cnpg.io": ["ScheduledBackup gw-backup"],
}


async def ask(api: str, hook: str, body: Object) -> Object:
    add_on = OF[api]
    transport = httpx2.ASGITransport(app=application([add_on], None))
    controller = manifest(add_on, Address(url="http://palena"))
    async with httpx2.AsyncClient(transport=transport, base_url="http://palena") as palena:
        content = orjson.dumps({"controller": controller, **body})
        response = await palena.post(f"/hooks/{add_on.name}/{hook}", content=content)
    assert response.status_code == 200, response.text
    return response.json()


async def sync(
    api: str,
    spec: Any,
    attachments: Iterable[Object] = (),
    related: Iterable[Object] = (),
    annotations: Object | None = None,
) -> Object:
    kinds = [rule.resource.key for rule in OF[api].attachments]
    asking = instance(spec)
    asking["metadata"] = {**asking["metadata"], "annotations": annotations or {}}
    body = {
        "object": asking,
        "attachments": grouped(attachments, kinds),
        "related": grouped(related),
        "finalizing": False,
    }
    return await ask(api, "sync", body)


def names(answer: Object) -> list[str]:
    return [f"{item['kind']} {item['metadata']['name']}" for item in answer["attachments"]]


def route(**annotations: str) -> Object:
    metadata = {"name": "gw", "namespace": "team", "uid": "r", "annotations": annotations}
    return {"apiVersion": "route.openshift.io/v1", "kind": "Route", "metadata": metadata, "spec": {"host": "theirs"}}


def applied(**spec: str) -> Object:
    """A Route as an earlier sync left it."""
    record = {
        "apiVersion": "route.openshift.io/v1",
        "kind": "Route",
        "metadata": {"name": "gw", "namespace": "team"},
        "spec": spec,
    }
    return route(**{LAST_APPLIED: orjson.dumps(record).decode()})


@pytest.mark.parametrize("api", NAMES)
async def test_a_managed_instance_gets_what_it_asks_for(api: str) -> None:
    assert names(await sync(api, MANAGED)) == NAMES[api]


@pytest.mark.parametrize("api", NAMES)
async def test_an_add_on_never_answers_a_status(api: str) -> None:
    """Beside the instance's own controller that would never come to rest."""
    assert "status" not in await sync(api, MANAGED)


@pytest.mark.parametrize("api", NAMES)
async def test_the_second_sync_answers_the_same(api: str) -> None:
    first = await sync(api, MANAGED)
    assert await sync(api, MANAGED, first["attachments"]) == first


async def test_what_is_switched_off_is_no_longer_answered() -> None:
    assert names(await sync(ROUTE, {**MANAGED, "route": {"enabled": False}}, [applied(host="a")])) == []


@pytest.mark.parametrize("spec", [ATTACHED, "no spec at all"], ids=["an attached proxy", "an invalid spec"])
async def test_what_is_there_stays_as_it_is_under(spec: Any) -> None:
    answer = await sync(ROUTE, spec, [applied(host="a")])
    assert [item["spec"] for item in answer["attachments"]] == [{"host": "a"}]


async def test_an_attached_proxy_gets_no_attachment() -> None:
    for api in NAMES:
        assert names(await sync(api, ATTACHED)) == []


async def test_a_name_that_somebody_else_holds_is_not_answered_but_noted() -> None:
    """Under server-side apply it would be taken over. The note is for the instance's own controller, which answers the status."""
    answer = await sync(ROUTE, MANAGED, related=[route()])
    assert names(answer) == []
    assert answer["annotations"] == {NOTED: "Route gw"}


@pytest.mark.parametrize(("present", "answered"), [({}, {}), ({NOTED: "Route gw"}, {NOTED: None})], ids=["none", "an old one"])
async def test_a_name_that_is_free_is_not_noted(present: Object, answered: Object) -> None:
    assert (await sync(ROUTE, MANAGED, annotations=present)).get("annotations", {}) == answered


async def test_a_name_that_is_no_longer_asked_for_is_not_noted() -> None:
    spec = {**MANAGED, "route": {"enabled": False}}
    answer = await sync(ROUTE, spec, related=[route()], annotations={NOTED: "Route gw"})
    assert answer["annotations"] == {NOTED: None}


async def test_an_attachment_of_a_spec_that_makes_none_stays_as_it_is() -> None:
    answer = await sync(ROUTE, {**MANAGED, "route": {"enabled": True, "host": "no host"}}, [applied(host="a")])
    assert [item["spec"] for item in answer["attachments"]] == [{"host": "a"}]


async def test_a_patch_reaches_an_attachment() -> None:
    operation = {"op": "add", "path": "/spec/tls/insecureEdgeTerminationPolicy", "value": "Redirect"}
    answer = await sync(ROUTE, {**MANAGED, "patches": [{"target": {"kind": "Route"}, "patch": [operation]}]})
    assert answer["attachments"][0]["spec"]["tls"] == {"termination": "edge", "insecureEdgeTerminationPolicy": "Redirect"}


async def test_a_patch_that_fails_leaves_the_attachment_as_it_is() -> None:
    patches = [{"target": {"kind": "Route"}, "patch": [{"op": "remove", "path": "/spec/path"}]}]
    answer = await sync(ROUTE, {**MANAGED, "patches": patches}, [applied(host="a")])
    assert [item["spec"] for item in answer["attachments"]] == [{"host": "a"}]


AUTHORITIES = [
    ("what the spec says outright", {"trustedCASecretRef": {"name": "ca", "key": "root"}}, [], {"name": "ca", "key": "root"}),
    ("else what lies beside the certificate", {}, [secret("cert", **{"ca.crt": "PEM"})], {"name": "cert", "key": "ca.crt"}),
    ("else the system's", {}, [secret("cert", **{"tls.crt": "PEM"})], None),
]


@pytest.mark.parametrize(("why", "tls", "related", "place"), AUTHORITIES, ids=[row[0] for row in AUTHORITIES])
async def test_prometheus_believes(why: str, tls: Object, related: list[Object], place: Object | None) -> None:
    spec = {**MANAGED, "tls": {"serverCertSecretRef": {"name": "cert"}, **tls}}
    answer = await sync(MONITORING, spec, related=related)
    (endpoint,) = answer["attachments"][1]["spec"]["endpoints"]
    assert endpoint["tlsConfig"].get("ca", {}).get("secret") == place, why


@pytest.mark.parametrize("spec", [MANAGED, None, 5, {"tls": []}, {"tls": {"serverCertSecretRef": {"name": "Not a name"}}}])
async def test_any_spec_is_told_whose_names_matter(spec: Any) -> None:
    answer = await ask(MONITORING, "customize", {"parent": instance() | {"spec": spec}})
    asked = {rule["resource"]: rule["names"] for rule in answer["relatedResources"]}
    assert asked == {"servicemonitors": ["gw"], "prometheusrules": ["gw-alerts"]}


async def test_the_secret_with_the_certificate_is_asked_for() -> None:
    spec = {**MANAGED, "tls": {"serverCertSecretRef": {"name": "cert"}}}
    answer = await ask(MONITORING, "customize", {"parent": instance(spec)})
    assert {"apiVersion": "v1", "resource": "secrets", "namespace": "team", "names": ["cert"]} in answer["relatedResources"]


def test_no_add_on_attaches_a_kind_that_another_controller_owns() -> None:
    """Metacontroller would take the attachment's owner away, and leave it behind."""
    attached = [rule.resource.key for add_on in ADD_ONS for rule in add_on.attachments]
    owned = {rule.resource.key for controller in CONTROLLERS if controller not in ADD_ONS for rule in controller.owned}
    assert len(attached) == len(set(attached))
    assert owned.isdisjoint(attached)


def test_every_add_on_names_the_api_without_which_it_cannot_run() -> None:
    for add_on in ADD_ONS:
        assert {rule.resource.group for rule in add_on.attachments} == {add_on.optional_api}
