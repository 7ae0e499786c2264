"""What stands in for the service's reader in simulations, and the demo's cluster over HTTP: both tell what there is."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx2
import pytest

from app.apis.litellm.budget import LITELLM_BUDGET
from app.cli.demo_cluster import ClusterOverHttp
from app.kube.cluster_reader import ClusterReader
from app.kube.reader import ReadFailed
from app.resources.kinds import DEPLOYMENT
from app.sim.clock import VirtualClock
from app.sim.memory import MemoryCluster
from app.sim.simulated_reader import SimulatedReader

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from contextlib import AbstractAsyncContextManager

    from app.kube.reader import Reader
    from app.sim.cluster import Cluster

    Readers = Callable[[Cluster], AbstractAsyncContextManager[Reader]]


@asynccontextmanager
async def in_process(cluster: Cluster) -> AsyncGenerator[Reader]:
    yield SimulatedReader(lambda: cluster)


@asynccontextmanager
async def over_http(cluster: Cluster) -> AsyncGenerator[Reader]:
    app = ClusterOverHttp()
    app.cluster = cluster
    reader = ClusterReader(httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://cluster"), lambda: 0.0)
    yield reader
    await reader.aclose()


@pytest.mark.parametrize("reader", [in_process, over_http])
async def test_a_reader_tells_what_there_is_in_its_namespace_and_what_is_not(reader: Readers) -> None:
    cluster = MemoryCluster([LITELLM_BUDGET.crd()], clock=VirtualClock().now)
    for namespace in ("ai", "other"):
        await cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
        metadata = {"name": "one", "namespace": namespace}
        await cluster.create({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": {"of": namespace}})
        spec = {"instanceRef": {"name": "gw"}}
        await cluster.create(
            {"apiVersion": "litellm.palena.ai/v1alpha1", "kind": "LiteLLMBudget", "metadata": metadata, "spec": spec}
        )
    async with reader(cluster) as made:
        secret = await made.secret("ai", "one")
        assert secret is not None
        assert secret["data"] == {"of": "YWk="}
        assert await made.secret("ai", "two") is None
        budget = await made.get(LITELLM_BUDGET.resource, "ai", "one")
        assert budget is not None
        assert await made.list(LITELLM_BUDGET.resource, "ai") == [budget]
        assert await made.list(LITELLM_BUDGET.resource, "nowhere") == []
        with pytest.raises(AssertionError, match="none of ours"):
            await made.list(DEPLOYMENT, "ai")


@pytest.mark.parametrize("reader", [in_process, over_http])
async def test_a_kind_that_is_not_served_cannot_be_listed(reader: Readers) -> None:
    async with reader(MemoryCluster([], clock=VirtualClock().now)) as made:
        with pytest.raises(ReadFailed, match="litellmbudgets cannot be listed"):
            await made.list(LITELLM_BUDGET.resource, "ai")


async def test_the_demos_cluster_gives_no_answer_before_a_play_has_one() -> None:
    reader = ClusterReader(
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=ClusterOverHttp()), base_url="http://cluster"), lambda: 0.0
    )
    with pytest.raises(ReadFailed, match="answered 503"):
        await reader.secret("ai", "one")
    await reader.aclose()
