"""Values of made-up Secrets that are in the cluster already, though the request lacks them.

A request comes from a cache that may be one write behind. For one that it lacks another would be made up: under server-side
apply that one takes the place of the first, which pods may have read by then.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.controllers.generated import without_value
from app.controllers.taken_names import is_ours
from app.hooks.objects import terminating
from app.hooks.request import Observed
from app.kube.reader import LIVE, ReadFailed
from app.resources.kinds import SECRET

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest
    from app.kube.reader import Reader
    from app.resources.gateway import Gateway


async def with_stored_secrets(request: SyncRequest, gateway: Gateway, reader: Reader) -> SyncRequest:
    """The request with their Secrets among the children, as they are. Nothing is read unless a value is lacking.

    A cluster that gives no answer is not asked for the next one: each question takes seconds, and the hook has few.
    """
    stored: dict[str, Object] = {}
    for name in without_value(request, gateway):
        try:
            found = await reader.secret(request.namespace, name, version=LIVE)
        except ReadFailed:
            break
        if found is not None and is_ours(found, request.uid) and not terminating(found):
            stored[f"{request.namespace}/{name}"] = found
    if not stored:
        return request
    groups = request.children.groups
    return replace(request, children=Observed({**groups, SECRET.key: {**groups.get(SECRET.key, {}), **stored}}))
