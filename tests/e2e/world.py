"""Where a scenario is played: a namespace, a user, a proxy to attach to, and somebody who drives our hooks.

The same scenario is played in three worlds: in memory, with our loop on a real API server, and with Metacontroller itself.
:mod:`tests.e2e.stage` makes them. The hooks are those of the real service, over HTTP, in all of them.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.hooks.objects import Object, Resource
from app.sim.cluster import NotFound
from tests.e2e.snapshot import snapshot

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractContextManager

    from app.sim.cluster import Cluster
    from app.sim.loop import Loop, Strategy
    from tests.e2e.controlplane.audit import AuditLog
    from tests.e2e.proxy import Proxy
    from tests.e2e.service import Service
    from tests.e2e.witness import Witnessed

INSTANCE = LITELLM_INSTANCES.parent
NAMESPACE = Resource("v1", "Namespace", "namespaces", namespaced=False)
SECRET = Resource("v1", "Secret", "secrets")
COMPARED = (INSTANCE, *(rule.resource for rule in LITELLM_INSTANCES.children))
NOT_COMPARED = {("ConfigMap", "kube-root-ca.crt"), ("ServiceAccount", "default")}
"""Put into every namespace by controllers of Kubernetes, of which the in-memory cluster has none."""

PATIENCE_SECONDS = 30.0
QUIET_SECONDS = 0.6
RESYNC_SECONDS = 1
"""The period of the manifests under test; the shortest that Metacontroller takes."""


class World(ABC):
    """One namespace of one cluster."""

    def __init__(self, user: Cluster, namespace: str, service: Service, proxy: Proxy, strategy: Strategy) -> None:
        self.user = user
        """The cluster, as the user may see and change it."""
        self.namespace = namespace
        self.service = service
        self.proxy = proxy
        self.strategy = strategy
        self.snapshots: list[list[Object]] = []
        """All compared objects each time the world had come to rest."""

    async def settle(self) -> None:
        """Let everything that must follow from what was done happen, and note what is there then."""
        await self._rest()
        self.snapshots.append(self._anonymous(await self.objects()))

    def outage(self) -> AbstractContextManager[None]:
        """The service is down, without having said goodbye."""
        return self.service.outage()

    @abstractmethod
    async def pass_seconds(self, seconds: float) -> None:
        """Let time pass, whatever happens meanwhile."""

    @abstractmethod
    async def until(self, holds: Callable[[], Awaitable[bool]]) -> None:
        """Let time pass until something holds; fails after half a minute."""

    @abstractmethod
    async def resyncs(self, count: int) -> None:
        """Let every instance be synced so many times more."""

    @abstractmethod
    async def written(self) -> set[str]:
        """What the driver wrote in the namespace, as ``<verb> <plural>/<name>[/<subresource>]``."""

    @abstractmethod
    async def _rest(self) -> None: ...

    async def objects(self) -> list[Object]:
        """Instances and all kinds they may have as children, but what controllers of Kubernetes have made."""
        found = [item for resource in COMPARED for item in await self.user.list(resource, self.namespace)]
        return [item for item in found if (item["kind"], item["metadata"]["name"]) not in NOT_COMPARED and not _of_workload(item)]

    async def create(self, item: Object) -> Object:
        """Create an object in the namespace."""
        return await self.user.create({**item, "metadata": {"namespace": self.namespace, **item["metadata"]}})

    async def get(self, resource: Resource, name: str) -> Object:
        """One object of the namespace, live."""
        return await self.user.get(resource, self.namespace, name)

    async def exists(self, resource: Resource, name: str) -> bool:
        """Whether there is such an object."""
        try:
            await self.get(resource, name)
        except NotFound:
            return False
        return True

    async def patch(self, resource: Resource, name: str, patch: Object) -> Object:
        """Change an object of the namespace by a merge patch."""
        return await self.user.merge_patch(resource, self.namespace, name, patch)

    async def delete(self, resource: Resource, name: str) -> None:
        """Delete an object of the namespace, as ``kubectl delete`` does."""
        await self.user.delete(resource, self.namespace, name)

    async def versions(self) -> dict[str, str]:
        """The resourceVersion of each compared object."""
        return {
            f"{item['kind']}/{item['metadata']['name']}": item["metadata"]["resourceVersion"] for item in await self.objects()
        }

    def _anonymous(self, items: list[Object]) -> list[Object]:
        return snapshot(items, {self.namespace: "namespace", str(self.proxy.port): "port"})


def _told(item: Object) -> bool:
    """Whether the status is about the spec as it is now."""
    return item.get("status", {}).get("observedGeneration") == item["metadata"]["generation"]


def _of_workload(item: Object) -> bool:
    """Whether a workload's own controller has made it: a StatefulSet has its revisions."""
    return any(owner["apiVersion"] == "apps/v1" for owner in item["metadata"].get("ownerReferences", []))


