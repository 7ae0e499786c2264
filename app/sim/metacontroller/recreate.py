"""The update method Recreate: delete now; a later pass, which finds the child missing, makes it anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.sim.cluster import NotFound

if TYPE_CHECKING:
    from app.hooks.objects import Object, Resource
    from app.sim.cluster import Cluster


async def recreate(cluster: Cluster, resource: Resource, observed: Object) -> None:
    """Delete this very object; that it is gone already is fine."""
    metadata = observed["metadata"]
    try:
        await cluster.delete(resource, metadata.get("namespace", ""), metadata["name"], uid=metadata["uid"])
    except NotFound:
        return
