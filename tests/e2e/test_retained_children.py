"""An attached instance with the children of a managed past in the cluster. The flip itself: ``test_managed_gateway.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.objects import CONTROLLER_UID, Resource
from app.sim.loop import Strategy
from tests.e2e.objects import (
    condition,
    config_map,
    deployment,
    instance,
    managed_before,
    master_key,
    ready,
    secret,
    service,
)
from tests.e2e.stage import scenario
from tests.e2e.world import INSTANCE, SECRET

if TYPE_CHECKING:
    from tests.e2e.world import World

CONFIG_MAP = Resource("v1", "ConfigMap", "configmaps")
DEPLOYMENT = Resource("apps/v1", "Deployment", "deployments")
CHILDREN = ("Deployment/gateway", "Service/gateway", "ConfigMap/gateway-config", "Secret/gateway-salt")


async def managed_gateway(world: World) -> None:
    """A gateway that was managed by an earlier installation, with its children."""
    await world.create(master_key())
    owner = await world.create(instance("gateway", world.proxy.url))
    of_old = (deployment("gateway"), service("gateway"), config_map("gateway-config"), secret("gateway-salt"))
    await managed_before(world, owner, *of_old)
    await world.settle()
    assert set(await children(world)) == set(CHILDREN)


async def children(world: World) -> dict[str, str]:
    """The resourceVersions of the children that are there."""
    return {name: version for name, version in (await world.versions()).items() if name in CHILDREN}


@scenario
async def test_every_child_is_kept_and_named(world: World) -> None:
    await managed_gateway(world)
    before = await children(world)
    gateway = await world.get(INSTANCE, "gateway")
    assert ready(gateway) == ("True", "ProxyReachable")
    retained = condition(gateway, "ChildrenRetained")
    assert (retained["status"], retained["reason"]) == ("True", "ManagedBefore")
    assert all(name.partition("/")[2] in retained["message"] for name in CHILDREN)
    assert await children(world) == before
    assert not any(write.startswith("delete") for write in await world.written())


@scenario
async def test_twenty_resyncs_at_rest_write_nothing(world: World) -> None:
    """With children to retain, ready, unreachable and without a key: each has said all there is to say."""
    await managed_gateway(world)
    await world.create(instance("ready", world.proxy.url))
    await world.create(instance("unreachable"))
    await world.create(instance("keyless", world.proxy.url, masterKey={"secretRef": {"name": "absent", "key": "key"}}))
    await world.settle()
    before = await world.versions()
    await world.resyncs(20)
    assert await world.versions() == before


@scenario
async def test_an_edit_of_a_retained_child_is_undone_and_an_addition_stays(world: World) -> None:
    """Under server-side apply whoever edits a field owns it from then on, so there the edit stays as well."""
    await managed_gateway(world)
    edit = {"proxy_server_config.yaml": "edited", "theirs.yaml": "kept"}
    await world.patch(CONFIG_MAP, "gateway-config", {"data": edit})
    await world.settle()
    kept = edit["proxy_server_config.yaml"] if world.strategy is Strategy.SERVER_SIDE_APPLY else "{}"
    assert (await world.get(CONFIG_MAP, "gateway-config"))["data"] == {**edit, "proxy_server_config.yaml": kept}


@scenario
async def test_a_child_that_loses_its_label_is_handed_over(world: World) -> None:
    """Afterwards it belongs to whoever took it: edits stay, and the instance's deletion does not reach it."""
    await managed_gateway(world)
    await world.patch(DEPLOYMENT, "gateway", {"metadata": {"labels": {CONTROLLER_UID: None}}})
    await world.settle()
    await world.patch(DEPLOYMENT, "gateway", {"spec": {"minReadySeconds": 5}})
    await world.settle()
    taken = await world.get(DEPLOYMENT, "gateway")
    assert "ownerReferences" not in taken["metadata"]
    assert taken["spec"]["minReadySeconds"] == 5
    assert "Deployment" not in condition(await world.get(INSTANCE, "gateway"), "ChildrenRetained")["message"]
    await world.delete(INSTANCE, "gateway")

    async def collected() -> bool:
        return not await world.exists(INSTANCE, "gateway") and not await world.exists(CONFIG_MAP, "gateway-config")

    await world.until(collected)
    assert await world.exists(DEPLOYMENT, "gateway")


@scenario
async def test_a_retained_child_that_is_deleted_by_hand_stays_deleted(world: World) -> None:
    await managed_gateway(world)
    await world.delete(SECRET, "gateway-salt")
    await world.settle()
    assert not await world.exists(SECRET, "gateway-salt")
    assert "gateway-salt" not in condition(await world.get(INSTANCE, "gateway"), "ChildrenRetained")["message"]


@scenario
async def test_deleting_the_instance_ends_and_takes_what_was_not_handed_over(world: World) -> None:
    await managed_gateway(world)
    await world.delete(INSTANCE, "gateway")

    async def gone() -> bool:
        return not await world.exists(INSTANCE, "gateway") and not await children(world)

    await world.until(gone)
    assert await world.exists(SECRET, "litellm-master-key")


@scenario
async def test_a_dead_proxy_never_deletes_a_child(world: World) -> None:
    world.proxy.stop()
    await managed_gateway(world)
    before = await children(world)
    assert ready(await world.get(INSTANCE, "gateway")) == ("False", "ProxyNotReachable")
    assert await children(world) == before


@scenario
async def test_a_labelled_object_that_nobody_owns_is_adopted_and_keeps_its_content(world: World) -> None:
    """Nothing was ever applied to it, so nothing is taken from it; from then on it goes with the instance."""
    await world.create(master_key())
    owner = await world.create(instance("gateway", world.proxy.url))
    orphan = config_map("gateway-config")
    orphan["metadata"]["labels"] = {CONTROLLER_UID: owner["metadata"]["uid"]}
    await world.create(orphan)
    await world.settle()
    adopted = await world.get(CONFIG_MAP, "gateway-config")
    assert adopted["data"] == orphan["data"]
    assert [reference["name"] for reference in adopted["metadata"]["ownerReferences"]] == ["gateway"]
    assert "gateway-config" in condition(await world.get(INSTANCE, "gateway"), "ChildrenRetained")["message"]


@scenario
async def test_a_foreign_object_among_retained_children_stays_foreign(world: World) -> None:
    await world.create({**config_map("gateway-config"), "data": {"owner": "somebody else"}})
    await world.create(master_key())
    owner = await world.create(instance("gateway", world.proxy.url))
    await managed_before(world, owner, deployment("gateway"))
    await world.settle()
    foreign = await world.get(CONFIG_MAP, "gateway-config")
    assert foreign["data"] == {"owner": "somebody else"}
    assert "ownerReferences" not in foreign["metadata"]
    assert "gateway-config" not in condition(await world.get(INSTANCE, "gateway"), "ChildrenRetained")["message"]
