"""What the control loop relies on holds for the in-memory cluster and for a real API server alike."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from app.hooks.objects import Object, Resource, object_key
from app.resources.kinds import CONFIG_MAP, CONTROLLER_REVISION
from app.sim.cluster import AlreadyExists, ChangeType, Cluster, Conflict, Invalid, NotFound, Propagation
from app.sim.cluster_kube import KubeCluster
from app.sim.memory import MemoryCluster
from tests.e2e.controlplane.plane import USER, ControlPlane
from tests.e2e.toys import GADGET, WIDGET, toy_crds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture(params=["memory", "api server"])
async def cluster(request: pytest.FixtureRequest) -> AsyncIterator[Cluster]:
    if request.param == "memory":
        yield MemoryCluster(toy_crds(), clock=lambda: datetime.now(UTC))
        return
    plane: ControlPlane = request.getfixturevalue("plane")
    async with KubeCluster.from_kubeconfig(plane.kubeconfig(USER)) as connection:
        yield connection


@pytest.fixture
async def namespace(cluster: Cluster) -> str:
    name = f"contract-{uuid4().hex[:8]}"
    await cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    return name


def widget(namespace: str, name: str = "w", **spec: object) -> Object:
    return {
        "apiVersion": WIDGET.api_version,
        "kind": WIDGET.kind,
        "metadata": {"name": name, "namespace": namespace},
        "spec": spec,
    }


def config_map(namespace: str, name: str = "settings", **data: str) -> Object:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}, "data": data}


COLLECTED_SECONDS = 60
"""The garbage collector looks for new kinds every 30 seconds and knows no dependents while it does."""


async def appears(cluster: Cluster, change: ChangeType, key: str, seconds: float = 10) -> Object:
    """The object of the first reported change of that type and of that ``namespace/name``, within that time."""
    async with asyncio.timeout(seconds):
        while True:
            for one in await cluster.changes():
                if one.type is change and object_key(one.item) == key:
                    return one.item
            await asyncio.sleep(0.02)


async def test_a_kind_is_found_by_its_plural_and_by_its_name(cluster: Cluster) -> None:
    assert await cluster.resource("apps/v1", "deployments") == Resource("apps/v1", "Deployment", "deployments")
    assert await cluster.resource_of("v1", "Namespace") == Resource("v1", "Namespace", "namespaces", namespaced=False)
    assert await cluster.resource_of(WIDGET.api_version, "Widget") == WIDGET


async def test_a_kind_that_is_not_served_is_not_found(cluster: Cluster) -> None:
    with pytest.raises(NotFound):
        await cluster.resource("toy.example.com/v1", "nothings")
    with pytest.raises(NotFound):
        await cluster.resource_of("absent.example.com/v1", "Nothing")


async def test_a_new_object_is_defaulted_pruned_and_numbered(cluster: Cluster, namespace: str) -> None:
    created = await cluster.create({**widget(namespace, size=3, unheard_of=True), "status": {"phase": "Done"}})
    assert created["spec"] == {"size": 3, "colour": "grey"}
    assert created["metadata"]["generation"] == 1
    assert "status" not in created
    assert created == await cluster.get(WIDGET, namespace, "w")
    assert created in await cluster.list(WIDGET, namespace)


async def test_an_explicit_null_becomes_the_default(cluster: Cluster, namespace: str) -> None:
    created = await cluster.create(widget(namespace, size=None, colour=None))
    assert created["spec"] == {"size": 1, "colour": "grey"}


async def test_a_name_can_be_taken_only_once(cluster: Cluster, namespace: str) -> None:
    await cluster.create(config_map(namespace))
    with pytest.raises(AlreadyExists, match='configmaps "settings" already exists'):
        await cluster.create(config_map(namespace))


async def test_an_object_that_breaks_its_schema_is_refused_in_the_servers_words(cluster: Cluster, namespace: str) -> None:
    with pytest.raises(Invalid) as refused:
        await cluster.create(widget(namespace, size=-1))
    told = "spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0"
    assert refused.value.message == f'Widget.toy.example.com "w" is invalid: {told}'


async def test_a_spec_edit_moves_the_generation_and_a_status_edit_does_not(cluster: Cluster, namespace: str) -> None:
    created = await cluster.create(widget(namespace))
    edited = await cluster.update({**created, "spec": {**created["spec"], "note": "hello"}})
    assert edited["metadata"]["generation"] == 2
    told = await cluster.update({**edited, "status": {"phase": "Done"}, "spec": {}}, subresource="status")
    assert told["metadata"]["generation"] == 2
    assert told["status"] == {"phase": "Done"}
    assert told["spec"]["note"] == "hello"


async def test_a_write_that_changes_nothing_moves_no_version(cluster: Cluster, namespace: str) -> None:
    created = await cluster.create(config_map(namespace, mode="fast"))
    same = await cluster.update(created)
    assert same["metadata"]["resourceVersion"] == created["metadata"]["resourceVersion"]


async def test_a_write_from_an_outdated_read_conflicts(cluster: Cluster, namespace: str) -> None:
    created = await cluster.create(config_map(namespace, mode="fast"))
    await cluster.update({**created, "data": {"mode": "slow"}})
    with pytest.raises(Conflict, match="the object has been modified"):
        await cluster.update({**created, "data": {"mode": "faster"}})


async def test_a_merge_patch_removes_by_null(cluster: Cluster, namespace: str) -> None:
    await cluster.create(config_map(namespace, mode="fast", level="1"))
    patched = await cluster.merge_patch(CONFIG_MAP, namespace, "settings", {"data": {"mode": None, "size": "2"}})
    assert patched["data"] == {"level": "1", "size": "2"}


async def test_a_revision_can_be_labelled_however_its_data_was_written(cluster: Cluster, namespace: str) -> None:
    """Its data is immutable, and the server compares it as text: whoever creates it has to write as Go does."""
    metadata = {"name": "kept", "namespace": namespace}
    data = {"b": "a<b & c>d", "a": {"d": 1, "c": [2]}}
    await cluster.create(
        {"apiVersion": "apps/v1", "kind": "ControllerRevision", "metadata": metadata, "revision": 1, "data": data}
    )
    labels = {"metadata": {"labels": {"app": "gw"}}}
    labelled = await cluster.merge_patch(CONTROLLER_REVISION, namespace, "kept", labels)
    assert labelled["metadata"]["labels"] == {"app": "gw"}
    assert labelled["data"] == data


async def test_server_side_apply_removes_what_its_manager_no_longer_applies(cluster: Cluster, namespace: str) -> None:
    await cluster.apply(config_map(namespace, ours="1", gone="1"), manager="us")
    await cluster.merge_patch(CONFIG_MAP, namespace, "settings", {"data": {"theirs": "1"}})
    applied = await cluster.apply(config_map(namespace, ours="2"), manager="us")
    assert applied["data"] == {"ours": "2", "theirs": "1"}


async def test_server_side_apply_without_force_stops_at_anothers_field(cluster: Cluster, namespace: str) -> None:
    await cluster.apply(config_map(namespace, mode="fast"), manager="them")
    with pytest.raises(Conflict, match=r'conflict with "them".*data\.mode'):
        await cluster.apply(config_map(namespace, mode="slow"), manager="us", force=False)


async def test_a_dry_run_shows_the_result_and_stores_nothing(cluster: Cluster, namespace: str) -> None:
    await cluster.apply(config_map(namespace, mode="fast"), manager="us")
    shown = await cluster.apply(config_map(namespace, mode="slow"), manager="us", dry_run=True)
    assert shown["data"] == {"mode": "slow"}
    assert (await cluster.get(CONFIG_MAP, namespace, "settings"))["data"] == {"mode": "fast"}


async def test_a_deletion_bound_to_another_uid_is_refused(cluster: Cluster, namespace: str) -> None:
    created = await cluster.create(config_map(namespace))
    with pytest.raises(Conflict):
        await cluster.delete(CONFIG_MAP, namespace, "settings", uid=str(uuid4()))
    await cluster.delete(CONFIG_MAP, namespace, "settings", uid=created["metadata"]["uid"])
    with pytest.raises(NotFound, match='configmaps "settings" not found'):
        await cluster.get(CONFIG_MAP, namespace, "settings")


async def test_a_finalizer_holds_a_deleted_object(cluster: Cluster, namespace: str) -> None:
    held = widget(namespace)
    held["metadata"]["finalizers"] = ["toy.example.com/hold"]
    await cluster.create(held)
    await cluster.delete(WIDGET, namespace, "w")
    terminating = await cluster.get(WIDGET, namespace, "w")
    assert "deletionTimestamp" in terminating["metadata"]
    assert terminating["metadata"]["generation"] == 2
    await cluster.merge_patch(WIDGET, namespace, "w", {"metadata": {"finalizers": None}})
    with pytest.raises(NotFound):
        await cluster.get(WIDGET, namespace, "w")


async def test_a_watcher_sees_what_comes_what_changes_and_what_goes(cluster: Cluster, namespace: str) -> None:
    cluster.watch([WIDGET, CONFIG_MAP])
    created = await cluster.create(config_map(namespace, mode="fast"))
    assert await appears(cluster, ChangeType.ADDED, f"{namespace}/settings") == created
    edited = await cluster.update({**created, "data": {"mode": "slow"}})
    assert await appears(cluster, ChangeType.MODIFIED, f"{namespace}/settings") == edited
    await cluster.delete(CONFIG_MAP, namespace, "settings")
    gone = await appears(cluster, ChangeType.DELETED, f"{namespace}/settings")
    assert gone["metadata"]["uid"] == created["metadata"]["uid"]


@pytest.mark.parametrize("propagation", [Propagation.BACKGROUND, Propagation.FOREGROUND])
async def test_what_an_owner_owned_goes_with_it(cluster: Cluster, namespace: str, propagation: Propagation) -> None:
    cluster.watch([WIDGET, GADGET])
    owner = await cluster.create(widget(namespace))
    reference = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": "w", "uid": owner["metadata"]["uid"]}
    metadata = {"name": "g", "namespace": namespace, "ownerReferences": [{**reference, "blockOwnerDeletion": True}]}
    await cluster.create({"apiVersion": GADGET.api_version, "kind": GADGET.kind, "metadata": metadata})
    await cluster.delete(WIDGET, namespace, "w", propagation=propagation)
    await appears(cluster, ChangeType.DELETED, f"{namespace}/g", COLLECTED_SECONDS)


async def test_an_orphaned_object_stays_without_its_owner(cluster: Cluster, namespace: str) -> None:
    cluster.watch([WIDGET])
    owner = await cluster.create(widget(namespace))
    reference = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": "w", "uid": owner["metadata"]["uid"]}
    metadata = {"name": "g", "namespace": namespace, "ownerReferences": [reference]}
    await cluster.create({"apiVersion": GADGET.api_version, "kind": GADGET.kind, "metadata": metadata})
    await cluster.delete(WIDGET, namespace, "w", propagation=Propagation.ORPHAN)
    await appears(cluster, ChangeType.DELETED, f"{namespace}/w", COLLECTED_SECONDS)
    assert "ownerReferences" not in (await cluster.get(GADGET, namespace, "g"))["metadata"]
