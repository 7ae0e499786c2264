"""``spec.patches``: what they may do, and that one which fails costs its own object alone."""

from __future__ import annotations

from typing import Any

import pytest

from app.resources.kinds import CONFIG_MAP, CONTROLLER_REVISION, DEPLOYMENT, JOB, SECRET, SERVICE, VOLUME_CLAIM
from tests.unit.controllers.gateway_world import MIGRATED, SPEC, TEAM, env_of, instance, running, secret, template_of, world


def patch(kind: str, *operations: dict[str, Any], name: str | None = None) -> dict[str, Any]:
    return {"target": {"kind": kind, **({"name": name} if name else {})}, "patch": list(operations)}


def add(path: str, value: Any) -> dict[str, Any]:
    return {"op": "add", "path": path, "value": value}


async def test_a_patch_reaches_every_object_of_its_kind_or_the_named_one() -> None:
    patches = [
        patch("Deployment", add("/spec/template/spec/priorityClassName", "high")),
        patch("Service", add("/metadata/annotations", {"a": "b"}), name="gw"),
    ]
    async with running({**SPEC, "patches": patches}) as made:
        assert template_of(await made.get(DEPLOYMENT))["spec"]["priorityClassName"] == "high"
        assert (await made.get(SERVICE))["metadata"]["annotations"]["a"] == "b"
        assert await made.reason("ChildrenApplied") == ""


async def test_a_patched_reference_is_seen_as_one() -> None:
    env = {"name": "A", "valueFrom": {"secretKeyRef": {"name": "patched", "key": "k"}}}
    async with running() as made:
        await made.edit({"patches": [patch("Deployment", add("/spec/template/spec/containers/0/env/-", env))]})
        assert "Secret patched does not exist" in await made.message("ReferencesResolved")
        await made.create(secret("patched", k="v"))
        assert await made.reason("ReferencesResolved") == ""


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/spec/template/spec/containers/0/env/0/valueFrom", {"secretKeyRef": {"name": "other", "key": "k"}}),
        ("/spec/template/spec/containers/0/env/0/valueFrom/secretKeyRef", {"name": "other", "key": "k"}),
        ("/spec/template/spec/containers/0/env/0/valueFrom/secretKeyRef/name", "other"),
    ],
)
async def test_a_patched_reference_is_read_from_wherever_the_patch_writes_it(path: str, value: Any) -> None:
    variable = {"name": "AA", "valueFrom": {"secretKeyRef": {"name": "pg", "key": "k"}}}
    first = {"op": "add", "path": "/spec/template/spec/containers/0/env/0", "value": variable}
    patches = [patch("Deployment", first, {"op": "replace", "path": path, "value": value})]
    async with running({**SPEC, "patches": patches}, secret("other", k="v")) as made:
        assert env_of(await made.get(DEPLOYMENT))["AA"]["valueFrom"]["secretKeyRef"] == {"name": "other", "key": "k"}
        assert await made.reason("ReferencesResolved") == ""


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        ({"op": "remove", "path": "/spec/nothing"}, "there is nothing at /spec/nothing"),
        ({"op": "test", "path": "/spec/type", "value": "LoadBalancer"}, "the test of /spec/type does not hold"),
        (add("/metadata/name", "other"), "may not change /metadata/name"),
        (add("/metadata/namespace", "other"), "may not change /metadata/namespace"),
        (add("/metadata/ownerReferences", []), "may not change /metadata/ownerReferences"),
        (add("/metadata/labels/controller-uid", "x"), "may not change /metadata/labels/controller-uid"),
        (add("/metadata/labels", {}), "may not change /metadata/labels"),
        (add("", {}), "may not change the whole object"),
        ({"op": "move", "from": "/kind", "path": "/metadata/annotations/a"}, "may not change /kind"),
        (add("/status", {}), "may not change /status"),
        (add("/metadata/labels/bad key", "x"), "metadata.labels"),
    ],
)
async def test_a_patch_that_fails_keeps_its_object_and_says_why(operation: dict[str, Any], words: str) -> None:
    async with running() as made:
        before = await made.get(SERVICE)
        await made.edit({"patches": [patch("Service", operation)], "service": {"port": 5000}, "image": {"tag": "v1.81.0"}})
        assert await made.get(SERVICE) == before
        assert words in await made.message("ChildrenApplied")
        assert await made.reason() == "False/ReconcileError"
        assert await made.image() == "v1.81.0", "the others follow the spec"


