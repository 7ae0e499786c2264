"""Add-ons on a real API server: their components install together, and what they attach is stored as it was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.objects import DECORATOR, Object
from app.registry import ADD_ONS
from app.resources.kinds import HTTP_ROUTE, PROMETHEUS_RULE, ROUTE, SCHEDULED_BACKUP, SECRET, SERVICE_MONITOR
from app.sim.cluster import NotFound
from tests.e2e.driven import Way, driving, in_every_way, overlay, serve_add_on_apis, until, user_namespace
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from pathlib import Path

    from app.sim.cluster import Cluster
    from tests.e2e.controlplane.plane import ControlPlane
    from tests.e2e.kubectl import Kubectl

COMPONENTS = ("monitoring", "openshift-route", "gateway-api", "cloudnativepg-backup")
EDGE = {"name": "edge", "namespace": "infra"}
SPEC: Object = {
    "masterKey": {"autoGenerate": True},
    "image": {"tag": "v1.81.14"},
    "database": {"cloudnativepg": {"clusterName": "pg", "backup": {"enabled": True}}},
    "tls": {"serverCertSecretRef": {"name": "cert"}},
    "route": {"enabled": True, "host": "llm.example.com", "tlsTermination": "reencrypt"},
    "gatewayHTTPRoute": {
        "enabled": True,
        "host": "llm.example.com",
        "parentRefs": [{**EDGE, "sectionName": "http"}, {**EDGE, "sectionName": "https"}],
    },
    "observability": {
        "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}, "authorization": {}},
        "prometheusRule": {"enabled": True},
    },
}
ATTACHED = {
    SERVICE_MONITOR: ["gw"],
    PROMETHEUS_RULE: ["gw-alerts"],
    ROUTE: ["gw"],
    HTTP_ROUTE: ["gw", "gw-route-2"],
    SCHEDULED_BACKUP: ["gw-backup"],
}


def instance() -> Object:
    return {"apiVersion": INSTANCE.api_version, "kind": INSTANCE.kind, "metadata": {"name": "gw"}, "spec": SPEC}


async def attachments(user: Cluster, namespace: str) -> dict[str, Object]:
    found = [item for resource in ATTACHED for item in await user.list(resource, namespace)]
    return {f"{item['kind']} {item['metadata']['name']}": item for item in found}


def test_each_component_adds_its_api_to_what_the_service_is_told(kubectl: Kubectl, tmp_path: Path) -> None:
    """Kustomize has no way to join texts but this one, so kustomize itself is asked."""
    installation = overlay(kubectl, tmp_path, [*COMPONENTS, "tls"])
    (deployment,) = (item for item in installation if item["kind"] == "Deployment")
    variables = {entry["name"]: entry.get("value") for entry in deployment["spec"]["template"]["spec"]["containers"][0]["env"]}
    assert set(variables["PALENA_OPTIONAL_APIS"].split(",")) - {""} == {add_on.optional_api for add_on in ADD_ONS}
    urls = [
        hook["webhook"]["url"]
        for item in installation
        if item["kind"] == "DecoratorController"
        for hook in item["spec"]["hooks"].values()
    ]
    assert len(urls) == 2 * len(ADD_ONS)
    assert all(url.startswith("https://") for url in urls)


@in_every_way
async def test_add_ons_attach_come_to_rest_and_let_go(plane: ControlPlane, kubectl: Kubectl, tmp_path: Path, way: Way) -> None:
    serve_add_on_apis(kubectl)
    installation = overlay(kubectl, tmp_path, COMPONENTS)
    async with (
        user_namespace(plane) as (user, namespace),
        driving(plane, kubectl, installation, tmp_path / "service", namespace, way) as at_work,
    ):
        certificate = {"name": "cert", "namespace": namespace}
        await user.create({"apiVersion": "v1", "kind": "Secret", "metadata": certificate, "data": {"ca.crt": "UEVN"}})
        item = instance()
        await user.create({**item, "metadata": {**item["metadata"], "namespace": namespace}})
        wanted = {f"{resource.kind} {name}" for resource, names in ATTACHED.items() for name in names}

        async def attached() -> bool:
            return (await attachments(user, namespace)).keys() == wanted

        await until(attached, "not everything was attached")
        before = await attachments(user, namespace)
        assert {one["metadata"]["annotations"][DECORATOR] for one in before.values()} == {add_on.name for add_on in ADD_ONS}
        (endpoint,) = before["ServiceMonitor gw"]["spec"]["endpoints"]
        assert endpoint["tlsConfig"] == {"serverName": f"gw.{namespace}.svc", "ca": {"secret": {"name": "cert", "key": "ca.crt"}}}

        await at_work.resyncs(20, "gw")
        after = await attachments(user, namespace)
        assert after == before, "at rest nothing is written"

        await user.merge_patch(INSTANCE, namespace, "gw", {"spec": {"route": {"enabled": False}}})

        async def route_is_gone() -> bool:
            return "Route gw" not in await attachments(user, namespace)

        await until(route_is_gone, "what is switched off stayed")

        foreign = {
            "apiVersion": ROUTE.api_version,
            "kind": ROUTE.kind,
            "metadata": {"name": "gw", "namespace": namespace},
            "spec": {"to": {"kind": "Service", "name": "theirs"}},
        }
        theirs = await user.create(foreign)
        await user.merge_patch(INSTANCE, namespace, "gw", {"spec": {"route": {"enabled": True}}})

        async def told() -> bool:
            return "Route gw exists already" in await _children_applied(user, namespace)

        await until(told, "the add-on's find did not reach the status")
        await at_work.resyncs(3, "gw")
        assert await user.get(ROUTE, namespace, "gw") == theirs
        await user.merge_patch(INSTANCE, namespace, "gw", {"spec": {"route": {"enabled": False}}})

        async def no_longer_told() -> bool:
            return "Route gw" not in await _children_applied(user, namespace)

        await until(no_longer_told, "the note outlived its reason")
        await user.delete(ROUTE, namespace, "gw")

        master_key = {"secretRef": {"name": "gw-master-key", "key": "master-key"}}
        flip = {"workload": {"managed": False}, "masterKey": master_key, "observability": None}
        await user.merge_patch(INSTANCE, namespace, "gw", {"spec": flip})
        await at_work.resyncs(3, "gw")
        assert (await attachments(user, namespace)).keys() == wanted - {"Route gw"}, "a flip deletes nothing"

        await user.delete(INSTANCE, namespace, "gw")

        async def nothing_is_left() -> bool:
            return not await attachments(user, namespace)

        await until(nothing_is_left, "the garbage collector found no owner")
        assert await _exists(user, namespace, "cert")


async def _children_applied(user: Cluster, namespace: str) -> str:
    conditions = (await user.get(INSTANCE, namespace, "gw")).get("status", {}).get("conditions", [])
    return next((one["message"] for one in conditions if one["type"] == "ChildrenApplied"), "")


async def _exists(user: Cluster, namespace: str, name: str) -> bool:
    try:
        await user.get(SECRET, namespace, name)
    except NotFound:
        return False
    return True
