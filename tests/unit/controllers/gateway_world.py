"""A cluster in memory with a managed gateway in it: what a user does goes in, objects and conditions come out.

Metacontroller is the simulated one, the hooks are the real application, pods run when the kubelet's stand-in is told to.
"""

from __future__ import annotations

import base64
import json
from contextlib import asynccontextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

from app.controllers.context import Context
from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.hooks import application
from app.hooks.manifests import Address, manifest
from app.kube.reader import NoReader
from app.litellm.probe import Prober
from app.registry import KINDS
from app.resources import kinds
from app.sim.callers import HookClient
from app.sim.clock import VirtualClock
from app.sim.cluster import NotFound
from app.sim.fake_litellm import FakeLiteLLM, FakeNetwork
from app.sim.kubelet import Kubelet
from app.sim.loop import Loop
from app.sim.memory import MemoryCluster
from app.sim.twins import rule_engine

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from app.hooks.controller import CompositeController
    from app.hooks.objects import Object, Resource
    from app.kube.reader import Reader
    from app.sim.loop import Exchange

TEAM = "team"
INSTANCE = KINDS[0].resource
_CRDS = [kind.crd() for kind in KINDS]
SPEC: Object = {
    "image": {"tag": "v1.80.0"},
    "masterKey": {"autoGenerate": True},
    "database": {"external": {"connectionSecretRef": {"name": "pg", "key": "url"}}},
}
"""A small gateway: a generated key, a database that is elsewhere, no migration Job."""
MIGRATED: Object = {**SPEC, "database": {**SPEC["database"], "migration": {"enabled": True}}}
"""The same, upgrades of which wait for a migration Job."""

ATTACHED: Object = {"workload": {"managed": False}, "masterKey": {"secretRef": {"name": "pg", "key": "url"}}}
"""An edit after which the proxy is somebody else's."""
MANAGED: Object = {"workload": None, "masterKey": {"secretRef": None}}
"""The edit that takes it back."""


def instance(spec: Object, name: str = "gw") -> Object:
    return {
        "apiVersion": INSTANCE.api_version,
        "kind": INSTANCE.kind,
        "metadata": {"name": name, "namespace": TEAM},
        "spec": spec,
    }


def secret(name: str, **data: str) -> Object:
    encoded = {key: base64.b64encode(value.encode()).decode() for key, value in data.items()}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": TEAM},
        "type": "Opaque",
        "data": encoded,
    }


def plain(item: Object, key: str) -> str:
    """A value of a Secret."""
    return base64.b64decode(item["data"][key]).decode()


