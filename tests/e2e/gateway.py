"""A managed gateway in a namespace of a real API server: what a user and a node do with it, and what a test sees of it.

The control plane has its own controllers for workloads and no kubelet; a stand-in marks pods ready and Jobs over. Of the
proxy there is the fake one on loopback, to which the name of the gateway's Service leads.
"""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING

from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.resources.kinds import AUTOSCALER, DEPLOYMENT, JOB, POD, STATEFUL_SET
from app.sim.cluster import NotFound
from app.sim.kubelet import Kubelet
from app.sim.loop import Strategy
from tests.e2e.controlplane.plane import METACONTROLLER
from tests.e2e.driven import Driver, until
from tests.e2e.objects import condition, ready
from tests.e2e.stage import proxy_on_loopback
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.hooks.objects import Object, Resource
    from app.sim.cluster import Cluster
    from tests.e2e.controlplane.audit import AuditLog, Entry
    from tests.e2e.proxy import Proxy
    from tests.e2e.stage import Stage

CHILDREN = tuple(rule.resource for rule in LITELLM_INSTANCES.children)

SPEC: Object = {
    "image": {"tag": "v1.80.0"},
    "masterKey": {"autoGenerate": True},
    "saltKey": {"autoGenerate": True},
    "database": {"managed": {"enabled": True}, "migration": {"enabled": True}},
    "ingress": {"enabled": True, "host": "llm.example.com", "tls": {"enabled": True, "secretName": "cert"}},
    "podDisruptionBudget": {"enabled": True},
    "security": {"networkPolicy": {"enabled": True, "allowedNamespaces": ["apps"]}, "runAsNonRoot": True},
    "autoscaling": {"enabled": True, "minReplicas": 1, "maxReplicas": 3, "targetCPUUtilization": 80},
    "observability": {"grafanaDashboard": {"enabled": True}},
    "resources": {"requests": {"cpu": "1000m", "memory": "1024Mi"}},
    "extraEnvVars": [{"name": "EMPTY", "value": ""}],
    "upgrade": {"autoRollback": True, "maxSurge": 1, "maxUnavailable": 0},
}
"""An instance with a child of every kind."""

TAKEN_FOR_DRIFT = {Strategy.DYNAMIC_APPLY: set[str](), Strategy.SERVER_SIDE_APPLY: {"patch horizontalpodautoscalers/gw"}}
"""An autoscaler has no generation, so under server-side apply a new status of it is taken for somebody's edit. The patch
changes nothing."""


def instance(name: str, spec: Object) -> Object:
    """A LiteLLMInstance."""
    return {"apiVersion": INSTANCE.api_version, "kind": INSTANCE.kind, "metadata": {"name": name}, "spec": spec}


