"""The installation as its guide says: one Secret, one ``kubectl apply -k``."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from app.hooks.objects import Resource
from app.sim.cluster import Forbidden, NotFound
from app.sim.cluster_kube import KubeCluster
from tests.e2e.controlplane.plane import PALENA, ControlPlane
from tests.e2e.installation import GATHERING_SECONDS, rendered
from tests.e2e.world import INSTANCE, SECRET

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.e2e.kubectl import Kubectl

POD = Resource("v1", "Pod", "pods")
ROOT = Path(__file__).resolve().parents[2]
SHAPES = {"full": "metacontroller", "attach-only": "metacontroller/attach-only"}
LARGEST_ANNOTATION = 262_144


def content(kubectl: Kubectl, shape: str) -> list[Object]:
    """What is installed, without what controllers write into it."""
    items = json.loads(kubectl("get", "-k", shape, "-o", "json"))["items"]
    for item in items:
        item.pop("status", None)
        item.pop("rules" if "aggregationRule" in item else "", None)
        item["metadata"].pop("resourceVersion")
        item["metadata"]["annotations"].pop("deployment.kubernetes.io/revision", None)
    return items


@pytest.mark.parametrize("folder", SHAPES.values(), ids=SHAPES)
def test_apply_installs_everything_and_a_second_apply_changes_nothing(kubectl: Kubectl, folder: str) -> None:
    shape = str(ROOT / folder)
    installed = list(yaml.safe_load_all(kubectl("kustomize", shape)))
    try:
        applied = kubectl("apply", "-k", shape)
        assert len(applied.splitlines()) == len(installed)
        before = content(kubectl, shape)
        kubectl("apply", "-k", shape)
        assert content(kubectl, shape) == before
    finally:
        kept = [item for item in installed if item["kind"] not in ("CustomResourceDefinition", "Namespace")]
        kubectl("delete", "--ignore-not-found", "-f", "-", stdin=yaml.safe_dump_all(kept))


def test_the_definition_is_small_enough_for_a_plain_apply(kubectl: Kubectl) -> None:
    """Plain apply keeps the whole manifest in an annotation, whose size is limited."""
    (definition,) = (ROOT / "crds").glob("*_litellminstances.yaml")
    kubectl("apply", "-f", str(definition))
    annotation = r"{.metadata.annotations.kubectl\.kubernetes\.io/last-applied-configuration}"
    applied = kubectl("get", "crd", "litellminstances.litellm.palena.ai", "-o", f"jsonpath={annotation}")
    assert 0 < len(applied.encode()) < LARGEST_ANNOTATION


def test_kubectl_knows_the_kind_by_its_short_name_and_categories(kubectl: Kubectl) -> None:
    kubectl("get", "li", "-A")
    kubectl("get", "litellm,palena", "-A")


def test_the_pods_satisfy_the_restricted_pod_security_standard(kubectl: Kubectl) -> None:
    """The API server warns on a Deployment whose pods its namespace would turn away."""
    rendered = kubectl("kustomize", str(ROOT / "metacontroller"))
    wanted = [item for item in yaml.safe_load_all(rendered) if item["kind"] in ("Namespace", "Deployment")]
    namespace, deployment = sorted(wanted, key=lambda item: item["kind"], reverse=True)
    namespace["metadata"]["name"] = deployment["metadata"]["namespace"] = "restricted"
    kubectl("apply", "-f", "-", stdin=yaml.safe_dump(namespace))
    try:
        kubectl("apply", "--warnings-as-errors", "-f", "-", stdin=yaml.safe_dump(deployment))
    finally:
        kubectl("delete", "namespace", "restricted", "--wait=false")


async def test_without_the_readers_role_the_service_has_no_rights(plane: ControlPlane) -> None:
    async with KubeCluster.from_kubeconfig(plane.kubeconfig(PALENA)) as cluster:
        for resource in (SECRET, INSTANCE, POD):
            with pytest.raises(Forbidden):
                await cluster.list(resource)


async def test_the_reader_gets_secrets_by_name_and_our_kinds_and_nothing_else(plane: ControlPlane, kubectl: Kubectl) -> None:
    roles = yaml.safe_dump_all([item for item in rendered(kubectl, "full") if item["metadata"]["name"] == "palena-reader"])
    kubectl("apply", "-f", "-", stdin=roles)
    try:
        async with KubeCluster.from_kubeconfig(plane.kubeconfig(PALENA)) as cluster:
            await granted(cluster)
            with pytest.raises(NotFound):
                await cluster.get(SECRET, "default", "no-such-secret")
            for resource in (SECRET, POD):
                with pytest.raises(Forbidden):
                    await cluster.list(resource)
            metadata = {"name": "written", "namespace": "default"}
            with pytest.raises(Forbidden):
                await cluster.create({"apiVersion": "v1", "kind": "Secret", "metadata": metadata})
    finally:
        kubectl("delete", "-f", "-", stdin=roles)


async def granted(cluster: KubeCluster) -> None:
    """The API server has taken note of the new role: it does so a moment after it stored it."""
    deadline = time.monotonic() + GATHERING_SECONDS
    while True:
        try:
            await cluster.list(INSTANCE)
            return
        except Forbidden:
            assert time.monotonic() < deadline, "our kinds may not be listed"
            await asyncio.sleep(0.1)
