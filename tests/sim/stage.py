"""A small world for scenarios that were not recorded: the toy kinds, one scripted hook, virtual time."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from app.hooks.objects import Object, Resource
from app.sim.clock import VirtualClock
from app.sim.cluster import NotFound
from app.sim.loop import Loop, Reply
from app.sim.memory import MemoryCluster
from tests.sim.replay import toy_crds

if TYPE_CHECKING:
    from collections.abc import Callable

WIDGET = Resource("toy.example.com/v1", "Widget", "widgets")
GADGET = Resource("toy.example.com/v1", "Gadget", "gadgets")
BADGE = Resource("toy.example.com/v1", "Badge", "badges")
CONFIG_MAP = Resource("v1", "ConfigMap", "configmaps")
SECRET = Resource("v1", "Secret", "secrets")
CRD = Resource("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", namespaced=False)


class Call:
    """One hook call: when (in seconds since the start), which hook, and the request."""

    def __init__(self, at: float, hook: str, request: Object) -> None:
        self.at, self.hook, self.request = at, hook, request


class Stage:
    """A cluster, a loop over it, and hooks that answer what the scenario says.

    ``answers`` gives each hook (by ``<controller>/<hook>``) its answer: a body, a :class:`Reply`, or a function of the request.
    """

    def __init__(self, controllers: list[Object], answers: dict[str, Any], *, strategy: str = "dynamic-apply") -> None:
        self.answers = answers
        self.calls: list[Call] = []
        self.clock = VirtualClock()
        self._start = self.clock.now()
        self.cluster = MemoryCluster(toy_crds(), clock=self.clock.now, manager="kubectl")
        client = self.cluster.client("metacontroller")
        self.loop = Loop(client, controllers, self._call, clock=self.clock, strategy=strategy)

    async def create(self, *items: Object) -> None:
        for item in items:
            await self.cluster.create(item)

    async def find(self, resource: Resource, name: str) -> Object | None:
        try:
            return await self.cluster.get(resource, "default", name)
        except NotFound:
            return None

    async def run(self, seconds: float = 0.0) -> list[Call]:
        """Let that much time pass; the calls of that time."""
        first = len(self.calls)
        await self.loop.run_until_quiet(seconds)
        return self.calls[first:]

    def pauses(self) -> list[float]:
        """The pauses between all calls so far, in seconds."""
        moments = [call.at for call in self.calls]
        return [round(later - earlier, 6) for earlier, later in pairwise(moments)]

    async def _call(self, url: str, request: Object) -> Reply:
        hook = url.removeprefix("http://hooks.example/")
        at = (self.clock.now() - self._start).total_seconds()
        self.calls.append(Call(at, hook, request))
        answer = self.answers[hook]
        answer = answer(request) if callable(answer) else answer
        return answer if isinstance(answer, Reply) else ok(answer)


def ok(body: Any) -> Reply:
    return Reply(200, {}, json.dumps(body).encode())


def refusal(code: int, *, headers: dict[str, str] | None = None, body: str = "sorry") -> Reply:
    return Reply(code, headers or {}, body.encode())


def composite(
    name: str = "widgets", *, children: tuple[Object, ...] = (), hooks: tuple[str, ...] = ("sync",), **spec: Any
) -> Object:
    """A CompositeController on Widgets; by default ConfigMaps are its children."""
    target = {"apiVersion": WIDGET.api_version, "resource": WIDGET.plural, **spec.pop("parentResource", {})}
    return {
        "apiVersion": "metacontroller.k8s.io/v1alpha1",
        "kind": "CompositeController",
        "metadata": {"name": name},
        "spec": {
            "generateSelector": True,
            "parentResource": target,
            "childResources": [*(children or (child_rule(CONFIG_MAP),))],
            "hooks": {hook: webhook(name, hook) for hook in hooks},
            **spec,
        },
    }


def decorator(name: str = "badges", *, attachments: tuple[Object, ...] = (), hooks: tuple[str, ...] = ("sync",)) -> Object:
    """A DecoratorController on Widgets; by default Badges are its attachments."""
    return {
        "apiVersion": "metacontroller.k8s.io/v1alpha1",
        "kind": "DecoratorController",
        "metadata": {"name": name},
        "spec": {
            "resources": [{"apiVersion": WIDGET.api_version, "resource": WIDGET.plural}],
            "attachments": [*(attachments or (child_rule(BADGE),))],
            "hooks": {hook: webhook(name, hook) for hook in hooks},
        },
    }


def webhook(controller: str, hook: str, **fields: Any) -> Object:
    return {"version": "v2", "webhook": {"url": f"http://hooks.example/{controller}/{hook}", **fields}}


def child_rule(resource: Resource, method: str = "InPlace") -> Object:
    return {"apiVersion": resource.api_version, "resource": resource.plural, "updateStrategy": {"method": method}}


def widget(name: str = "w", *, labels: dict[str, str] | None = None, **spec: Any) -> Object:
    metadata: Object = {"name": name, "namespace": "default", **({"labels": labels} if labels else {})}
    return {"apiVersion": WIDGET.api_version, "kind": "Widget", "metadata": metadata, "spec": spec}


def config_map(name: str = "settings", **data: str) -> Object:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


def secret(name: str, *, labels: dict[str, str] | None = None, namespace: str = "default") -> Object:
    metadata: Object = {"name": name, "namespace": namespace, **({"labels": labels} if labels else {})}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": {"value": "Zmlyc3Q="}}


def desired(*children: Object, **more: Any) -> Callable[[Object], Object]:
    """An answer with these children and a constant status."""
    return lambda _: {"status": {"phase": "Made"}, "children": [*children], **more}