def remove(path: str) -> dict[str, Any]:
    return {"op": "remove", "path": path}


@pytest.mark.parametrize(
    ("kind", "operation", "words"),
    [
        ("Deployment", remove("/spec"), "may not "),
        ("Deployment", add("/spec", "x"), "may not "),
        ("Deployment", remove("/spec/template"), "may not remove /spec/template"),
        ("Deployment", add("/spec/template", "x"), "may not make /spec/template other than an object"),
        ("Deployment", remove("/spec/template/spec"), "may not remove /spec/template/spec"),
        ("Deployment", remove("/spec/template/metadata"), "may not remove /spec/template/metadata"),
        ("Deployment", add("/spec/template/metadata/labels", {}), "may not remove /spec/template/metadata/labels"),
        ("Deployment", remove("/spec/template/spec/containers"), "may not remove /spec/template/spec/containers"),
        ("Deployment", add("/spec/template/spec/containers", ["x"]), "may not make /spec/template/spec/containers/0 other than"),
        ("Deployment", add("/spec/template/spec/containers/0/env", "x"), "other than a list"),
        ("Deployment", add("/spec/selector", {"matchLabels": {"a": "b"}}), "may not change /spec/selector"),
        ("Deployment", remove("/spec/selector"), "may not change /spec/selector"),
        ("Deployment", add("/metadata/annotations", "x"), "metadata.annotations"),
        ("ConfigMap", remove("/data"), "may not remove /data"),
        ("ConfigMap", add("/data", None), "may not remove /data"),
        ("ConfigMap", add("/data", "x"), "may not make /data other than an object"),
        ("ConfigMap", remove("/data/proxy_server_config.yaml"), "may not remove /data"),
        ("ConfigMap", add("/data/proxy_server_config.yaml", 5), "may not make /data/proxy_server_config.yaml other than a text"),
        ("Job", remove("/spec/template"), "may not remove /spec/template"),
        ("Job", remove("/spec"), "may not remove /spec"),
        ("Job", remove("/metadata/annotations"), "may not change the annotation litellm.palena.ai/migration"),
        ("Service", remove("/spec"), "may not remove /spec"),
        ("Service", add("/spec/ports", "x"), "may not make /spec/ports other than a list"),
        ("Service", add("/spec/ports", [1, 2]), "may not make /spec/ports/0 other than an object"),
    ],
)
async def test_a_patch_may_not_take_an_objects_outline_away(kind: str, operation: dict[str, Any], words: str) -> None:
    """What is rendered later hangs upon the outline, and an object without it is one that the API server refuses."""
    resources = [one for one in (DEPLOYMENT, CONFIG_MAP, JOB, SERVICE) if one.kind == kind]
    async with running(MIGRATED) as made:
        before = [(one, name, await made.get(one, name)) for one in resources for name in await made.names(one)]
        await made.edit({"patches": [patch(kind, operation)]})
        assert [(one, name, await made.get(one, name)) for one, name, _ in before] == before
        assert words in await made.message("ChildrenApplied")
        assert await made.reason() == "False/ReconcileError"


_CONTAINER = "/spec/template/spec/containers/0"


