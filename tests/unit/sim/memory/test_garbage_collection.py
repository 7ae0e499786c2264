"""What becomes of objects whose owners go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.sim.cluster import ChangeType, NotFound, Propagation
from tests.unit.sim.memory.objects import CONFIG_MAP, NAMESPACES, SAMPLE, config_map, item, owner, sample

if TYPE_CHECKING:
    from app.sim.memory import MemoryCluster


async def names(cluster: MemoryCluster) -> list[str]:
    await cluster.settle()
    return sorted(one["metadata"]["name"] for one in await cluster.list(CONFIG_MAP))


async def test_an_object_goes_with_its_owner_and_its_own_go_after_it(cluster: MemoryCluster) -> None:
    first = await cluster.create(sample())
    second = await cluster.create(config_map("second", ownerReferences=[owner(first, controller=True)]))
    await cluster.create(config_map("third", ownerReferences=[owner(second)]))
    await cluster.delete(SAMPLE, "alpha", "s")
    assert await names(cluster) == []


async def test_a_watcher_learns_of_the_owner_before_it_learns_of_the_dependent(cluster: MemoryCluster) -> None:
    first = await cluster.create(sample())
    await cluster.create(config_map(ownerReferences=[owner(first)]))
    cluster.watch([SAMPLE, CONFIG_MAP])
    await cluster.delete(SAMPLE, "alpha", "s")
    told = [[(change.type, change.item["kind"]) for change in await cluster.changes()] for _ in range(3)]
    assert told == [[(ChangeType.DELETED, "Sample")], [(ChangeType.DELETED, "ConfigMap")], []]


async def test_an_object_stays_while_one_owner_does_and_forgets_the_others(cluster: MemoryCluster) -> None:
    going, staying = await cluster.create(sample("going")), await cluster.create(sample("staying"))
    await cluster.create(config_map(ownerReferences=[owner(going), owner(staying)]))
    await cluster.delete(SAMPLE, "alpha", "going")
    assert await names(cluster) == ["c"]
    assert (await cluster.get(CONFIG_MAP, "alpha", "c"))["metadata"]["ownerReferences"] == [owner(staying)]


async def test_an_owner_made_anew_under_its_name_is_another_owner(cluster: MemoryCluster) -> None:
    first = await cluster.create(sample())
    await cluster.create(config_map(ownerReferences=[owner(first)]))
    await cluster.delete(SAMPLE, "alpha", "s")
    await cluster.create(sample())
    assert await names(cluster) == []


async def test_an_owner_in_another_namespace_counts_as_absent(cluster: MemoryCluster) -> None:
    await cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "beta"}})
    far = await cluster.create(item(SAMPLE, "far", {"spec": {"name": "abc"}}, namespace="beta"))
    await cluster.create(config_map(ownerReferences=[owner(far)]))
    assert await names(cluster) == []


async def test_a_cluster_scoped_owner_may_own_in_any_namespace(cluster: MemoryCluster) -> None:
    namespace = await cluster.get(NAMESPACES, "", "alpha")
    await cluster.create(config_map(ownerReferences=[owner(namespace)]))
    assert await names(cluster) == ["c"]


async def test_a_terminating_owner_still_owns(cluster: MemoryCluster) -> None:
    first = await cluster.create(sample(finalizers=["toy.example.com/hold"]))
    await cluster.create(config_map(ownerReferences=[owner(first)]))
    await cluster.delete(SAMPLE, "alpha", "s")
    assert await names(cluster) == ["c"]


async def test_in_a_foreground_deletion_the_owner_waits_for_what_blocks_it(cluster: MemoryCluster) -> None:
    first = await cluster.create(sample())
    held = owner(first, blockOwnerDeletion=True)
    await cluster.create(config_map("held", ownerReferences=[held], finalizers=["toy.example.com/hold"]))
    await cluster.create(config_map("free", ownerReferences=[held]))
    await cluster.delete(SAMPLE, "alpha", "s", propagation=Propagation.FOREGROUND)
    assert await names(cluster) == ["held"]
    assert (await cluster.get(SAMPLE, "alpha", "s"))["metadata"]["finalizers"] == ["foregroundDeletion"]
    await cluster.merge_patch(CONFIG_MAP, "alpha", "held", {"metadata": {"finalizers": None}})
    assert await names(cluster) == []
    with pytest.raises(NotFound):
        await cluster.get(SAMPLE, "alpha", "s")


async def test_orphans_stay_without_their_owner(cluster: MemoryCluster) -> None:
    first = await cluster.create(sample())
    await cluster.create(config_map(ownerReferences=[owner(first)]))
    await cluster.delete(SAMPLE, "alpha", "s", propagation=Propagation.ORPHAN)
    assert await names(cluster) == ["c"]
    assert "ownerReferences" not in (await cluster.get(CONFIG_MAP, "alpha", "c"))["metadata"]
    with pytest.raises(NotFound):
        await cluster.get(SAMPLE, "alpha", "s")
