"""The service's reader over a cluster of the simulation, with what a real one may see: Secrets by name, and our own kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.kube.reader import OWN_GROUPS, SECRET, ReadFailed
from app.sim.cluster import ApiError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hooks.objects import Object, Resource
    from app.sim.cluster import Cluster


class SimulatedReader:
    """Remembers Secrets for those who ask by version. ``cluster`` is asked for at each read, so it may come later."""

    def __init__(self, cluster: Callable[[], Cluster]) -> None:
        self._cluster = cluster
        self._secrets: dict[tuple[str, str], Object] = {}

    async def secret(self, namespace: str, name: str, *, version: str = "") -> Object | None:
        """The Secret of the version that is asked for, if that was read before; else as it is now."""
        known = self._secrets.get((namespace, name))
        if known is not None and version and known["metadata"]["resourceVersion"] == version:
            return known
        found = await self._get(SECRET, namespace, name)
        if found is not None:
            self._secrets[namespace, name] = found
        return found

    async def get(self, resource: Resource, namespace: str, name: str) -> Object | None:
        """The object as it is now."""
        return await self._get(_own(resource), namespace, name)

    async def list(self, resource: Resource, namespace: str) -> list[Object]:
        """The objects as they are now."""
        try:
            return await self._cluster().list(_own(resource), namespace)
        except ApiError as error:
            raise ReadFailed(f"{resource.plural} cannot be listed: {error.message}") from error

    async def aclose(self) -> None:
        """Nothing to end."""

    async def _get(self, resource: Resource, namespace: str, name: str) -> Object | None:
        try:
            return await self._cluster().get(resource, namespace, name)
        except NotFound:
            return None
        except ApiError as error:
            raise ReadFailed(f"{resource.kind} {name} cannot be read: {error.message}") from error


def _own(resource: Resource) -> Resource:
    if resource.group not in OWN_GROUPS:
        raise AssertionError(f"{resource.plural} are none of ours")
    return resource
