"""Read, change, write: for changes that are right whatever else has changed since the object was read."""

from __future__ import annotations

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
    the object is gone, also if another one has its name now.
    """
    metadata = item["metadata"]
    namespace, name = metadata.get("namespace", ""), metadata["name"]
    for attempt in range(ATTEMPTS):
        live = await cluster.get(resource, namespace, name)
        if live["metadata"]["uid"] != metadata["uid"]:
            raise NotFound(f"{item['kind']} {name} of uid {metadata['uid']} is gone")
        wanted = change(live)
        if wanted is live:
            return live
        try:
            return await cluster.update(wanted, subresource=subresource)
        except Conflict:
            if attempt == ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable")