class MemoryWorld(World):
    """Everything but the service in this process; time jumps."""

    def __init__(
        self,
        user: Cluster,
        namespace: str,
        service: Service,
        proxy: Proxy,
        strategy: Strategy,
        *,
        loop: Loop,
        witness: Witnessed,
    ) -> None:
        super().__init__(user, namespace, service, proxy, strategy)
        self._loop = loop
        self._witness = witness

    async def until(self, holds: Callable[[], Awaitable[bool]]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not await holds():
            assert time.monotonic() < deadline, f"not reached; there is {await self.objects()}"
            await self._loop.run_until_quiet(RESYNC_SECONDS)
            await asyncio.sleep(0.05)  # the service's own clock is the real one: what it knows of a proxy ages by it

    async def pass_seconds(self, seconds: float) -> None:
        await self._loop.run_until_quiet(seconds)

    async def resyncs(self, count: int) -> None:
        await self._loop.run_until_quiet(count * RESYNC_SECONDS)

    async def written(self) -> set[str]:
        return self._witness.written

    async def _rest(self) -> None:
        await self._loop.run_until_quiet(2 * RESYNC_SECONDS)


class ClusterWorld(World):
    """A real API server, on which a driver works by itself."""

    def __init__(
        self, user: Cluster, namespace: str, service: Service, proxy: Proxy, strategy: Strategy, *, audit: AuditLog, driver: str
    ) -> None:
        super().__init__(user, namespace, service, proxy, strategy)
        self._audit = audit
        self._driver = driver
        user.watch(COMPARED)

    async def until(self, holds: Callable[[], Awaitable[bool]]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not await holds():
            assert time.monotonic() < deadline, f"not reached; there is {await self.objects()}"
            await asyncio.sleep(0.1)

    async def pass_seconds(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def resyncs(self, count: int) -> None:
        begin = len(self.service.synced(self.namespace))
        names = [item["metadata"]["name"] for item in await self.user.list(INSTANCE, self.namespace)]

        async def synced() -> bool:
            since = self.service.synced(self.namespace)[begin:]
            return all(since.count(name) >= count for name in names)

        await self.until(synced)

    async def written(self) -> set[str]:
        return {
            f"{entry.verb} {'/'.join(part for part in (entry.resource, entry.name, entry.subresource) if part)}"
            for entry in self._audit.writes(user=self._driver, namespace=self.namespace)
        }

    async def _rest(self) -> None:
        """Nothing has changed for a while, and every instance was synced since it last did, its last edit included."""
        quiet_since, begin = time.monotonic(), len(self.service.synced(self.namespace))

        async def resting() -> bool:
            nonlocal quiet_since, begin
            if any(change.item["metadata"].get("namespace") == self.namespace for change in await self.user.changes()):
                quiet_since, begin = time.monotonic(), len(self.service.synced(self.namespace))
            if time.monotonic() - quiet_since <= QUIET_SECONDS:
                return False
            synced = {*self.service.synced(self.namespace)[begin:]}
            instances = await self.user.list(INSTANCE, self.namespace)
            return all(item["metadata"]["name"] in synced and _told(item) for item in instances)

        await self.until(resting)
