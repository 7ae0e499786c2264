"""A managed gateway comes up in order, rests, is held to its spec, is flipped, and goes; with each driver and apply strategy.

Upgrades are in ``test_managed_upgrades.py``, names that others hold in ``test_managed_names.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.resources.kinds import CONFIG_MAP, DEPLOYMENT, INGRESS, NETWORK_POLICY, SECRET, SERVICE, STATEFUL_SET
from app.sim.loop import Strategy
from tests.e2e.driven import until
from tests.e2e.gateway import CHILDREN
from tests.e2e.objects import b64, condition
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.e2e.gateway import Gateway

TAKEN_FOR_DRIFT = {Strategy.DYNAMIC_APPLY: set[str](), Strategy.SERVER_SIDE_APPLY: {"patch horizontalpodautoscalers/gw"}}
"""An autoscaler has no generation, so under server-side apply a new status of it is taken for somebody's edit. The patch
changes nothing."""


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

    await gateway.driver.resyncs(3, "gw")
    before, written = await gateway.versions(), len(gateway.attempts())
    await gateway.driver.resyncs(20, "gw")
    assert {*gateway.written(written)} <= TAKEN_FOR_DRIFT[gateway.strategy]
    assert await gateway.versions() == before


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
    data = {"key": b64("sk-mine")}
    await gateway.create({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "mk"}, "type": "Opaque", "data": data})
    await gateway.driver.resyncs(3, "gw")
    before, written = _specs(await gateway.children()), len(gateway.attempts())
    reference: Any = {"secretRef": {"name": "mk", "key": "key"}}
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
    theirs = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "cert"}, "type": "Opaque", "data": {"a": b64("b")}}
    await gateway.create(theirs)
    await gateway.come_up()
    assert await gateway.children()
    written = len(gateway.attempts())
    await gateway.delete()
    assert not [entry for entry in gateway.written(written) if entry.startswith("create")]
    assert await gateway.find(INGRESS) is None
    assert (await gateway.get(SECRET, "cert"))["data"] == theirs["data"]


def _specs(children: dict[str, Object]) -> dict[str, Object]:
    """All of each child but what controllers of Kubernetes count and note."""
    return {
        name: {
            **{key: value for key, value in item.items() if key != "status"},
            "metadata": {key: item["metadata"].get(key) for key in ("uid", "generation", "labels", "ownerReferences")},
        }
        for name, item in children.items()
    }
