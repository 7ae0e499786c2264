"""Names that something else holds: that object stays as it is, the rest of the gateway comes, and the user is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.resources.kinds import (
    AUTOSCALER,
    CONFIG_MAP,
    CONTROLLER_REVISION,
    DEPLOYMENT,
    DISRUPTION_BUDGET,
    INGRESS,
    JOB,
    NETWORK_POLICY,
    SECRET,
    SERVICE,
    SERVICE_ACCOUNT,
    STATEFUL_SET,
    VOLUME_CLAIM,
)
from tests.unit.controllers.gateway_world import INSTANCE, MIGRATED, SPEC, TEAM, instance, running, secret, world

if TYPE_CHECKING:
    from app.hooks.objects import Object, Resource

EVERYTHING: dict[str, Any] = {
    **SPEC,
    "saltKey": {"autoGenerate": True},
    "scim": {"enabled": True},
    "database": {"managed": {"enabled": True}},
    "autoscaling": {"enabled": True, "maxReplicas": 3},
    "podDisruptionBudget": {"enabled": True},
    "ingress": {"enabled": True, "host": "llm.example.com"},
    "security": {"networkPolicy": {"enabled": True}},
    "observability": {"grafanaDashboard": {"enabled": True}},
}
_POD = {"containers": [{"name": "c", "image": "i"}]}
_LABELS = {"a": "b"}
_WORKLOAD = {"selector": {"matchLabels": _LABELS}, "template": {"metadata": {"labels": _LABELS}, "spec": _POD}}
HELD: list[tuple[Resource, str, Object]] = [
    (SERVICE_ACCOUNT, "gw", {}),
    (SERVICE, "gw", {"spec": {"ports": [{"port": 80}]}}),
    (SERVICE, "gw-db", {"spec": {"ports": [{"port": 80}]}}),
    (CONFIG_MAP, "gw-config", {"data": {"a": "b"}}),
    (CONFIG_MAP, "gw-grafana-dashboard", {"data": {"a": "b"}}),
    (SECRET, "gw-master-key", {"data": {"a": "Yg=="}}),
    (SECRET, "gw-salt-key", {"data": {"a": "Yg=="}}),
    (SECRET, "gw-scim-token", {"data": {"a": "Yg=="}}),
    (SECRET, "gw-db", {"data": {"a": "Yg=="}}),
    (
        VOLUME_CLAIM,
        "gw-db",
        {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}},
    ),
    (DEPLOYMENT, "gw", {"spec": _WORKLOAD}),
    (STATEFUL_SET, "gw-db", {"spec": {**_WORKLOAD, "serviceName": "x"}}),
    (INGRESS, "gw", {"spec": {"defaultBackend": {"service": {"name": "x", "port": {"number": 80}}}}}),
    (
        AUTOSCALER,
        "gw",
        {"spec": {"maxReplicas": 9, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "x"}}},
    ),
    (DISRUPTION_BUDGET, "gw", {"spec": {"minAvailable": 1, "selector": {"matchLabels": _LABELS}}}),
    (NETWORK_POLICY, "gw", {"spec": {"podSelector": {"matchLabels": _LABELS}, "policyTypes": ["Ingress"]}}),
]


@pytest.mark.parametrize("strategy", ["dynamic-apply", "server-side-apply"])
@pytest.mark.parametrize(("resource", "name", "content"), HELD, ids=lambda value: getattr(value, "kind", None))
async def test_an_object_that_holds_a_childs_name_is_left_alone_and_told(
    resource: Resource, name: str, content: Object, strategy: str
) -> None:
    foreign = {
        "apiVersion": resource.api_version,
        "kind": resource.kind,
        "metadata": {"name": name, "namespace": TEAM},
        **content,
    }
    async with world(foreign, strategy=strategy) as made:
        before = await made.get(resource, name)
        await made.create(instance(EVERYTHING))
        for workload in (STATEFUL_SET, DEPLOYMENT):
            if workload != resource:
                for item in await made.names(workload):
                    await made.kubelet.make_ready(workload, TEAM, item)
        await made.settle(120)
        assert await made.get(resource, name) == before
        assert await made.reason("ChildrenApplied") == "False/NameTaken"
        assert f"{resource.kind} {name} exists already" in await made.message("ChildrenApplied")
        assert await made.reason() == "False/ReconcileError"
        assert made.loop.events == []


async def test_a_job_that_holds_the_migrations_name_is_no_migration() -> None:
    """A restored backup brings finished Jobs back, without their owners."""
    async with running(MIGRATED) as made:
        (name,) = await made.names(JOB)
        job = await made.get(JOB, name)
    bare = {**job, "metadata": {"name": name, "namespace": TEAM}}
    for generated in ("controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"):
        bare["spec"]["template"]["metadata"].get("labels", {}).pop(generated, None)
    bare["spec"].pop("selector", None)
    async with world(bare, secret("pg", url="postgresql://u:p@h/d"), instance(MIGRATED)) as made:
        assert await made.reason("ChildrenApplied") == "False/NameTaken"
        assert f"Job {name} exists already" in await made.message("ChildrenApplied")
        assert await made.reason("DatabaseReady") == "False/MigrationWaiting"
        assert await made.find(DEPLOYMENT) is None


async def test_a_ready_foreign_deployment_makes_no_gateway_ready() -> None:
    async with world(
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "gw", "namespace": TEAM}, "spec": _WORKLOAD}
    ) as made:
        await made.kubelet.make_ready(DEPLOYMENT, TEAM, "gw")
        await made.create(secret("pg", url="postgresql://h/d"), instance(SPEC))
        status = await made.status()
        assert (status["ready"], status["replicas"], status["version"]) == (False, 0, "")


async def test_of_two_instances_that_want_one_name_the_second_is_told_whose_it_is() -> None:
    async with world(instance(EVERYTHING)) as made:
        await made.create(secret("pg", url="postgresql://h/d"), instance(SPEC, "gw-db"))
        assert await made.reason("ChildrenApplied", "gw-db") == "False/NameTaken"
        assert "Service gw-db belongs to LiteLLMInstance gw" in await made.message("ChildrenApplied", "gw-db")
        assert await made.reason("ChildrenApplied") == ""


async def test_a_name_that_becomes_free_is_used() -> None:
    foreign = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "gw", "namespace": TEAM}}
    async with world(foreign, secret("pg", url="postgresql://h/d"), instance(SPEC)) as made:
        await made.cluster.delete(SERVICE_ACCOUNT, TEAM, "gw")
        await made.settle()
        assert await made.reason("ChildrenApplied") == ""
        assert (await made.get(SERVICE_ACCOUNT))["metadata"]["ownerReferences"][0]["name"] == "gw"


ROUTED: dict[str, Any] = {**SPEC, "route": {"enabled": True, "host": "llm.example.com"}}
NOTE = "names-taken.litellm.palena.ai/route.openshift.io"


@pytest.mark.parametrize(
    ("why", "spec", "note", "apis", "told"),
    [
        ("what the add-on found is told", ROUTED, "Route gw", {"route.openshift.io"}, True),
        ("the spec does not ask for it", SPEC, "Route gw", {"route.openshift.io"}, False),
        ("the add-on is gone, and its note is old", ROUTED, "Route gw", set[str](), False),
        ("anybody can write an annotation", ROUTED, "Route other, <b>anything</b>", {"route.openshift.io"}, False),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else "",
)
async def test_a_name_that_an_add_on_found_taken_is_told(why: str, spec: Object, note: str, apis: set[str], told: bool) -> None:
    """An add-on answers no status: it leaves a note."""
    async with world(secret("pg", url="postgresql://h/d"), instance(spec), optional_apis=frozenset(apis)) as made:
        await made.cluster.merge_patch(INSTANCE, TEAM, "gw", {"metadata": {"annotations": {NOTE: note}}})
        await made.settle()
        assert ("Route gw exists already" in await made.message("ChildrenApplied")) is told, why
        await made.cluster.merge_patch(INSTANCE, TEAM, "gw", {"metadata": {"annotations": {NOTE: None}}})
        await made.settle()
        assert await made.reason("ChildrenApplied") == "", why


async def test_a_revision_that_cannot_be_kept_under_its_name_is_told() -> None:
    """Its name follows from the pods, so nobody can look for it beforehand; without it there is no way back."""
    spec = {**SPEC, "upgrade": {"autoRollback": True}}
    async with running(spec) as made:
        (name,) = await made.names(CONTROLLER_REVISION)
    foreign = {
        "apiVersion": CONTROLLER_REVISION.api_version,
        "kind": CONTROLLER_REVISION.kind,
        "metadata": {"name": name, "namespace": TEAM},
        "revision": 7,
    }
    async with world(foreign, secret("pg", url="postgresql://u:p@h/d"), instance(spec)) as made:
        await made.run_pods()
        await made.settle(700)
        assert f"ControllerRevision {name} was answered and is not applied" in await made.message("ChildrenApplied")
        assert (await made.get(CONTROLLER_REVISION, name))["revision"] == 7