class Gateway:
    """The instance ``gw`` in a namespace, and what it is made of."""

    def __init__(self, user: Cluster, namespace: str, driver: Driver, audit: AuditLog, strategy: Strategy, proxy: Proxy) -> None:
        self.proxy = proxy
        self.user, self.namespace, self.driver, self.strategy = user, namespace, driver, strategy
        self._audit = audit
        self._kubelet = Kubelet(user, clock=lambda: datetime.now(UTC))

    async def create(self, item: Object) -> Object:
        """Create an object in the namespace."""
        return await self.user.create({**item, "metadata": {"namespace": self.namespace, **item["metadata"]}})

    async def begin(self, name: str = "gw", **spec: object) -> Object:
        """Create an instance of :data:`SPEC` with these sections changed; its Service has the port of the fake proxy."""
        return await self.create(instance(name, {**SPEC, "service": {"port": self.proxy.port}, **spec}))

    async def edit(self, change: Object, name: str = "gw") -> None:
        """Change the spec by a merge patch."""
        await self.user.merge_patch(INSTANCE, self.namespace, name, {"spec": change})

    async def patch(self, resource: Resource, name: str, change: Object) -> None:
        """Change an object as somebody who should not."""
        await self.user.merge_patch(resource, self.namespace, name, change)

    async def find(self, resource: Resource, name: str = "gw") -> Object | None:
        """One object of the namespace, or None."""
        with contextlib.suppress(NotFound):
            return await self.get(resource, name)
        return None

    async def get(self, resource: Resource, name: str = "gw") -> Object:
        """One object of the namespace."""
        return await self.user.get(resource, self.namespace, name)

    async def jobs(self) -> set[str]:
        """Names of the Jobs."""
        return {item["metadata"]["name"] for item in await self.user.list(JOB, self.namespace)}

    async def running_jobs(self) -> set[str]:
        """Those that are neither complete nor failed."""
        jobs = await self.user.list(JOB, self.namespace)
        ends = ("Complete", "Failed")
        return {job["metadata"]["name"] for job in jobs if not any(condition(job, end).get("status") == "True" for end in ends)}

    async def image(self) -> str:
        """The tag in the Deployment's pod template."""
        deployment = await self.get(DEPLOYMENT)
        return deployment["spec"]["template"]["spec"]["containers"][0]["image"].rpartition(":")[2]

    def images_sent(self) -> list[str]:
        """The tags that the driver wrote into the Deployment one after the other."""
        sent = [entry.sent for entry in self.attempts() if (entry.resource, entry.name) == (DEPLOYMENT.plural, "gw")]
        images = [item["spec"]["template"]["spec"]["containers"][0]["image"].rpartition(":")[2] for item in sent]
        return [image for image, _ in groupby(images)]

    async def told(self, kind: str, reason: str, name: str = "gw") -> Object:
        """Wait for a condition about the present spec, and return it."""
        seen: Object = {}

        async def says_so() -> bool:
            nonlocal seen
            item = await self.get(INSTANCE, name)
            seen = condition(item, kind)
            return seen.get("reason") == reason and seen["observedGeneration"] == item["metadata"]["generation"]

        try:
            await until(says_so, "")
        except AssertionError:
            raise AssertionError(f"{kind} of {name} never became {reason}; it is {seen}") from None
        return seen

    async def come_up(self) -> None:
        """Be the kubelet until the gateway is Ready, with every pod what the present spec asks for."""
        item: Object = {}

        async def up() -> bool:
            nonlocal item
            await self.run_pods()
            item = await self.get(INSTANCE)
            current = condition(item, "Ready").get("observedGeneration") == item["metadata"]["generation"]
            # The Deployment's own controller counts the pods anew now and then, so both must hold at one time.
            rolled_out = condition(item, "RolloutComplete").get("reason") == "RolledOut"
            return current and rolled_out and ready(item) == ("True", "AllResourcesReady")

        try:
            await until(up, "")
        except AssertionError:
            raise AssertionError(f"the gateway did not become ready: {item.get('status')}") from None

    async def run_pods(self) -> None:
        """Everything is ready, and over if it is a Job that is not over yet."""
        for resource in (STATEFUL_SET, DEPLOYMENT):
            for item in await self.user.list(resource, self.namespace):
                await self._kubelet.make_ready(resource, self.namespace, item["metadata"]["name"])
        for job in await self.user.list(JOB, self.namespace):
            if not job.get("status", {}).get("conditions"):
                await self._kubelet.finish(JOB, self.namespace, job["metadata"]["name"])

    async def end_job(self, name: str, *, succeeded: bool) -> None:
        """The pods of a Job end; returns when the Job's own controller has said so."""
        wanted = "Complete" if succeeded else "Failed"

        async def over() -> bool:
            await self._kubelet.finish(JOB, self.namespace, name, succeeded=succeeded)
            return condition(await self.get(JOB, name), wanted).get("status") == "True"

        await until(over, f"Job {name} is not {wanted}")

    async def pods_fail(self, reason: str) -> None:
        """The pods that start give that reason for their container not to start; waits for there to be one."""

        async def failed() -> bool:
            failing = [pod for pod in await self.user.list(POD, self.namespace) if _starts(pod)]
            for pod in failing:
                (container, *_) = pod["spec"]["containers"]
                told = {"name": container["name"], "image": container["image"], "imageID": "", "ready": False, "restartCount": 0}
                status = {"phase": "Pending", "containerStatuses": [{**told, "state": {"waiting": {"reason": reason}}}]}
                name, patch = pod["metadata"]["name"], {"status": status}
                with contextlib.suppress(NotFound):
                    await self.user.merge_patch(POD, self.namespace, name, patch, subresource="status")
            return bool(failing)

        await until(failed, "no pod starts")

    async def delete(self) -> None:
        """All instances and what goes with them, before the namespace: in one that goes, nothing may be made."""
        for item in await self.user.list(INSTANCE, self.namespace):
            await self.user.delete(INSTANCE, self.namespace, item["metadata"]["name"])

        async def gone() -> bool:
            return not await self.user.list(INSTANCE, self.namespace) and not await self.children()

        await until(gone, "the instance was not deleted, or has left something")

    async def children(self) -> dict[str, Object]:
        """Everything that an instance of the namespace controls, by kind and name."""
        return {name: item for name, item in (await self.everything()).items() if _controlled(item)}

    async def everything(self) -> dict[str, Object]:
        """All objects of the children's kinds, by kind and name."""
        found = [item for resource in CHILDREN for item in await self.user.list(resource, self.namespace)]
        return {f"{item['kind']}/{item['metadata']['name']}": item for item in found}

    async def versions(self) -> dict[str, str]:
        """The resourceVersions of the children and of the instance itself.

        An autoscaler's are left out: its controller notes in it again and again that there are no metrics.
        """
        children = await self.children()
        items = {name: item for name, item in children.items() if item["kind"] != AUTOSCALER.kind}
        items["LiteLLMInstance/gw"] = await self.get(INSTANCE)
        return {name: item["metadata"]["resourceVersion"] for name, item in items.items()}

    async def rests(self, resyncs: int) -> None:
        """Assert that so many resyncs write nothing, after a few for what is still on its way."""
        await self.driver.resyncs(3, "gw")
        before, written = await self.versions(), len(self.attempts())
        await self.driver.resyncs(resyncs, "gw")
        assert {*self.written(written)} <= TAKEN_FOR_DRIFT[self.strategy]
        assert await self.versions() == before

    def attempts(self, since: int = 0) -> list[Entry]:
        """What the driver tried to write in the namespace, accepted or not, from the so-manieth attempt on."""
        tried = self._audit.attempts(user=METACONTROLLER.user, namespace=self.namespace)
        return tried[since:]

    def written(self, since: int = 0) -> list[str]:
        """The same as ``<verb> <resource>/<name>[/<subresource>]``."""
        return [
            f"{entry.verb} {'/'.join(part for part in (entry.resource, entry.name, entry.subresource) if part)}"
            for entry in self.attempts(since)
        ]


@contextlib.asynccontextmanager
async def gateway_on(stage: Stage) -> AsyncGenerator[Gateway]:
    """Nothing yet but a place for the gateway, where the stage's driver works; what is there in the end is deleted."""
    with proxy_on_loopback() as proxy:
        async with stage.at_work() as (user, namespace, audit):
            stage.service.leads_to_loopback(f"gw.{namespace}.svc")
            made = Gateway(user, namespace, Driver(stage.service, namespace), audit, stage.strategy, proxy)
            yield made
            await made.delete()


def _starts(pod: Object) -> bool:
    over = pod.get("status", {}).get("phase") in ("Succeeded", "Failed")
    return not over and condition(pod, "Ready").get("status") != "True"


def _controlled(item: Object) -> bool:
    return any(owner["kind"] == INSTANCE.kind for owner in item["metadata"].get("ownerReferences", []))
