"""A whole installation in memory: an API server with our kinds, Metacontroller, and the hooks behind whatever reaches them.

What a user does (apply, delete) goes in, and a look at all objects comes out after each pass. Files, terminals and proxies are
somebody else's: the hooks are given as a call, so that they may be in this process or behind HTTP. Nothing runs by itself:
whether and how workloads do is given too.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from app.hooks.manifests import Address, manifest
from app.hooks.objects import object_key, resource_key
from app.registry import ADD_ONS, CONTROLLERS, KINDS
from app.sim.cluster import AlreadyExists, NotFound
from app.sim.kubelet import Kubelet
from app.sim.loop import Loop, Strategy
from app.sim.memory import MemoryCluster
from app.sim.twins import rule_engine

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

    from app.hooks.controller import Controller
    from app.hooks.objects import Object, Resource
    from app.sim.clock import Clock
    from app.sim.loop import Exchange, HookCall

    Reached = Callable[[Sequence[Object]], bool]
    """Whether what was waited for is there, told from all objects."""
    RunPods = Callable[[Kubelet, Sequence[Object]], Awaitable[object]]
    """Has the kubelet's stand-in run what shall run. It is given all objects, after each pass."""

HOOKS = Address(url="http://palena")
"""What the controllers' manifests say; nobody goes there."""

NAMESPACE = "default"
"""Where an object goes that does not say."""

_DEFINITION = "CustomResourceDefinition"


class Simulation:
    """One cluster with our controllers at work in it."""

    def __init__(
        self,
        call: HookCall,
        *,
        clock: Clock,
        strategy: Strategy = Strategy.DYNAMIC_APPLY,
        on_exchange: Callable[[Exchange], None] | None = None,
        run_pods: RunPods | None = None,
    ) -> None:
        """``call`` leads to the hooks, whatever host their URLs name; ``on_exchange`` sees each call and its answer.

        Without ``run_pods`` no pod is ever ready and no Job over.
        """
        self.engine = rule_engine(KINDS)
        crds = [*(kind.crd() for kind in KINDS), *(_unchecked(rule.resource) for add_on in ADD_ONS for rule in add_on.owned)]
        self._brought = {crd["metadata"]["name"] for crd in crds}
        self.cluster = MemoryCluster(crds, clock=clock.now, manager="kubectl", engine=self.engine)
        controllers = [manifest(controller, HOOKS) for controller in CONTROLLERS]
        metacontroller = self.cluster.client("metacontroller")
        self.loop = Loop(metacontroller, controllers, call, clock=clock, strategy=strategy, on_exchange=on_exchange)
        self._kubelet, self._run_pods = Kubelet(self.cluster, clock=clock.now), run_pods
        self._shown = {resource.key: resource for controller in CONTROLLERS for resource in _resources(controller)}

    async def apply(self, items: Iterable[Object]) -> None:
        """Create the objects, or put them in place of those that are there. Missing namespaces are made.

        Raises :class:`~app.sim.cluster.ApiError` with the refusal of the API server.
        """
        for item in items:
            placed, resource = await self._placed(item)
            if resource.kind == _DEFINITION:
                self._brought.discard(placed["metadata"]["name"])
            try:
                await self.cluster.create(placed)
            except AlreadyExists:
                live = await self.cluster.get(resource, placed["metadata"].get("namespace", ""), placed["metadata"]["name"])
                version = live["metadata"]["resourceVersion"]
                await self.cluster.update({**placed, "metadata": {**placed["metadata"], "resourceVersion": version}})

    async def delete(self, items: Iterable[Object]) -> None:
        """Delete the objects in the background; one that is gone already is no error, nor is one that went with its kind."""
        for item in items:
            try:
                placed, resource = await self._placed(item)
                await self.cluster.delete(resource, placed["metadata"].get("namespace", ""), placed["metadata"]["name"])
            except NotFound:
                continue

    async def objects(self) -> list[Object]:
        """Everything that was applied or that a controller made, by kind and name, without namespaces and the definitions
        that are there from the start.
        """
        found: list[Object] = []
        for resource in self._shown.values():
            # A kind may be gone with its definition.
            with suppress(NotFound):
                found += await self.cluster.list(resource)
        shown = [item for item in found if item["kind"] != _DEFINITION or item["metadata"]["name"] not in self._brought]
        return sorted(shown, key=lambda item: (resource_key(item), object_key(item)))

    async def converge(
        self, *, seconds: float, look: Callable[[Sequence[Object]], Awaitable[None]], until: Reached = lambda _: False
    ) -> bool:
        """Let the loop work for so many seconds of its clock, or until ``until`` holds; ``look`` sees all objects after a pass.

        Returns whether ``until`` held.
        """

        async def reached() -> bool:
            await self.cluster.settle()
            items = await self.objects()
            await look(items)
            if until(items):
                return True
            if self._run_pods is not None:
                await self._run_pods(self._kubelet, items)
            return False

        return await self.loop.run_until(reached, seconds)

    async def _placed(self, item: Object) -> tuple[Object, Resource]:
        resource = await self.cluster.resource_of(item["apiVersion"], item["kind"])
        self._shown[resource.key] = resource
        if not resource.namespaced:
            return item, resource
        namespace = item["metadata"].get("namespace") or NAMESPACE
        if not isinstance(namespace, str):
            return item, resource
        with suppress(AlreadyExists):
            await self.cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
        return {**item, "metadata": {**item["metadata"], "namespace": namespace}}, resource


def _resources(controller: Controller[Any]) -> Iterator[Resource]:
    """The kinds that a controller reads and writes."""
    yield controller.watched
    yield from (rule.resource for rule in controller.owned)


def _unchecked(resource: Resource) -> Object:
    """A definition for a kind of somebody else's: any content is taken, because its rules are not known here."""
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    names = {"kind": resource.kind, "plural": resource.plural, "singular": resource.kind.lower()}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": _DEFINITION,
        "metadata": {"name": f"{resource.plural}.{resource.group}"},
        "spec": {
            "group": resource.group,
            "scope": "Namespaced",
            "names": names,
            "versions": [{"name": resource.version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }
