"""Hook exchanges with the LiteLLMInstance controller as Metacontroller has them: JSON in over HTTP, JSON out."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import httpx2
import orjson

from app.controllers.context import Context
from app.controllers.litellm_instance import CHILDREN, LITELLM_INSTANCES
from app.hooks import application
from app.hooks.objects import object_key, resource_key
from app.litellm.probe import Prober
from app.sim.fake_litellm import FakeLiteLLM, FakeNetwork

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hooks.objects import Object

URL = "http://litellm.platform.svc:4000"
KEY = "sk-master"
SPEC: Object = {
    "workload": {"managed": False, "endpoint": URL},
    "masterKey": {"secretRef": {"name": "lk", "key": "MASTER"}},
    "database": {},
    "replicas": 1,
}
"""A minimal attached instance, as the API server stores it."""

FULL: Object = {
    "spec": {"childResources": [{"apiVersion": rule.resource.api_version, "resource": rule.resource.plural} for rule in CHILDREN]}
}
ATTACH_ONLY: Object = {"spec": {"parentResource": {"resource": "litellminstances"}}}


def instance(spec: Any = None, **changes: Any) -> Object:
    """The parent ``gw`` in namespace ``team``. ``changes`` are other top-level fields, such as ``status``."""
    return {
        "apiVersion": "litellm.palena.ai/v1alpha1",
        "kind": "LiteLLMInstance",
        "metadata": {"name": "gw", "namespace": "team", "uid": "11111111-2222-3333-4444-555555555555", "generation": 1},
        "spec": SPEC if spec is None else spec,
        **changes,
    }


def secret(name: str = "lk", **data: str) -> Object:
    """A related Secret; ``data`` is plain text."""
    encoded = {key: base64.b64encode(value.encode()).decode() for key, value in data.items()}
    metadata = {"name": name, "namespace": "team", "resourceVersion": "7"}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": encoded}


def grouped(objects: Iterable[Object], kinds: Iterable[str] = ()) -> Object:
    """Objects as version 2 hooks have them."""
    groups: Object = {kind: {} for kind in kinds}
    for item in objects:
        groups.setdefault(resource_key(item), {})[object_key(item)] = item
    return groups


@dataclass
class Palena:
    """The service with fake proxies around it. Use it inside :func:`~tests.unit.litellm.virtual_time.run`."""

    proxies: dict[str, FakeLiteLLM] = field(default_factory=lambda: {URL: FakeLiteLLM(master_key=KEY)})
    controller: Object = field(default_factory=lambda: FULL)

    def __post_init__(self) -> None:
        loop = asyncio.get_running_loop()
        context = Context(
            now=lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=int(loop.time())),
            prober=Prober(lambda _: FakeNetwork(self.proxies), loop.time),
            entropy=lambda size: bytes(range(size)),
        )
        transport = httpx2.ASGITransport(app=application([LITELLM_INSTANCES], context))
        self._http = httpx2.AsyncClient(transport=transport, base_url="http://palena")

    async def post(self, hook: str, body: Object) -> httpx2.Response:
        return await self._http.post(f"/hooks/litellminstances/{hook}", content=orjson.dumps(body))

    async def sync(self, parent: Object, related: Iterable[Object] | None = None, children: Iterable[Object] = ()) -> Object:
        """The answer; it must be a 200. By default the Secret with the master key is there."""
        response = await self.post("sync", self.body(parent, related, children))
        assert response.status_code == 200, response.text
        return response.json()

    def body(self, parent: Object, related: Iterable[Object] | None = None, children: Iterable[Object] = ()) -> Object:
        kinds = [rule.resource.key for rule in CHILDREN] if self.controller is FULL else []
        return {
            "controller": self.controller,
            "parent": parent,
            "children": grouped(children, kinds),
            "related": grouped([secret(MASTER=KEY)] if related is None else related, ["Secret.v1"]),
            "finalizing": False,
        }

    async def customize(self, parent: Object) -> list[Object]:
        response = await self.post("customize", {"controller": self.controller, "parent": parent})
        assert response.status_code == 200, response.text
        return response.json()["relatedResources"]


def condition(answer: Object, kind: str) -> Object:
    """A condition of the answered status; empty where it is absent."""
    return next((item for item in answer["status"]["conditions"] if item["type"] == kind), {})


def reason(answer: Object, kind: str = "Ready") -> str:
    """``True/ProxyReachable``, or an empty text where the condition is absent."""
    item = condition(answer, kind)
    return f"{item['status']}/{item['reason']}" if item else ""
