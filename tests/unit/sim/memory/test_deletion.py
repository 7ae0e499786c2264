"""What a deletion does to the object itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.sim.cluster import AlreadyExists, ChangeType, Conflict, Invalid, NotFound
from tests.unit.sim.memory.objects import CONFIG_MAP, NAMESPACES, SAMPLE, config_map, sample

if TYPE_CHECKING:
    from app.sim.memory import MemoryCluster
    from tests.unit.sim.memory.conftest import Clock


async def test_an_object_that_nothing_holds_is_gone_at_once(cluster: MemoryCluster) -> None:
    stored = await cluster.create(config_map())
    cluster.watch([CONFIG_MAP])
    await cluster.delete(CONFIG_MAP, "alpha", "c")
    with pytest.raises(NotFound, match=r'^configmaps "c" not found$'):
        await cluster.get(CONFIG_MAP, "alpha", "c")
    (change,) = await cluster.changes()
    assert change.type is ChangeType.DELETED
    assert int(change.item["metadata"]["resourceVersion"]) > int(stored["metadata"]["resourceVersion"])


async def test_a_finalizer_holds_a_deleted_object_as_a_new_generation(cluster: MemoryCluster, clock: Clock) -> None:
    await cluster.create(sample(finalizers=["toy.example.com/hold"]))
    clock.advance(90)
    await cluster.delete(SAMPLE, "alpha", "s")
    metadata = (await cluster.get(SAMPLE, "alpha", "s"))["metadata"]
    assert (metadata["deletionTimestamp"], metadata["generation"]) == ("2030-01-01T00:01:30Z", 2)


async def test_a_second_deletion_changes_nothing(cluster: MemoryCluster, clock: Clock) -> None:
    await cluster.create(sample(finalizers=["toy.example.com/hold"]))
    await cluster.delete(SAMPLE, "alpha", "s")
    first = await cluster.get(SAMPLE, "alpha", "s")
    clock.advance(5)
    await cluster.delete(SAMPLE, "alpha", "s")
    assert await cluster.get(SAMPLE, "alpha", "s") == first


async def test_an_object_goes_with_its_last_finalizer(cluster: MemoryCluster) -> None:
    await cluster.create(sample(finalizers=["a.example.com/hold", "b.example.com/hold"]))
    await cluster.delete(SAMPLE, "alpha", "s")
    await cluster.merge_patch(SAMPLE, "alpha", "s", {"metadata": {"finalizers": ["b.example.com/hold"]}})
    await cluster.get(SAMPLE, "alpha", "s")
    await cluster.merge_patch(SAMPLE, "alpha", "s", {"metadata": {"finalizers": None}})
    with pytest.raises(NotFound):
        await cluster.get(SAMPLE, "alpha", "s")


async def test_a_terminating_object_gains_no_finalizer_and_keeps_its_name(cluster: MemoryCluster) -> None:
    await cluster.create(sample(finalizers=["a.example.com/hold"]))
    await cluster.delete(SAMPLE, "alpha", "s")
    with pytest.raises(Invalid, match=r'found new finalizers \[\]string\{"b.example.com/hold"\}'):
        await cluster.merge_patch(
            SAMPLE, "alpha", "s", {"metadata": {"finalizers": ["a.example.com/hold", "b.example.com/hold"]}}
        )
    with pytest.raises(AlreadyExists, match=r'^object is being deleted: samples.toy.example.com "s" already exists$'):
        await cluster.create(sample())


async def test_a_deletion_bound_to_another_uid_is_refused(cluster: MemoryCluster) -> None:
    stored = await cluster.create(config_map())
    with pytest.raises(Conflict, match=r"does not match the UID in record"):
        await cluster.delete(CONFIG_MAP, "alpha", "c", uid="another")
    await cluster.delete(CONFIG_MAP, "alpha", "c", uid=stored["metadata"]["uid"])


async def test_a_namespace_goes_once_its_content_has_gone(cluster: MemoryCluster) -> None:
    await cluster.create(config_map())
    await cluster.create(sample(finalizers=["toy.example.com/hold"]))
    await cluster.delete(NAMESPACES, "", "alpha")
    await cluster.settle()
    assert await cluster.list(CONFIG_MAP) == []
    assert (await cluster.get(NAMESPACES, "", "alpha"))["status"]["phase"] == "Terminating"
    await cluster.merge_patch(SAMPLE, "alpha", "s", {"metadata": {"finalizers": None}})
    await cluster.settle()
    with pytest.raises(NotFound):
        await cluster.get(NAMESPACES, "", "alpha")
