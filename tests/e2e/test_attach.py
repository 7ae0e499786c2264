"""Attaching to a proxy that somebody else runs: the truth in status, and nothing touched in the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.objects import Resource
from tests.e2e.objects import condition, deployment, instance, master_key, own_writes, ready, service, stateful_set
from tests.e2e.stage import scenario
from tests.e2e.world import INSTANCE, SECRET

if TYPE_CHECKING:
    from tests.e2e.world import World

DEPLOYMENT = Resource("apps/v1", "Deployment", "deployments")


@scenario
async def test_a_proxy_that_answers_makes_the_instance_ready_and_only_its_status_is_written(world: World) -> None:
    await world.create(master_key())
    await world.create(instance("gateway", world.proxy.url))
    await world.settle()
    gateway = await world.get(INSTANCE, "gateway")
    assert ready(gateway) == ("True", "ProxyReachable")
    assert condition(gateway, "MasterKeyAccepted")["status"] == "True"
    assert gateway["status"]["endpoint"] == world.proxy.url
    assert gateway["status"]["observedGeneration"] == gateway["metadata"]["generation"] == 1
    assert "version" not in gateway["status"] or gateway["status"]["version"] == ""
    assert {item["kind"] for item in await world.objects()} == {"LiteLLMInstance", "Secret"}
    assert await world.written() == own_writes("gateway")


@scenario
async def test_a_proxy_that_discloses_its_version_shows_it(world: World) -> None:
    world.proxy.fake.public_details = True
    await world.create(master_key())
    await world.create(instance("gateway", world.proxy.url))
    await world.settle()
    assert (await world.get(INSTANCE, "gateway"))["status"]["version"] == world.proxy.fake.version


@scenario
async def test_a_foreign_deployment_of_the_same_name_stays_byte_identical_ready_or_not(world: World) -> None:
    """A name in common is no relation: the workload neither makes the instance ready nor is touched by it."""
    await world.create(deployment("complete"))
    await world.create(deployment("incomplete", replicas=1))
    await world.settle()
    before = [await world.get(DEPLOYMENT, name) for name in ("complete", "incomplete")]
    world.proxy.stop()
    await world.create(master_key())
    for name in ("complete", "incomplete"):
        await world.create(instance(name, world.proxy.url))
    await world.settle()
    for name in ("complete", "incomplete"):
        assert ready(await world.get(INSTANCE, name)) == ("False", "ProxyNotReachable")
    assert [await world.get(DEPLOYMENT, name) for name in ("complete", "incomplete")] == before
    assert await world.written() == own_writes("complete", "incomplete")


@scenario
async def test_it_makes_no_difference_what_runs_the_proxy(world: World) -> None:
    """A StatefulSet of the same name, a Service of the same name, neither: only the endpoint counts."""
    await world.create(master_key())
    await world.create(stateful_set("stateful"))
    await world.create(service("served"))
    names = ("stateful", "served", "elsewhere")
    for name in names:
        await world.create(instance(name, f"{world.proxy.url}/"))
    await world.settle()
    said = [(await world.get(INSTANCE, name))["status"] for name in names]
    for status in said:
        assert status["endpoint"] == world.proxy.url
        assert [(one["type"], one["status"], one["reason"], one["message"]) for one in status["conditions"]] == [
            (one["type"], one["status"], one["reason"], one["message"]) for one in said[0]["conditions"]
        ]
    assert await world.written() == own_writes(*names)


@scenario
async def test_without_an_endpoint_the_service_of_the_instances_name_is_asked(world: World) -> None:
    """There is no cluster network here, so it is not reached; what counts is where it was looked for."""
    await world.create(master_key())
    await world.create(instance("gateway"))
    await world.settle()
    gateway = await world.get(INSTANCE, "gateway")
    assert gateway["status"]["endpoint"] == f"http://gateway.{world.namespace}.svc:4000"
    assert ready(gateway) == ("False", "ProxyNotReachable")


@scenario
async def test_settings_copied_from_a_managed_instance_are_named_as_ignored(world: World) -> None:
    await world.create(master_key())
    await world.create(
        instance("copied", world.proxy.url, caching={"enabled": True, "type": "local"}, routerSettings={"numRetries": 3})
    )
    await world.settle()
    said = condition(await world.get(INSTANCE, "copied"), "WorkloadUnmanaged")
    assert said["reason"] == "ConfigSettingsIgnored"
    told = (
        "spec.caching and spec.routerSettings are ignored while workload.managed is false; the proxy owns its own configuration"
    )
    assert said["message"].startswith(told)


@scenario
async def test_a_missing_master_key_is_named_and_its_arrival_is_noticed(world: World) -> None:
    await world.create(instance("gateway", world.proxy.url))
    await world.settle()
    gateway = await world.get(INSTANCE, "gateway")
    assert ready(gateway) == ("False", "ProxyNotReachable")
    assert condition(gateway, "Ready")["message"].startswith("master key unavailable")
    assert "litellm-master-key" in condition(gateway, "Ready")["message"]
    assert condition(gateway, "MasterKeyAccepted")["reason"] == "MasterKeyMissing"
    await world.create(master_key())
    await world.settle()
    assert ready(await world.get(INSTANCE, "gateway")) == ("True", "ProxyReachable")


@scenario
async def test_a_wrong_master_key_is_told_apart_from_an_unreachable_proxy(world: World) -> None:
    await world.create(master_key("sk-wrong"))
    await world.create(instance("gateway", world.proxy.url))
    await world.settle()
    gateway = await world.get(INSTANCE, "gateway")
    assert ready(gateway) == ("True", "ProxyReachable")
    assert condition(gateway, "MasterKeyAccepted")["reason"] == "MasterKeyRejected"


@scenario
async def test_a_proxy_that_comes_up_later_is_noticed(world: World) -> None:
    world.proxy.stop()
    await world.create(master_key())
    await world.create(instance("gateway", world.proxy.url))
    await world.settle()
    assert ready(await world.get(INSTANCE, "gateway")) == ("False", "ProxyNotReachable")
    world.proxy.start()

    async def up() -> bool:
        return ready(await world.get(INSTANCE, "gateway")) == ("True", "ProxyReachable")

    await world.until(up)


@scenario
async def test_a_deleted_instance_is_gone_and_leaves_what_is_not_its_own(world: World) -> None:
    await world.create(master_key())
    await world.create(deployment("gateway"))
    await world.create(instance("gateway", world.proxy.url))
    await world.settle()
    await world.delete(INSTANCE, "gateway")
    await world.settle()
    assert not await world.exists(INSTANCE, "gateway")
    assert await world.exists(DEPLOYMENT, "gateway")
    assert await world.exists(SECRET, "litellm-master-key")
