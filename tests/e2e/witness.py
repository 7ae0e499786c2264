"""Notes what is written through a connection to the in-memory cluster, as the audit log does for the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.hooks.objects import Object, Resource
    from app.sim.cluster import Cluster


class Witnessed:
    """A :class:`~app.sim.cluster.Cluster` that remembers successful writes as ``<verb> <plural>/<name>[/<subresource>]``."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.written: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cluster, name)

    async def create(self, item: Object) -> Object:
        created = await self._cluster.create(item)
        await self._note("create", item)
        return created

    async def update(self, item: Object, *, subresource: str = "") -> Object:
        updated = await self._cluster.update(item, subresource=subresource)
        await self._note("update", item, subresource)
        return updated

    async def merge_patch(self, resource: Resource, namespace: str, name: str, patch: Object, **options: Any) -> Object:
        patched = await self._cluster.merge_patch(resource, namespace, name, patch, **options)
        self.written.add(f"patch {resource.plural}/{name}")
        return patched

    async def apply(self, item: Object, *, dry_run: bool = False, **options: Any) -> Object:
        applied = await self._cluster.apply(item, dry_run=dry_run, **options)
        if not dry_run:
            await self._note("patch", item)
        return applied

    async def delete(self, resource: Resource, namespace: str, name: str, **options: Any) -> None:
        await self._cluster.delete(resource, namespace, name, **options)
        self.written.add(f"delete {resource.plural}/{name}")

    async def _note(self, verb: str, item: Object, subresource: str = "") -> None:
        resource = await self._cluster.resource_of(item["apiVersion"], item["kind"])
        target = "/".join(part for part in (resource.plural, item["metadata"]["name"], subresource) if part)
        self.written.add(f"{verb} {target}")
