"""A managed gateway comes up in order, rests, is held to its spec, is flipped, and goes; with each driver and apply strategy.

Upgrades are in ``test_managed_upgrades.py``, names that others hold in ``test_managed_names.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.resources.kinds import CONFIG_MAP, DEPLOYMENT, INGRESS, NETWORK_POLICY, SECRET, SERVICE, STATEFUL_SET
from app.sim.cluster import Propagation
from tests.e2e.driven import until
from tests.e2e.gateway import CHILDREN
from tests.e2e.objects import b64, condition, ready
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.e2e.gateway import Gateway


async def test_a_gateway_comes_up_in_order_and_rests(gateway: Gateway) -> None:
    await gateway.begin()
    await gateway.told("DatabaseReady", "DatabaseStarting")

    async def database_is_made() -> bool:
        return await gateway.find(STATEFUL_SET, "gw-db") is not None

    await until(database_is_made, "the database is not made")
    await gateway.driver.resyncs(3, "gw")
    assert await gateway.jobs() == set()
    assert await gateway.find(DEPLOYMENT) is None
    await gateway.come_up()
    status = (await gateway.get(INSTANCE))["status"]
    assert condition({"status": status}, "DatabaseReady")["reason"] == "MigrationComplete"
    assert (status["ready"], status["replicas"], status["readyReplicas"], status["version"]) == (True, 1, 1, "v1.80.0")
    assert {item["kind"] for item in (await gateway.children()).values()} == {resource.kind for resource in CHILDREN}

    await gateway.rests(20)


async def test_what_the_pods_read_holds_them_until_it_is_there_and_rolls_them_when_it_changes(gateway: Gateway) -> None:
    extra = {"name": "EXTRA", "valueFrom": {"secretKeyRef": {"name": "extra", "key": "a"}}}
    await gateway.begin(database={}, extraEnvVars=[extra])
    await gateway.told("ReferencesResolved", "ReferenceMissing")
    await gateway.told("RolloutComplete", "Held")
    assert await gateway.find(DEPLOYMENT) is None
    await gateway.create(_secret("extra", "1"))
    await gateway.pods_fail("ImagePullBackOff")
    assert (await gateway.told("PodsHealthy", "ImagePullBackOff"))["status"] == "False"
    assert ready(await gateway.get(INSTANCE)) == ("False", "DeploymentNotReady")
    await gateway.come_up()

    running = (await gateway.get(DEPLOYMENT))["spec"]["template"]
    await gateway.user.delete(SECRET, gateway.namespace, "extra")
    await gateway.told("ReferencesResolved", "ReferenceMissing")
    await gateway.driver.resyncs(3, "gw")
    assert (await gateway.get(DEPLOYMENT))["spec"]["template"] == running, "pods are not rolled for what is gone"
    await gateway.create(_secret("extra", "2"))

    async def rolled() -> bool:
        return (await gateway.get(DEPLOYMENT))["spec"]["template"] != running

    await until(rolled, "new content of a Secret did not reach the pods")
    await gateway.come_up()


async def test_drift_is_repaired_and_what_is_switched_off_goes(gateway: Gateway) -> None:
    await gateway.begin()
    await gateway.come_up()
    config = await gateway.get(CONFIG_MAP, "gw-config")
    await gateway.patch(SERVICE, "gw", {"spec": {"selector": {"litellm.palena.ai/instance": "x"}}})
    await gateway.patch(CONFIG_MAP, "gw-config", {"data": dict.fromkeys(config["data"], "edited")})
    containers = (await gateway.get(DEPLOYMENT))["spec"]["template"]["spec"]["containers"]
    other = [{**one, "image": "example.com/other:v9"} for one in containers]
    await gateway.patch(DEPLOYMENT, "gw", {"spec": {"template": {"spec": {"containers": other}}}})
    await gateway.user.delete(NETWORK_POLICY, gateway.namespace, "gw")

    async def repaired() -> bool:
        return (
            (await gateway.get(SERVICE))["spec"]["selector"]["litellm.palena.ai/instance"] == "gw"
            and (await gateway.get(CONFIG_MAP, "gw-config"))["data"] == config["data"]
            and await gateway.image() == "v1.80.0"
            and await gateway.find(NETWORK_POLICY) is not None
        )

    await until(repaired, "somebody's edit, or deletion, stays")
    await gateway.come_up()

    before = set(await gateway.children())
    off: Any = dict.fromkeys(("ingress", "podDisruptionBudget", "security", "autoscaling", "observability"))
    await gateway.edit({**off, "security": {"networkPolicy": None}})
    gone = {
        "Ingress/gw",
        "PodDisruptionBudget/gw",
        "NetworkPolicy/gw",
        "HorizontalPodAutoscaler/gw",
        "ConfigMap/gw-grafana-dashboard",
    }

    async def went() -> bool:
        return set(await gateway.children()) == before - gone

    await until(went, "what is switched off stayed, or something else went with it")


async def test_a_flip_keeps_every_child_both_ways(gateway: Gateway) -> None:
    """Not one request about a child: the only writes are of the instance's own status."""
    await gateway.begin()
    await gateway.come_up()
    await gateway.create(_secret("mk", "sk-mine"))
    await gateway.driver.resyncs(3, "gw")
    before, written = _specs(await gateway.children()), len(gateway.attempts())
    reference: Any = {"secretRef": {"name": "mk", "key": "a"}}
    await gateway.edit({"workload": {"managed": False}, "masterKey": reference})
    await gateway.told("ChildrenRetained", "ManagedBefore")
    await gateway.driver.resyncs(3, "gw")
    assert _specs(await gateway.children()) == before
    await gateway.edit({"workload": None, "masterKey": {"secretRef": None}})
    await gateway.told("RolloutComplete", "RolledOut")
    await gateway.come_up()
    assert _specs(await gateway.children()) == before
    assert set(gateway.written(written)) == {"update litellminstances/gw/status"}


async def test_deleting_the_instance_ends_and_takes_all_that_was_made_and_nothing_else(gateway: Gateway) -> None:
    await gateway.begin()
    theirs = await gateway.create(_secret("cert", "b"))
    await gateway.come_up()
    assert await gateway.children()
    written = len(gateway.attempts())
    await gateway.delete()
    assert not [entry for entry in gateway.written(written) if entry.startswith("create")]
    assert await gateway.find(INGRESS) is None
    assert await gateway.get(SECRET, "cert") == theirs


async def test_a_deletion_that_orphans_leaves_everything_as_it_is(gateway: Gateway) -> None:
    await gateway.begin()
    await gateway.come_up()
    before, written = await gateway.children(), len(gateway.attempts())
    await gateway.user.delete(INSTANCE, gateway.namespace, "gw", propagation=Propagation.ORPHAN)

    async def gone() -> bool:
        return await gateway.find(INSTANCE) is None

    await until(gone, "the instance is still there")
    assert not [entry for entry in gateway.written(written) if entry.startswith(("create", "delete"))]
    left = await gateway.everything()
    for name, item in before.items():
        assert left[name]["metadata"]["uid"] == item["metadata"]["uid"]
        assert "ownerReferences" not in left[name]["metadata"]


def _secret(name: str, value: str) -> Object:
    data = {"a": b64(value)}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "type": "Opaque", "data": data}


def _specs(children: dict[str, Object]) -> dict[str, Object]:
    """All of each child but what controllers of Kubernetes count and note."""
    return {
        name: {
            **{key: value for key, value in item.items() if key != "status"},
            "metadata": {key: item["metadata"].get(key) for key in ("uid", "generation", "labels", "ownerReferences")},
        }
        for name, item in children.items()
    }
