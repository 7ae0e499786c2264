"""The cluster as a real API server: :class:`~app.sim.cluster.Cluster` over HTTP.

lightkube supplies the connection: kubeconfig, credentials, TLS. The verbs are plain requests on it, because its typed client
has neither discovery nor a delete that is bound to a uid, and keeps the kinds it has met in a table of the whole process.
Objects stay the dictionaries that came over the wire.

A connection belongs to the event loop that first uses it. Nothing here retries a refused request; only watches heal themselves.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import httpx2
import orjson
from lightkube.config.client_adapter import AsyncClient, ConnectionParams
from lightkube.config.kubeconfig import KubeConfig

from app.hooks.objects import Object, Resource, object_key
from app.sim.cluster import (
    AlreadyExists,
    ApiError,
    Change,
    ChangeType,
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    Propagation,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence
    from pathlib import Path
    from types import TracebackType

    from lightkube.config.kubeconfig import SingleConfig

JSON = "application/json"
MERGE_PATCH = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"

REQUEST_SECONDS = 30.0
RELIST_PAUSE_SECONDS = 1.0
"""Between the end of a watch and the list that it begins anew with."""


@dataclass(slots=True)
class _Watched:
    """What is known of one kind to whoever watches it: the list that a watch begins with is compared with it."""

    resource: Resource
    known: dict[str, Object] = field(default_factory=dict[str, Object])

    def learn(self, items: Iterable[Object]) -> None:
        """Take note of objects that the watcher has listed himself."""
        for item in items:
            self.known.setdefault(object_key(item), item)


class KubeCluster:
    """A connection to an API server with one account's rights. Close it, or use it as an asynchronous context manager."""

    def __init__(self, client: httpx2.AsyncClient, *, manager: str = "palena") -> None:
        """``client`` knows address and credentials; ``manager`` is the field manager of all but server-side apply."""
        self._client = client
        self._manager = manager
        self._served: dict[str, list[Resource]] = {}
        self._watched: dict[Resource, _Watched] = {}
        self._watches: list[asyncio.Task[None]] = []
        self._changes: list[Change] = []

    @classmethod
    def from_kubeconfig(cls, path: Path, *, manager: str = "palena") -> KubeCluster:
        """Connect as the current context of a kubeconfig file says."""
        config = cast("SingleConfig", KubeConfig.from_file(path).get())
        client = AsyncClient(config, ConnectionParams(timeout=httpx2.Timeout(REQUEST_SECONDS), trust_env=False))
        return cls(client, manager=manager)

    async def __aenter__(self) -> KubeCluster:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """End all watches and the connection."""
        for watch in self._watches:
            watch.cancel()
        await asyncio.gather(*self._watches, return_exceptions=True)
        self._watches.clear()
        await self._client.aclose()

    async def resource(self, api_version: str, plural: str) -> Resource:
        """The served kind, by discovery; :class:`NotFound` if it is not served."""
        return await self._discovered(api_version, "plural", plural)

    async def resource_of(self, api_version: str, kind: str) -> Resource:
        """The served kind by its name, by discovery; :class:`NotFound` if it is not served."""
        return await self._discovered(api_version, "kind", kind)

    async def get(self, resource: Resource, namespace: str, name: str) -> Object:
        """One object, live."""
        return await self._request("GET", _path(resource, namespace, name))

    async def list(self, resource: Resource, namespace: str = "") -> list[Object]:
        """All objects of a kind, with the ``apiVersion`` and ``kind`` that lists leave out."""
        items, _ = await self._listed(resource, namespace)
        if resource in self._watched:
            self._watched[resource].learn(items)
        return items

    async def create(self, item: Object) -> Object:
        """POST."""
        resource, namespace, _ = await self._place(item)
        return await self._request("POST", _path(resource, namespace), body=item, query={"fieldManager": self._manager})

    async def update(self, item: Object, *, subresource: str = "") -> Object:
        """PUT."""
        path = _path(*await self._place(item), subresource)
        return await self._request("PUT", path, body=item, query={"fieldManager": self._manager})

    async def merge_patch(self, resource: Resource, namespace: str, name: str, patch: Object, *, subresource: str = "") -> Object:
        """PATCH with a JSON merge patch."""
        path = _path(resource, namespace, name, subresource)
        return await self._request("PATCH", path, body=patch, content_type=MERGE_PATCH, query={"fieldManager": self._manager})

    async def apply(self, item: Object, *, manager: str, force: bool = True, dry_run: bool = False) -> Object:
        """Server-side apply."""
        query = {"fieldManager": manager, "force": "true" if force else "false", **({"dryRun": "All"} if dry_run else {})}
        return await self._request("PATCH", _path(*await self._place(item)), body=item, content_type=APPLY, query=query)

    async def delete(
        self, resource: Resource, namespace: str, name: str, *, propagation: Propagation = Propagation.BACKGROUND, uid: str = ""
    ) -> None:
        """DELETE; with ``uid`` only the object of that uid, else :class:`Conflict`."""
        options: Object = {"propagationPolicy": propagation.value, **({"preconditions": {"uid": uid}} if uid else {})}
        await self._request("DELETE", _path(resource, namespace, name), body=options)

    def watch(self, resources: Sequence[Resource]) -> None:
        """Follow these kinds. What is there already, unless it is listed meanwhile, is reported as added: nothing is missed."""
        for resource in resources:
            if resource not in self._watched:
                watched = self._watched[resource] = _Watched(resource)
                self._watches.append(asyncio.create_task(self._follow(watched)))

    async def changes(self) -> list[Change]:
        """The changes since the last call. Raises what ended a watch for good, e.g. :class:`Forbidden`."""
        for watch in self._watches:
            if watch.done():
                watch.result()
        changes, self._changes = self._changes, []
        return changes

    # Watching.

    async def _follow(self, watched: _Watched) -> None:
        """List and watch, for ever. A watch that breaks or is told that its version is too old begins anew with a list."""
        while True:
            try:
                version = await self._relist(watched)
                async for event in self._events(watched.resource, version):
                    self._report(watched, ChangeType(event["type"]), event["object"])
            except (Forbidden, Invalid):
                raise
            except (ApiError, httpx2.HTTPError):
                await asyncio.sleep(RELIST_PAUSE_SECONDS)

    async def _relist(self, watched: _Watched) -> str:
        """Report how what is there now differs from what is known; the list's version, to watch from."""
        try:
            items, version = await self._listed(watched.resource)
        except NotFound:
            items, version = [], ""
        present = {object_key(item) for item in items}
        for key in [key for key in watched.known if key not in present]:
            self._report(watched, ChangeType.DELETED, watched.known[key])
        for item in items:
            known = watched.known.get(object_key(item))
            if known is None:
                self._report(watched, ChangeType.ADDED, item)
            elif known["metadata"]["resourceVersion"] != item["metadata"]["resourceVersion"]:
                self._report(watched, ChangeType.MODIFIED, item)
        return version

    async def _events(self, resource: Resource, version: str) -> AsyncIterator[Object]:
        """The events of one watch until the server ends it; an error event is raised."""
        query = {"watch": "true", "resourceVersion": version}
        timeout = httpx2.Timeout(REQUEST_SECONDS, read=None)
        async with self._client.stream("GET", _path(resource), params=query, timeout=timeout) as response:
            if response.is_error:
                await response.aread()
                raise _refusal(response.status_code, response.content)
            async for line in response.aiter_lines():
                event = cast("Object", orjson.loads(line))
                if event["type"] == "ERROR":
                    raise _refusal(event["object"].get("code", 500), orjson.dumps(event["object"]))
                yield event

    def _report(self, watched: _Watched, change: ChangeType, item: Object) -> None:
        if change is ChangeType.DELETED:
            watched.known.pop(object_key(item), None)
        else:
            watched.known[object_key(item)] = item
        self._changes.append(Change(change, item))

    # Requests.

    async def _request(
        self, method: str, path: str, *, body: Object | None = None, content_type: str = JSON, query: dict[str, str] | None = None
    ) -> Object:
        content = None if body is None else orjson.dumps(body)
        try:
            response = await self._client.request(
                method, path, content=content, params=query, headers={"Content-Type": content_type}
            )
        except httpx2.TransportError as error:
            raise ApiError(f"{method} {path}: the API server can't be reached: {error}") from error
        if response.is_error:
            raise _refusal(response.status_code, response.content)
        return cast("Object", orjson.loads(response.content))

    async def _listed(self, resource: Resource, namespace: str = "") -> tuple[list[Object], str]:
        answer = await self._request("GET", _path(resource, namespace))
        typed = {"apiVersion": resource.api_version, "kind": resource.kind}
        items: list[Object] = answer.get("items") or []
        return [{**typed, **item} for item in items], answer["metadata"]["resourceVersion"]

    async def _discovered(self, api_version: str, attribute: str, value: str) -> Resource:
        """A kind of a served API version. A version is asked for again when the kind is not among those it had."""
        for known in (True, False):
            if not known or api_version not in self._served:
                self._served[api_version] = await self._discover(api_version)
            for resource in self._served[api_version]:
                if getattr(resource, attribute) == value:
                    return resource
        raise NotFound(f"the API server serves no {value} of {api_version}")

    async def _discover(self, api_version: str) -> list[Resource]:
        found = await self._request("GET", _root(api_version))
        return [
            Resource(api_version, one["kind"], one["name"], namespaced=one["namespaced"])
            for one in found["resources"]
            if "/" not in one["name"]
        ]

    async def _place(self, item: Object) -> tuple[Resource, str, str]:
        """Where an object lives: kind, namespace, name."""
        resource = await self.resource_of(item["apiVersion"], item["kind"])
        return resource, item["metadata"].get("namespace", ""), item["metadata"].get("name", "")


def _root(api_version: str) -> str:
    return f"apis/{api_version}" if "/" in api_version else f"api/{api_version}"


def _path(resource: Resource, namespace: str = "", name: str = "", subresource: str = "") -> str:
    """The URL path of an object, or of a collection when there is no name."""
    place = ("namespaces", namespace) if namespace and resource.namespaced else ()
    return "/".join(part for part in (_root(resource.api_version), *place, resource.plural, name, subresource) if part)


def _refusal(code: int, content: bytes) -> ApiError:
    """The error of an answer, with the server's own message where it sent a Status."""
    try:
        status: Any = orjson.loads(content)
    except orjson.JSONDecodeError:
        status = {"message": content.decode(errors="replace").strip()}
    kinds: dict[int, type[ApiError]] = {404: NotFound, 403: Forbidden, 400: Invalid, 422: Invalid, 409: Conflict}
    kind = AlreadyExists if status.get("reason") == AlreadyExists.reason else kinds.get(code, ApiError)
    error = kind(status.get("message") or f"HTTP {code}")
    error.status, error.reason = code, status.get("reason") or kind.reason
    return error
