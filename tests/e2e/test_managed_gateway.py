"""A managed gateway on a real API server: it comes up in order, rests, waits for migrations, is flipped, and goes.

The control plane has its own controllers for workloads and no kubelet; a stand-in marks pods ready and Jobs over.
"""

from __future__ import annotations

import contextlib
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.resources.kinds import CONFIG_MAP, DEPLOYMENT, INGRESS, JOB, SECRET, SERVICE, STATEFUL_SET
from app.sim.cluster import NotFound
from app.sim.kubelet import Kubelet
from tests.e2e.driven import driving, until, user_namespace
from tests.e2e.installation import rendered
from tests.e2e.metacontroller import MISSING
from tests.e2e.objects import b64, condition
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from app.hooks.objects import Object, Resource
    from app.sim.cluster import Cluster
    from tests.e2e.controlplane.plane import ControlPlane
    from tests.e2e.driven import Driver
    from tests.e2e.kubectl import Kubectl

SPEC: Object = {
    "image": {"tag": "v1.80.0"},
    "masterKey": {"autoGenerate": True},
    "saltKey": {"autoGenerate": True},
    "database": {"managed": {"enabled": True}, "migration": {"enabled": True}},
    "ingress": {"enabled": True, "host": "llm.example.com", "tls": {"enabled": True, "secretName": "cert"}},
    "podDisruptionBudget": {"enabled": True},
    "security": {"networkPolicy": {"enabled": True, "allowedNamespaces": ["apps"]}, "runAsNonRoot": True},
    "observability": {"grafanaDashboard": {"enabled": True}},
    "resources": {"requests": {"cpu": "1000m", "memory": "1024Mi"}},
    "extraEnvVars": [{"name": "EMPTY", "value": ""}],
    "upgrade": {"autoRollback": True, "maxSurge": 1, "maxUnavailable": 0},
}


class Gateway:
    """The instance ``gw`` in a namespace, and who drives it."""

    def __init__(self, user: Cluster, namespace: str, driver: Driver) -> None:
        self.user, self.namespace, self.driver = user, namespace, driver
        self.kubelet = Kubelet(user, clock=lambda: datetime.now(UTC))

    async def create(self, item: Object) -> None:
        await self.user.create({**item, "metadata": {"namespace": self.namespace, **item["metadata"]}})

    async def edit(self, change: Object) -> None:
        await self.user.merge_patch(INSTANCE, self.namespace, "gw", {"spec": change})

    async def find(self, resource: Resource, name: str = "gw") -> Object | None:
        with contextlib.suppress(NotFound):
            return await self.user.get(resource, self.namespace, name)
        return None

    async def get(self, resource: Resource, name: str = "gw") -> Object:
        return await self.user.get(resource, self.namespace, name)

    async def jobs(self) -> set[str]:
        return {item["metadata"]["name"] for item in await self.user.list(JOB, self.namespace)}

    async def image(self) -> str:
        deployment = await self.get(DEPLOYMENT)
        return deployment["spec"]["template"]["spec"]["containers"][0]["image"].rpartition(":")[2]

    async def told(self, kind: str, reason: str) -> None:
        """Wait for a condition about the present spec."""
        await until(lambda: self._told(kind, reason), f"{kind} never became {reason}")

    async def _told(self, kind: str, reason: str) -> bool:
        item = await self.get(INSTANCE)
        found = condition(item, kind) if item.get("status") else {}
        return found.get("reason") == reason and found["observedGeneration"] == item["metadata"]["generation"]

    async def come_up(self) -> None:
        """Be the kubelet until every pod runs what the present spec asks for."""

        async def rolled_out() -> bool:
            await self._run_pods()
            # The Deployment's own controller counts the pods anew now and then, so both must hold at one time.
            return await self._told("RolloutComplete", "RolledOut") and (await self.get(INSTANCE))["status"]["ready"]

        await until(rolled_out, "the gateway was not rolled out, or is not ready")

    async def _run_pods(self) -> None:
        """Everything is ready, and over if it is a Job that is not over yet."""
        for resource in (STATEFUL_SET, DEPLOYMENT):
            for item in await self.user.list(resource, self.namespace):
                await self.kubelet.make_ready(resource, self.namespace, item["metadata"]["name"])
        for job in await self.user.list(JOB, self.namespace):
            if not job.get("status", {}).get("conditions"):
                await self.kubelet.finish(JOB, self.namespace, job["metadata"]["name"])

    async def delete(self) -> None:
        """The instance and all that goes with it, before the namespace: in one that goes, nothing may be made."""
        await self.user.delete(INSTANCE, self.namespace, "gw")

        async def gone() -> bool:
            return await self.find(INSTANCE) is None and await self.find(SERVICE) is None

        await until(gone, "the instance was not deleted")

    async def versions(self) -> dict[str, str]:
        kinds = (INSTANCE, *(rule.resource for rule in LITELLM_INSTANCES.children))
        items = [item for kind in kinds for item in await self.user.list(kind, self.namespace)]
        return {f"{item['kind']}/{item['metadata']['name']}": item["metadata"]["resourceVersion"] for item in items}


