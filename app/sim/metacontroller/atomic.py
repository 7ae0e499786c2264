"""Read, change, write: for changes that are right whatever else has changed since the object was read."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from app.sim.cluster import Conflict, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hooks.objects import Object, Resource
    from app.sim.cluster import Cluster

ATTEMPTS = 4


async def atomic_update(
    cluster: Cluster, resource: Resource, item: Object, change: Callable[[Object], Object], *, subresource: str = ""
) -> Object:
    """Change the live object of this item's uid, trying again when somebody else was quicker.

    ``change`` gives the object to write, or the very one it was given if there is nothing to do. Raises :class:`NotFound` when
    the object is gone, also if another one has its name now; :class:`Conflict` when somebody was quicker each time.
    """
    for _ in range(ATTEMPTS - 1):
        with suppress(Conflict):
            return await _once(cluster, resource, item, change, subresource)
    return await _once(cluster, resource, item, change, subresource)


async def _once(
    cluster: Cluster, resource: Resource, item: Object, change: Callable[[Object], Object], subresource: str
) -> Object:
    metadata = item["metadata"]
    live = await cluster.get(resource, metadata.get("namespace", ""), metadata["name"])
    if live["metadata"]["uid"] != metadata["uid"]:
        raise NotFound(f"{item['kind']} {metadata['name']} of uid {metadata['uid']} is gone")
    wanted = change(live)
    return live if wanted is live else await cluster.update(wanted, subresource=subresource)
