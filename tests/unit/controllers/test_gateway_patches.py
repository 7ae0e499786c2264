"""``spec.patches``: what they may do, and that one which fails costs its own object alone."""

from __future__ import annotations

from typing import Any

import pytest

from app.resources.kinds import DEPLOYMENT, SECRET, SERVICE
from tests.unit.controllers.gateway_world import SPEC, instance, running, secret, template_of, world


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
