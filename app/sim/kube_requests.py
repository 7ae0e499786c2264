"""Plain requests on an API server's REST interface: paths, discovery, lists, watch streams, and refusals as errors.

Nothing here retries, and nothing is remembered but which kinds are served. Paths have no leading slash: they follow the address
that the client knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

import httpx2
import orjson

from app.hooks.objects import Object, Resource
from app.sim.cluster import AlreadyExists, ApiError, Conflict, Forbidden, Invalid, NotFound
from app.sim.go_json import go_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

JSON = "application/json"
MERGE_PATCH = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"

REQUEST_SECONDS = 30.0


class KubeRequests:
    """Requests with one account's credentials, which ``client`` knows."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client
        self._served: dict[str, list[Resource]] = {}

    async def aclose(self) -> None:
        """End the connection."""
        await self._client.aclose()

    async def send(
        self, method: str, path: str, *, body: Object | None = None, content_type: str = JSON, query: dict[str, str] | None = None
    ) -> Object:
        """The answer to one request. Raises :class:`ApiError`, also when the server can't be reached."""
        # Immutable data of a ControllerRevision is stored as it was written, and every later write is compared with that.
        content = None if body is None else go_json(body).encode()
        try:
            response = await self._client.request(
                method, path, content=content, params=query, headers={"Content-Type": content_type}
            )
        except httpx2.TransportError as error:
            raise ApiError(f"{method} {path}: the API server can't be reached: {error}") from error
        if response.is_error:
            raise _refusal(response.status_code, response.content)
        return cast("Object", orjson.loads(response.content))

    async def listed(self, resource: Resource, namespace: str = "") -> tuple[list[Object], str]:
        """All objects of a kind, with the ``apiVersion`` and ``kind`` that lists leave out, and the list's version."""
        answer = await self.send("GET", path(resource, namespace))
        typed = {"apiVersion": resource.api_version, "kind": resource.kind}
        items: list[Object] = answer.get("items") or []
        return [{**typed, **item} for item in items], answer["metadata"]["resourceVersion"]

    async def events(self, resource: Resource, version: str) -> AsyncIterator[Object]:
        """The events of one watch until the server ends it; an error event is raised."""
        query = {"watch": "true", "resourceVersion": version}
        timeout = httpx2.Timeout(REQUEST_SECONDS, read=None)
        async with self._client.stream("GET", path(resource), params=query, timeout=timeout) as response:
            if response.is_error:
                await response.aread()
                raise _refusal(response.status_code, response.content)
            async for line in response.aiter_lines():
                event = cast("Object", orjson.loads(line))
                if event["type"] == "ERROR":
                    raise _refusal(event["object"].get("code", 500), orjson.dumps(event["object"]))
                yield event

    async def discovered(self, api_version: str, attribute: Literal["plural", "kind"], value: str) -> Resource:
        """A kind of a served API version, which is asked for again when the kind is not among those it had.

        Raises :class:`NotFound` for one that is not served.
        """
        for known in (True, False):
            if not known or api_version not in self._served:
                self._served[api_version] = await self._discover(api_version)
            for resource in self._served[api_version]:
                if getattr(resource, attribute) == value:
                    return resource
        raise NotFound(f"the API server serves no {value} of {api_version}")

    async def _discover(self, api_version: str) -> list[Resource]:
        found = await self.send("GET", root(api_version))
        return [
            Resource(api_version, one["kind"], one["name"], namespaced=one["namespaced"])
            for one in found["resources"]
            if "/" not in one["name"]
        ]


def root(api_version: str) -> str:
    """The URL path of an API version."""
    return f"apis/{api_version}" if "/" in api_version else f"api/{api_version}"


def path(resource: Resource, namespace: str = "", name: str = "", subresource: str = "") -> str:
    """The URL path of an object, or of a collection when there is no name."""
    place = ("namespaces", namespace) if namespace and resource.namespaced else ()
    return "/".join(part for part in (root(resource.api_version), *place, resource.plural, name, subresource) if part)


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