class World:
    """One cluster. ``spec`` of the gateway is edited with :meth:`edit`."""

    def __init__(
        self,
        call: HookClient,
        clock: VirtualClock,
        strategy: str,
        proxy: FakeLiteLLM,
        controller: CompositeController[Context],
    ) -> None:
        self.clock = clock
        self.proxy = proxy
        self.exchanges: list[Exchange] = []
        self.cluster = MemoryCluster(_CRDS, clock=clock.now, manager="kubectl", engine=rule_engine(KINDS))
        self.loop = Loop(
            self.cluster.client("metacontroller"),
            [manifest(controller, Address(url="http://palena"))],
            call,
            clock=clock,
            strategy=strategy,
            on_exchange=self._note,
        )
        self.kubelet = Kubelet(self.cluster, clock=clock.now)

    def _note(self, exchange: Exchange) -> None:
        assert exchange.reply.code == 200, exchange.reply.body
        self.exchanges.append(exchange)

    async def create(self, *items: Object) -> None:
        for item in items:
            await self.cluster.create(item)
        await self.settle()

    async def edit(self, change: Object, name: str = "gw") -> None:
        """A JSON merge patch of the gateway's spec."""
        await self.cluster.merge_patch(INSTANCE, TEAM, name, {"spec": change})
        await self.settle()

    async def settle(self, seconds: float = 10.0) -> None:
        """Let the loop come to rest."""
        await self.loop.run_until_quiet(seconds)
        await self.cluster.settle()
        await self.loop.run_until_quiet(0)

    async def run_pods(self, *, jobs: bool = True) -> None:
        """Everything that is there becomes ready, or is over if it is a Job, until nothing new comes."""
        before: dict[str, str] = {}
        while (now := await self.versions()) != before:
            before = now
            for resource in (kinds.STATEFUL_SET, kinds.DEPLOYMENT):
                for item in await self.cluster.list(resource, TEAM):
                    await self.kubelet.make_ready(resource, TEAM, item["metadata"]["name"])
            for job in await self.cluster.list(kinds.JOB, TEAM) if jobs else []:
                if not job.get("status", {}).get("conditions"):
                    await self.kubelet.finish(kinds.JOB, TEAM, job["metadata"]["name"])
            await self.settle()

    async def find(self, resource: Resource, name: str = "gw") -> Object | None:
        try:
            return await self.cluster.get(resource, TEAM, name)
        except NotFound:
            return None

    async def get(self, resource: Resource, name: str = "gw") -> Object:
        return await self.cluster.get(resource, TEAM, name)

    async def names(self, resource: Resource) -> list[str]:
        return sorted(item["metadata"]["name"] for item in await self.cluster.list(resource, TEAM))

    async def status(self, name: str = "gw") -> Object:
        return (await self.get(INSTANCE, name)).get("status", {})

    async def condition(self, kind: str, name: str = "gw") -> Object:
        """A condition; empty where it is absent."""
        conditions = (await self.status(name)).get("conditions", [])
        return next((item for item in conditions if item["type"] == kind), {})

    async def reason(self, kind: str = "Ready", name: str = "gw") -> str:
        """``True/AllResourcesReady``, or an empty text where the condition is absent."""
        item = await self.condition(kind, name)
        return f"{item['status']}/{item['reason']}" if item else ""

    async def message(self, kind: str, name: str = "gw") -> str:
        return (await self.condition(kind, name)).get("message", "")

    async def image(self) -> str:
        """The image of the pod template."""
        return (await self.get(kinds.DEPLOYMENT))["spec"]["template"]["spec"]["containers"][0]["image"].rpartition(":")[2]

    async def versions(self) -> dict[str, str]:
        """The resourceVersions of everything."""
        kinds = (INSTANCE, *(rule.resource for rule in LITELLM_INSTANCES.children))
        items = [item for kind in kinds for item in await self.cluster.list(kind, TEAM)]
        return {f"{item['kind']}/{item['metadata']['name']}": item["metadata"]["resourceVersion"] for item in items}

    def syncs(self) -> list[tuple[Object, Object]]:
        """Requests and answers of sync, so far."""
        return [
            (json.loads(json.dumps(one.request)), json.loads(one.reply.body))
            for one in self.exchanges
            if one.url.partition("?")[0].endswith("/sync")
        ]


@asynccontextmanager
async def world(
    *items: Object,
    strategy: str = "dynamic-apply",
    reader: Reader | None = None,
    controller: CompositeController[Context] = LITELLM_INSTANCES,
    **context: Any,
) -> AsyncGenerator[World]:
    """A world in which ``items`` are there and at rest. ``controller`` is the one whose rules Metacontroller has."""
    clock, drops = VirtualClock(), count(1)
    proxy = FakeLiteLLM(master_key="")
    prober = Prober(lambda _: FakeNetwork({"http://gw.team.svc:4000": proxy}), lambda: clock.now().timestamp())
    given = Context(
        now=clock.now,
        prober=prober,
        entropy=lambda size: next(drops).to_bytes(size),
        reader=reader or NoReader(),
        **context,
    )
    async with HookClient.in_process(application([LITELLM_INSTANCES], given)) as call:
        made = World(call, clock, strategy, proxy, controller)
        try:
            await made.cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": TEAM}})
            await made.create(*items)
            yield made
        finally:
            await given.aclose()


@asynccontextmanager
async def running(spec: Object | None = None, *more: Object, **options: Any) -> AsyncGenerator[World]:
    """A world in which the gateway of that spec runs and is ready."""
    async with world(
        secret("pg", url="postgresql://u:p@h/d"), *more, instance(SPEC if spec is None else spec), **options
    ) as made:
        await made.run_pods()
        assert await made.reason() == "True/AllResourcesReady", await made.status()
        yield made


def template_of(deployment: Object) -> Object:
    return deployment["spec"]["template"]


def env_of(deployment: Object) -> dict[str, Any]:
    return {entry["name"]: entry for entry in template_of(deployment)["spec"]["containers"][0].get("env", [])}


def names_of(items: Iterable[Object]) -> list[str]:
    return sorted(f"{item['kind']} {item['metadata']['name']}" for item in items)