@pytest.fixture(params=["loop", "metacontroller"])
async def gateway(
    request: pytest.FixtureRequest, plane: ControlPlane, kubectl: Kubectl, tmp_path: Path
) -> AsyncGenerator[Gateway]:
    real = request.param == "metacontroller"
    if real and "METACONTROLLER" not in os.environ:
        pytest.skip(MISSING)
    installation = rendered(kubectl, "full")
    async with (
        user_namespace(plane) as (user, namespace),
        driving(plane, kubectl, installation, tmp_path, namespace, metacontroller=real) as driver,
    ):
        made = Gateway(user, namespace, driver)
        yield made
        await made.delete()


def instance(spec: Object) -> Object:
    return {"apiVersion": INSTANCE.api_version, "kind": INSTANCE.kind, "metadata": {"name": "gw"}, "spec": spec}


async def test_a_gateway_comes_up_in_order_and_rests(gateway: Gateway) -> None:
    await gateway.create(instance(SPEC))
    await gateway.told("DatabaseReady", "DatabaseStarting")
    assert await gateway.find(STATEFUL_SET, "gw-db") is not None
    assert await gateway.jobs() == set()
    await gateway.come_up()
    assert condition(await gateway.get(INSTANCE), "DatabaseReady")["reason"] == "MigrationComplete"
    await gateway.driver.resyncs(3, "gw")
    before = await gateway.versions()
    await gateway.driver.resyncs(20, "gw")
    assert await gateway.versions() == before


async def test_an_upgrade_waits_for_its_migration_and_a_feature_that_is_off_goes(gateway: Gateway) -> None:
    await gateway.create(instance(SPEC))
    await gateway.come_up()
    before = await gateway.jobs()
    await gateway.edit({"image": {"tag": "v1.81.0"}, "ingress": None, "database": {"migration": {"timeout": "5s"}}})
    await gateway.told("DatabaseReady", "MigrationRunning")
    assert len(await gateway.jobs() - before) == 1
    assert await gateway.image() == "v1.80.0"

    async def gone() -> bool:
        return await gateway.find(INGRESS) is None

    await until(gone, "the Ingress is still there")
    await gateway.told("DatabaseReady", "MigrationFailed")
    assert "DeadlineExceeded" in condition(await gateway.get(INSTANCE), "DatabaseReady")["message"]
    assert await gateway.image() == "v1.80.0"
    await gateway.edit({"image": {"tag": "v1.82.0"}, "database": {"migration": {"timeout": "5m"}}})
    await gateway.told("DatabaseReady", "MigrationRunning")
    await gateway.come_up()
    assert await gateway.image() == "v1.82.0"
    assert len(await gateway.jobs()) == 1


async def test_drift_is_repaired_and_a_flip_keeps_every_child_both_ways(gateway: Gateway) -> None:
    await gateway.create(instance(SPEC))
    await gateway.come_up()
    await gateway.user.merge_patch(SERVICE, gateway.namespace, "gw", {"spec": {"selector": {"litellm.palena.ai/instance": "x"}}})

    async def repaired() -> bool:
        return (await gateway.get(SERVICE))["spec"]["selector"]["litellm.palena.ai/instance"] == "gw"

    await until(repaired, "the Service's selector stays wrong")
    data = {"key": b64("sk-mine")}
    await gateway.create({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "mk"}, "type": "Opaque", "data": data})
    before = _children(await gateway.versions())
    reference: Any = {"secretRef": {"name": "mk", "key": "key"}}
    await gateway.edit({"workload": {"managed": False}, "masterKey": reference})
    await gateway.told("ChildrenRetained", "ManagedBefore")
    assert _children(await gateway.versions()) == before
    await gateway.edit({"workload": None, "masterKey": {"secretRef": None}})
    await gateway.told("RolloutComplete", "RolledOut")
    assert _children(await gateway.versions()) == before


async def test_a_name_that_somebody_holds_is_left_alone_and_told(gateway: Gateway) -> None:
    foreign = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "gw-config"}, "data": {"a": "b"}}
    await gateway.create(foreign)
    await gateway.create(instance(SPEC))
    await gateway.told("ChildrenApplied", "NameTaken")
    assert (await gateway.get(CONFIG_MAP, "gw-config"))["data"] == {"a": "b"}
    assert await gateway.find(SECRET, "gw-master-key") is not None


def _children(versions: dict[str, str]) -> dict[str, str]:
    return {name: version for name, version in versions.items() if not name.startswith(INSTANCE.kind)}