@pytest.mark.parametrize(
    ("kind", "operation", "words"),
    [
        ("Deployment", add("/spec/replica", 2), "spec.replica is no field that Kubernetes v1.37.0 knows"),
        ("Deployment", add("/metadata/labls", {}), "metadata.labls is no field"),
        ("Deployment", add("/spec/minReadySeconds", "5"), "spec.minReadySeconds must be an integer"),
        ("Deployment", add("/spec/minReadySeconds", 5.5), "spec.minReadySeconds must be an integer"),
        ("Deployment", add("/spec/minReadySeconds", 2**31), "spec.minReadySeconds must be a number of 32 bits"),
        ("Deployment", add("/spec/paused", "yes"), "spec.paused must be true or false"),
        ("Deployment", add(f"{_CONTAINER}/lifecycle", {"preStop": {"httpGet": {"path": "/"}}}), "httpGet.port must be given"),
        ("Deployment", add(f"{_CONTAINER}/env/-", {"value": "x"}), ".name must be given"),
        ("Deployment", add(f"{_CONTAINER}/env/-", {"name": "X", "value": 5}), ".value must be a text"),
        ("Deployment", add(f"{_CONTAINER}/resources", {"limits": {"cpu": "lots"}}), "resources.limits.cpu must be a quantity"),
        (
            "Deployment",
            add(f"{_CONTAINER}/resources", {"limits": {"cpu": "0.1"}, "requests": {"cpu": "200m"}}),
            "spec.template.spec.containers[0].resources.requests.cpu must not be more than its limit",
        ),
        ("Deployment", remove(f"{_CONTAINER}/name"), "containers[0].name must be given"),
        ("Deployment", add("/spec/template/spec/volumes", [{"configMap": {"name": "x"}}]), "volumes[0].name must be given"),
        (
            "Deployment",
            remove("/spec/template/metadata/labels/app.kubernetes.io~1name"),
            "the pods lack the label app.kubernetes.io/name by which they are selected",
        ),
        ("Service", add("/spec/ports/-", {"name": "x", "targetPort": 4000}), "spec.ports[1].port must be given"),
        ("Service", add("/spec/ports/0/targetPort", True), "spec.ports[0].targetPort must be an integer or a text"),
        ("Service", add("/spec/externalIPs", [1]), "spec.externalIPs[0] must be a text"),
        ("ConfigMap", add("/binaryData", {"a": "no base64"}), "binaryData.a must be base64"),
        ("Job", add("/spec/template/spec/restartPolicies", "Never"), "restartPolicies is no field"),
    ],
)
async def test_a_patch_that_the_schema_refuses_is_told_and_not_sent(kind: str, operation: dict[str, Any], words: str) -> None:
    """Metacontroller would try for ever, and nobody who reads the status would know."""
    resources = [one for one in (DEPLOYMENT, CONFIG_MAP, JOB, SERVICE) if one.kind == kind]
    async with running(MIGRATED) as made:
        before = [(one, name, await made.get(one, name)) for one in resources for name in await made.names(one)]
        await made.edit({"patches": [patch(kind, operation)]})
        assert [(one, name, await made.get(one, name)) for one, name, _ in before] == before
        assert words in await made.message("ChildrenApplied")
        assert await made.reason("ChildrenApplied") == "False/PatchFailed"


@pytest.mark.parametrize(
    "operations",
    [
        [add("/spec/ports/0/targetPort", 4000)],
        [{"op": "replace", "path": "/spec/selector", "value": {"a": "b"}}],
        [remove("/spec/ports"), add("/spec/ports", [{"name": "http", "port": 80, "protocol": "TCP", "targetPort": "http"}])],
    ],
)
async def test_a_field_may_take_every_value_that_keeps_the_outline(operations: list[dict[str, Any]]) -> None:
    async with running({**SPEC, "patches": [patch("Service", *operations)]}) as made:
        assert await made.reason("ChildrenApplied") == ""


@pytest.mark.parametrize(
    "operation",
    [
        add("/data/master-key", "eA=="),
        {"op": "test", "path": "/data/master-key", "value": "eA=="},
        {"op": "copy", "from": "/data/master-key", "path": "/metadata/annotations"},
    ],
)
async def test_what_a_secret_holds_is_neither_written_nor_read_by_a_patch(operation: dict[str, Any]) -> None:
    async with running() as made:
        before = await made.get(SECRET, "gw-master-key")
        await made.edit({"patches": [patch("Secret", operation)]})
        assert await made.reason("ChildrenApplied") == "False/PatchFailed"
        assert "may not touch /data/master-key of a Secret" in await made.message("ChildrenApplied")
        assert await made.get(SECRET, "gw-master-key") == before


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "remove", "path": "/data/spec"},
        {"op": "replace", "path": "/data/spec/template/spec/containers/0/image", "value": "elsewhere"},
        {"op": "replace", "path": "/revision", "value": 7},
    ],
)
async def test_the_pods_that_a_rollback_brings_back_are_patched_as_they_run_and_not_afterwards(operation: dict[str, Any]) -> None:
    async with running({**SPEC, "upgrade": {"autoRollback": True}}) as made:
        (first,) = await made.names(CONTROLLER_REVISION)
        await made.edit({"image": {"tag": "v1.81.0"}, "patches": [patch("ControllerRevision", operation)]})
        await made.run_pods()
        assert await made.names(CONTROLLER_REVISION) == [first], "the good pods that are kept stay until newer ones are"
        assert f"may not touch {operation['path']} of a ControllerRevision" in await made.message("ChildrenApplied")


