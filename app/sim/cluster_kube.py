"""The cluster as a real API server: :class:`~app.sim.cluster.Cluster` over HTTP.

lightkube supplies the connection: kubeconfig, credentials, TLS. The verbs are plain requests on it, because its typed client
has neither discovery nor a delete that is bound to a uid, and keeps the kinds it has met in a table of the whole process.
Objects stay the dictionaries that came over the wire.

A connection belongs to the event loop that first uses it. Nothing here retries a refused request; only watches heal themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import httpx2
from lightkube.config.client_adapter import AsyncClient, ConnectionParams
from lightkube.config.kubeconfig import KubeConfig

from app.sim.cluster import Propagation
from app.sim.kube_requests import APPLY, MERGE_PATCH, REQUEST_SECONDS, KubeRequests, path
from app.sim.kube_watches import Watches

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import TracebackType

    from lightkube.config.kubeconfig import SingleConfig

    from app.hooks.objects import Object, Resource
    from app.sim.cluster import Change


class KubeCluster:
    """A connection to an API server with one account's rights. Close it, or use it as an asynchronous context manager."""

    def __init__(self, client: httpx2.AsyncClient, *, manager: str = "palena") -> None:
        """``client`` knows address and credentials; ``manager`` is the field manager of all but server-side apply."""
        self._manager = manager
        self._requests = KubeRequests(client)
        self._watches = Watches(self._requests)

    @classmethod
    def from_kubeconfig(cls, file: Path, *, manager: str = "palena") -> KubeCluster:
        """Connect as the current context of a kubeconfig file says."""
        config = cast("SingleConfig", KubeConfig.from_file(file).get())
        client = AsyncClient(config, ConnectionParams(timeout=httpx2.Timeout(REQUEST_SECONDS), trust_env=False))
        return cls(client, manager=manager)

    async def __aenter__(self) -> KubeCluster:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """End all watches and the connection."""
        await self._watches.aclose()
        await self._requests.aclose()

    async def resource(self, api_version: str, plural: str) -> Resource:
        """The served kind, by discovery; :class:`NotFound` if it is not served."""
        return await self._requests.discovered(api_version, "plural", plural)

    async def resource_of(self, api_version: str, kind: str) -> Resource:
        """The served kind by its name, by discovery; :class:`NotFound` if it is not served."""
        return await self._requests.discovered(api_version, "kind", kind)

    async def get(self, resource: Resource, namespace: str, name: str) -> Object:
        """One object, live."""
        return await self._requests.send("GET", path(resource, namespace, name))

    async def list(self, resource: Resource, namespace: str = "") -> list[Object]:
        """All objects of a kind, with the ``apiVersion`` and ``kind`` that lists leave out."""
        items, _ = await self._requests.listed(resource, namespace)
        self._watches.learn(resource, items)
        return items

    async def create(self, item: Object) -> Object:
        """POST."""
        resource, namespace, _ = await self._place(item)
        return await self._requests.send("POST", path(resource, namespace), body=item, query={"fieldManager": self._manager})

    async def update(self, item: Object, *, subresource: str = "") -> Object:
        """PUT."""
        place = path(*await self._place(item), subresource)
        return await self._requests.send("PUT", place, body=item, query={"fieldManager": self._manager})

    async def merge_patch(self, resource: Resource, namespace: str, name: str, patch: Object, *, subresource: str = "") -> Object:
        """PATCH with a JSON merge patch."""
        place = path(resource, namespace, name, subresource)
        return await self._requests.send(
            "PATCH", place, body=patch, content_type=MERGE_PATCH, query={"fieldManager": self._manager}
        )

    async def apply(self, item: Object, *, manager: str, force: bool = True, dry_run: bool = False) -> Object:
        """Server-side apply."""
        query = {"fieldManager": manager, "force": "true" if force else "false", **({"dryRun": "All"} if dry_run else {})}
        return await self._requests.send("PATCH", path(*await self._place(item)), body=item, content_type=APPLY, query=query)

    async def delete(
        self, resource: Resource, namespace: str, name: str, *, propagation: Propagation = Propagation.BACKGROUND, uid: str = ""
    ) -> None:
        """DELETE; with ``uid`` only the object of that uid, else :class:`Conflict`."""
        options: Object = {"propagationPolicy": propagation.value, **({"preconditions": {"uid": uid}} if uid else {})}
        await self._requests.send("DELETE", path(resource, namespace, name), body=options)

    def watch(self, resources: Sequence[Resource]) -> None:
        """Follow these kinds. What is there already, unless it is listed meanwhile, is reported as added: nothing is missed."""
        self._watches.follow(resources)

    async def changes(self) -> list[Change]:
        """The changes since the last call. Raises what ended a watch for good, e.g. :class:`~app.sim.cluster.Forbidden`."""
        return self._watches.changes()

    async def _place(self, item: Object) -> tuple[Resource, str, str]:
        """Where an object lives: kind, namespace, name."""
        resource = await self.resource_of(item["apiVersion"], item["kind"])
        return resource, item["metadata"].get("namespace", ""), item["metadata"].get("name", "")
