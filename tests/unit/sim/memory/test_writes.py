"""What a write moves, and what it leaves alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.sim.cluster import AlreadyExists, ApiError, Conflict, Forbidden, Invalid, NotFound
from tests.unit.sim.memory.objects import (
    CONFIG_MAP,
    DEPLOYMENT,
    NAMESPACES,
    SAMPLE,
    config_map,
    deployment,
    item,
    sample,
)

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.memory import MemoryCluster
    from tests.unit.sim.memory.conftest import Clock


def version(stored: Object) -> str:
    return stored["metadata"]["resourceVersion"]


async def test_a_new_object_gets_its_identity_from_the_server(cluster: MemoryCluster) -> None:
    claimed = {
        "uid": "mine",
        "creationTimestamp": "1999-01-01T00:00:00Z",
        "generation": 9,
        "deletionTimestamp": "1999-01-01T00:00:00Z",
    }
    stored = await cluster.create(sample(**claimed))
    assert stored["metadata"]["uid"] != "mine"
    assert stored["metadata"]["creationTimestamp"] == "2030-01-01T00:00:00Z"
    assert stored["metadata"]["generation"] == 1
    assert "deletionTimestamp" not in stored["metadata"]


async def test_versions_are_counted_over_the_whole_cluster(cluster: MemoryCluster) -> None:
    first, second = await cluster.create(sample()), await cluster.create(config_map())
    assert int(version(second)) == int(version(first)) + 1


async def test_what_is_handed_out_is_a_copy(cluster: MemoryCluster) -> None:
    stored = await cluster.create(config_map(data={"a": "1"}))
    stored["data"]["a"] = "2"
    assert (await cluster.get(CONFIG_MAP, "alpha", "c"))["data"] == {"a": "1"}


async def test_a_write_that_changes_nothing_moves_nothing_and_tells_nobody(cluster: MemoryCluster, clock: Clock) -> None:
    stored = await cluster.create(sample(spec={"replicas": 3}))
    cluster.watch([SAMPLE])
    clock.advance(60)
    assert await cluster.update({**stored, "spec": {**stored["spec"], "replicas": 3.0, "unheard_of": 1}}) == stored
    assert await cluster.changes() == []


@pytest.mark.parametrize(
    ("change", "moves", "why"),
    [
        pytest.param({"spec": {"replicas": 5}}, 1, "the spec is what a generation counts", id="spec"),
        pytest.param({"metadata": {"labels": {"a": "b"}}}, 0, "labels are no part of the spec", id="label"),
        pytest.param({"metadata": {"annotations": {"a": "b"}}}, 0, "nor are annotations", id="annotation"),
        pytest.param({"status": {"phase": "Up"}}, 0, "a write of the object leaves its status alone", id="status"),
    ],
)
async def test_the_generation_of_a_custom_resource(cluster: MemoryCluster, change: Object, moves: int, why: str) -> None:
    await cluster.create(sample())
    patched = await cluster.merge_patch(SAMPLE, "alpha", "s", change)
    assert patched["metadata"]["generation"] == 1 + moves, why


async def test_an_annotation_of_a_deployment_moves_its_generation_and_a_label_does_not(cluster: MemoryCluster) -> None:
    await cluster.create(deployment())
    labelled = await cluster.merge_patch(DEPLOYMENT, "alpha", "d", {"metadata": {"labels": {"a": "b"}}})
    assert labelled["metadata"]["generation"] == 1
    annotated = await cluster.merge_patch(DEPLOYMENT, "alpha", "d", {"metadata": {"annotations": {"a": "b"}}})
    assert annotated["metadata"]["generation"] == 2


async def test_a_config_map_has_no_generation(cluster: MemoryCluster) -> None:
    assert "generation" not in (await cluster.create(config_map()))["metadata"]


async def test_a_status_write_changes_the_status_alone(cluster: MemoryCluster) -> None:
    stored = await cluster.create(sample())
    told = await cluster.update({**stored, "spec": {"name": "other"}, "status": {"phase": "Up"}}, subresource="status")
    assert (told["spec"], told["status"], told["metadata"]["generation"]) == ({"name": "abc"}, {"phase": "Up"}, 1)
    kept = await cluster.update({**told, "spec": {"name": "other"}, "status": {"phase": "Down"}})
    assert (kept["spec"], kept["status"]) == ({"name": "other"}, {"phase": "Up"})


async def test_a_status_outside_the_schema_is_pruned_and_one_against_it_refused(cluster: MemoryCluster) -> None:
    await cluster.create(sample())
    told = await cluster.merge_patch(SAMPLE, "alpha", "s", {"status": {"phase": "Up", "mood": "fine"}}, subresource="status")
    assert told["status"] == {"phase": "Up"}
    with pytest.raises(Invalid, match=r'status.phase: Unsupported value: "Sideways"'):
        await cluster.merge_patch(SAMPLE, "alpha", "s", {"status": {"phase": "Sideways"}}, subresource="status")


async def test_a_kind_without_status_subresource_has_none_to_write(cluster: MemoryCluster) -> None:
    await cluster.create(config_map())
    with pytest.raises(NotFound):
        await cluster.merge_patch(CONFIG_MAP, "alpha", "c", {"status": {}}, subresource="status")


async def test_a_write_from_an_outdated_read_conflicts(cluster: MemoryCluster) -> None:
    old = await cluster.create(config_map(data={"a": "1"}))
    await cluster.update({**old, "data": {"a": "2"}})
    with pytest.raises(
        Conflict, match=r"the object has been modified; please apply your changes to the latest version and try again"
    ):
        await cluster.update({**old, "data": {"a": "3"}})


async def test_an_update_of_a_custom_resource_must_say_what_it_replaces(cluster: MemoryCluster) -> None:
    await cluster.create(sample())
    with pytest.raises(Invalid, match=r"metadata.resourceVersion: Invalid value: 0: must be specified for an update"):
        await cluster.update(sample(spec={"replicas": 1}))


async def test_an_update_bound_to_another_uid_conflicts(cluster: MemoryCluster) -> None:
    await cluster.create(config_map())
    with pytest.raises(Conflict, match=r"UID in precondition: another"):
        await cluster.update(config_map(uid="another"))


async def test_a_name_can_be_taken_only_once(cluster: MemoryCluster) -> None:
    await cluster.create(config_map())
    with pytest.raises(AlreadyExists, match=r'^configmaps "c" already exists$'):
        await cluster.create(config_map())


@pytest.mark.parametrize(
    ("thing", "error", "text"),
    [
        pytest.param(config_map(resourceVersion="1"), ApiError, "resourceVersion should not be set", id="with-a-version"),
        pytest.param(config_map(namespace="nowhere"), NotFound, 'namespaces "nowhere" not found', id="no-such-namespace"),
        pytest.param(config_map(namespace=""), Invalid, "an empty namespace may not be set", id="no-namespace"),
        pytest.param(config_map(labels={"a": 1}), Invalid, "cannot unmarshal number into Go struct field", id="label-no-string"),
        pytest.param(item(NAMESPACES, "Not_A_Name"), Invalid, "not allowed on this type", id="namespaced-namespace"),
    ],
)
async def test_what_cannot_be_created(cluster: MemoryCluster, thing: Object, error: type[ApiError], text: str) -> None:
    with pytest.raises(error, match=text):
        await cluster.create(thing)


async def test_nothing_is_created_in_a_namespace_that_is_going(cluster: MemoryCluster) -> None:
    await cluster.delete(NAMESPACES, "", "alpha")
    with pytest.raises(Forbidden, match=r"unable to create new content in namespace alpha because it is being terminated"):
        await cluster.create(config_map())


async def test_a_null_is_an_absent_field_of_a_built_in_kind_and_an_empty_text_in_its_maps(cluster: MemoryCluster) -> None:
    stored = await cluster.create({**config_map(), "data": {"a": None}, "binaryData": None})
    assert stored["data"] == {"a": ""}
    assert "binaryData" not in stored


async def test_a_merge_patch_merges_maps_replaces_lists_and_removes_by_null(cluster: MemoryCluster) -> None:
    await cluster.create(sample(spec={"tags": ["a", "b"], "labels": {"a": "1", "b": "2"}}))
    patch: Object = {"spec": {"tags": ["c"], "labels": {"a": None, "c": "3"}}}
    assert (await cluster.merge_patch(SAMPLE, "alpha", "s", patch))["spec"] == {
        "name": "abc",
        "tags": ["c"],
        "labels": {"b": "2", "c": "3"},
    }


async def test_each_client_hears_what_it_watches_from_then_on(cluster: MemoryCluster) -> None:
    await cluster.create(config_map("before"))
    other = cluster.client("other")
    cluster.watch([CONFIG_MAP])
    await other.create(config_map("after"))
    await other.create(sample())
    assert [(change.type, change.item["metadata"]["name"]) for change in await cluster.changes()] == [("ADDED", "after")]
    assert await cluster.changes() == []
    assert await other.changes() == []