async def test_a_patch_that_fails_before_its_object_is_there_withholds_it() -> None:
    spec = {**SPEC, "patches": [patch("Service", {"op": "remove", "path": "/spec/nothing"})]}
    async with world(secret("pg", url="postgresql://h/d"), instance(spec)) as made:
        assert await made.find(SERVICE) is None
        assert await made.reason("ChildrenApplied") == "False/PatchFailed"


async def test_a_patch_for_no_object_is_told() -> None:
    async with running({**SPEC, "patches": [patch("Ingress", add("/spec/ingressClassName", "x"))]}) as made:
        assert "spec.patches[0] is for no generated object (Ingress)" in await made.message("SpecWarnings")


async def test_a_null_in_a_patch_is_written_as_the_server_stores_it() -> None:
    async with running({**SPEC, "patches": [patch("Deployment", add("/spec/minReadySeconds", 0))]}) as made:
        before = await made.versions()
        await made.settle(600)
        assert await made.versions() == before


@pytest.mark.parametrize(
    "path",
    [
        "/spec/template/spec/initContainers",
        "/spec/template/spec/volumes",
        "/spec/template/spec/containers/0/envFrom",
        "/spec/strategy",
    ],
)
@pytest.mark.parametrize("value", ["x", ["x"], {"x": "y"}, [{"configMapRef": "x"}], [{"secret": []}]], ids=repr)
async def test_whatever_a_patch_adds_the_answer_is_one(path: str, value: Any) -> None:
    async with running({**SPEC, "patches": []}) as made:
        await made.edit({"patches": [patch("Deployment", add(path, value))]})
        assert await made.find(DEPLOYMENT) is not None


async def test_a_patch_of_what_cannot_change_any_more_is_told_and_not_sent() -> None:
    async with running() as made:
        await made.cluster.merge_patch(SERVICE, TEAM, "gw", {"spec": {"clusterIP": "10.96.0.7"}})
        await made.settle()
        before = await made.get(SERVICE)
        await made.edit({"patches": [patch("Service", add("/spec/clusterIP", "None"))]})
        assert await made.get(SERVICE) == before
        assert await made.reason("ChildrenApplied") == "False/ChildInvalid"
        assert "Service gw is kept as it was: spec.clusterIP cannot change" in await made.message("ChildrenApplied")


async def test_a_claim_that_exists_is_not_enlarged_in_silence() -> None:
    spec = {**SPEC, "database": {"managed": {"enabled": True, "storageSize": "10Gi"}}}
    async with running(spec) as made:
        await made.edit({"database": {"managed": {"storageSize": "20Gi"}}})
        said = await made.message("ChildrenApplied")
        assert "PersistentVolumeClaim gw-db is kept as it was: spec.resources.requests.storage cannot change" in said
        await made.cluster.merge_patch(VOLUME_CLAIM, TEAM, "gw-db", {"spec": {"resources": {"requests": {"storage": "20Gi"}}}})
        await made.settle()
        assert await made.reason("ChildrenApplied") == ""


async def test_a_sealed_config_map_is_told() -> None:
    async with running() as made:
        await made.cluster.merge_patch(CONFIG_MAP, TEAM, "gw-config", {"immutable": True})
        await made.settle()
        assert await made.reason("ChildrenApplied") == ""
        before = (await made.get(CONFIG_MAP, "gw-config"))["data"]
        await made.edit({"patches": [patch("ConfigMap", add("/data/more", "x"), name="gw-config")]})
        assert (await made.get(CONFIG_MAP, "gw-config"))["data"] == before
        assert "ConfigMap gw-config is kept as it was: data (it is immutable)" in await made.message("ChildrenApplied")
