"""The demo's cluster over HTTP, as far as the service's reader asks it: single objects, and the objects of a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from app.sim.cluster import ApiError, NotFound

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from pathlib import Path

    from app.hooks.objects import Object
    from app.sim.cluster import Cluster


class ClusterOverHttp:
    """An ASGI app. ``cluster`` may be exchanged at any time: each play has its own."""

    def __init__(self) -> None:
        self.cluster: Cluster | None = None

    async def __call__(
        self,
        scope: MutableMapping[str, Any],
        receive: Callable[[], Awaitable[MutableMapping[str, Any]]],
        send: Callable[[MutableMapping[str, Any]], Awaitable[None]],
    ) -> None:
        """Answer one GET."""
        status, answer = await self._answer(scope["path"])
        await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": orjson.dumps(answer)})

    async def _answer(self, path: str) -> tuple[int, Object]:
        match path.strip("/").split("/"):
            case ["api", version, "namespaces", namespace, plural, *name]:
                return await self._found(version, namespace, plural, *name)
            case ["apis", group, version, "namespaces", namespace, plural, *name]:
                return await self._found(f"{group}/{version}", namespace, plural, *name)
            case _:
                return 404, {}

    async def _found(self, api_version: str, namespace: str, plural: str, *name: str) -> tuple[int, Object]:
        if self.cluster is None:
            return 503, {}
        try:
            resource = await self.cluster.resource(api_version, plural)
            if name:
                return 200, await self.cluster.get(resource, namespace, name[0])
            return 200, {"items": await self.cluster.list(resource, namespace)}
        except NotFound:
            return 404, {}
        except ApiError as error:
            return error.status, {"message": error.message}


def kubeconfig(file: Path, url: str) -> Path:
    """A kubeconfig that leads to the app at ``url``."""
    content: Object = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "demo",
        "clusters": [{"name": "demo", "cluster": {"server": url}}],
        "users": [{"name": "demo", "user": {}}],
        "contexts": [{"name": "demo", "context": {"cluster": "demo", "user": "demo"}}],
    }
    file.write_bytes(orjson.dumps(content))
    return file
