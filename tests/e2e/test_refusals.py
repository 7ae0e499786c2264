"""The API server itself, held against the tables that lint, the Python twins and the in-memory cluster are tested with."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
import yaml

from app.apis.litellm.mcp_server import LITELLM_MCP_SERVER
from app.sim.cluster import ApiError, Invalid
from app.sim.cluster_kube import KubeCluster
from tests.cases import instance_rules, mcp_server_rules, validation_messages
from tests.cases.validation_messages import unordered
from tests.e2e.controlplane.plane import USER, ControlPlane
from tests.e2e.world import INSTANCE, NAMESPACE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from app.hooks.objects import Object
    from tests.cases.instance_rules import Case
    from tests.cases.validation_messages import ValidationCase
    from tests.e2e.kubectl import Kubectl


@pytest.fixture(scope="session")
def sample_kind(kubectl: Kubectl) -> None:
    """The toy kind that the table of messages is about."""
    kubectl("apply", "-f", "-", stdin=yaml.safe_dump(validation_messages.CRD))
    kubectl("wait", "--for=condition=Established", "crd", validation_messages.CRD["metadata"]["name"], "--timeout=30s")


@pytest.fixture
async def user(plane: ControlPlane) -> AsyncIterator[KubeCluster]:
    async with KubeCluster.from_kubeconfig(plane.kubeconfig(USER)) as cluster:
        yield cluster


@pytest.fixture
async def namespace(user: KubeCluster) -> AsyncIterator[str]:
    name = f"refusals-{uuid4().hex[:8]}"
    await user.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    yield name
    await user.delete(NAMESPACE, "", name)


@pytest.mark.parametrize("case", instance_rules.CASES, ids=lambda case: case.why)
async def test_an_instance_is_taken_or_refused_as_the_table_says(user: KubeCluster, namespace: str, case: Case) -> None:
    metadata = {"name": "gateway", "namespace": namespace}
    item = {"apiVersion": INSTANCE.api_version, "kind": INSTANCE.kind, "metadata": metadata, "spec": case.spec}
    if case.accepted:
        created = await user.create(item)
        assert created["spec"].get("workload") == case.workload
        return
    with pytest.raises(Invalid) as refused:
        await user.create(item)
    assert case.refusal in refused.value.message
    assert f"{case.field}: " in refused.value.message


@pytest.mark.parametrize("case", mcp_server_rules.CASES, ids=lambda case: case.why)
async def test_an_mcp_server_is_taken_or_refused_as_the_table_says(
    user: KubeCluster, namespace: str, case: mcp_server_rules.Case
) -> None:
    resource = LITELLM_MCP_SERVER.resource
    metadata = {"name": "tools", "namespace": namespace}
    item = {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": metadata, "spec": case.spec}
    if not case.refusal:
        assert await user.create(item)
        return
    with pytest.raises(Invalid) as refused:
        await user.create(item)
    assert case.refusal in refused.value.message
    assert f"{case.field}: " in refused.value.message


@pytest.mark.usefixtures("sample_kind")
@pytest.mark.parametrize("case", validation_messages.CASES, ids=lambda case: case.why)
async def test_a_refusal_reads_as_the_table_says(user: KubeCluster, namespace: str, case: ValidationCase) -> None:
    if case.message is None:
        stored = await send(user, case, namespace)
        assert case.stored is None or stored["spec"] == case.stored
        return
    with pytest.raises(ApiError) as refused:
        await send(user, case, namespace)
    assert unordered(refused.value.message) == unordered(case.message)


async def send(user: KubeCluster, case: ValidationCase, namespace: str) -> Object:
    """Create the object, or create the old one and update it."""
    item = case.item(namespace)
    if case.old is None:
        return await user.create(item)
    live = await user.create(case.item(namespace, case.old))
    return await user.update({**item, "metadata": {**item["metadata"], "resourceVersion": live["metadata"]["resourceVersion"]}})
