"""A toy kind, a toy controller, and the bodies that Metacontroller would send for them."""

from __future__ import annotations

from typing import Any

import httpx2
import orjson

from app.hooks import ChildRule, CompositeController, Object, Resource, SyncRequest, SyncResponse, Update
from app.hooks.asgi import application

TOY = Resource("toys.example.com/v1", "Toy", "toys")
CONFIG_MAP = Resource("v1", "ConfigMap", "configmaps")
SECRET = Resource("v1", "Secret", "secrets")
RULES = (ChildRule(CONFIG_MAP, Update.IN_PLACE), ChildRule(SECRET, Update.IN_PLACE))


def config_map(name: str = "box", **data: str) -> Object:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "play"}, "data": data or {"a": "b"}}


def sync(request: SyncRequest, context: Any) -> SyncResponse:
    return SyncResponse(status={"phase": "Made"}, children=[config_map()], retained=[])


def toy(**changes: Any) -> CompositeController[Any]:
    return CompositeController(**{"name": "toys", "parent": TOY, "children": RULES, "sync": sync} | changes)


def answering(response: Any) -> CompositeController[Any]:
    """A controller whose sync and finalize answer or raise ``response``."""

    def decide(request: SyncRequest, context: Any) -> Any:
        if isinstance(response, BaseException):
            raise response
        return response

    return toy(sync=decide, finalize=decide)


def parent(**fields: Any) -> Object:
    metadata = {"name": "bear", "namespace": "play", "uid": "u1", "generation": 3}
    return {"apiVersion": TOY.api_version, "kind": "Toy", "metadata": metadata, "spec": {}} | fields


def body(*, children: list[Object] | None = None, finalizing: bool = False, **fields: Any) -> Object:
    """The body of sync or finalize; every child rule has its group, as Metacontroller sends it."""
    groups: Object = {rule.resource.key: {} for rule in RULES}
    for child in children or ():
        groups[f"{child['kind']}.{child['apiVersion']}"][f"play/{child['metadata']['name']}"] = child
    request = {"controller": {}, "parent": parent(), "children": groups, "related": {}, "finalizing": finalizing}
    return request | fields


def client(controller: Any, **options: Any) -> httpx2.AsyncClient:
    """A client of an application with this one controller."""
    transport = httpx2.ASGITransport(app=application([controller], **options))
    return httpx2.AsyncClient(transport=transport, base_url="http://hooks")


async def post(controller: Any, content: Any = None, hook: str = "sync", headers: Any = None, **options: Any) -> httpx2.Response:
    """One exchange. ``content`` is a JSON object or bytes as they are."""
    data = content if isinstance(content, bytes) else orjson.dumps(body() if content is None else content)
    async with client(controller, **options) as hooks:
        return await hooks.post(f"/hooks/{controller.name}/{hook}", content=data, headers=headers)
