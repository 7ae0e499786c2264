"""An object that goes over to another LiteLLMInstance: nobody sees any more to what it has in LiteLLM at the former one."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, TypeVar

from app.apis.litellm.instance import LITELLM_INSTANCE
from app.apis.section import Section
from app.hooks.observed_fields import object_in, text_in
from app.kube.reader import ReadFailed
from app.litellm.entities.fingerprint import is_elsewhere
from app.status.conditions import decided_again, observed_conditions
from app.status.entity.reasons import LEFT_BEHIND
from app.status.entity.recorded import recorded

if TYPE_CHECKING:
    from app.controllers.context import Context
    from app.controllers.entities.kind import EntityKind
    from app.hooks.request import SyncRequest
    from app.status.reason import Condition

S = TypeVar("S", bound=Section)

_log = logging.getLogger(__name__)


async def left_at_another_instance(kind: EntityKind[S], request: SyncRequest, context: Context) -> tuple[Condition, ...]:
    """What is told of the former instance: from the sync that sees the edit until the next edit. Once in the log, and counted."""
    status = request.parent.get("status")
    told = observed_conditions(status).get(LEFT_BEHIND.type)
    if told is not None and told.get("observedGeneration") == request.generation:
        return (decided_again(told),)
    name = text_in(object_in(request.parent.get("spec"), "instanceRef"), "name")
    before = recorded(status, kind.id_field)
    if not name or before.adopted or not is_elsewhere(before.sync_hash, name):
        return ()
    former = await _former(before.sync_hash, request.namespace, context)
    leave_behind(kind, request, f"spec.instanceRef named {former} before", context)
    return (LEFT_BEHIND.because(f"{kind.entity.noun} {before.id} is left in LiteLLM at {former}: delete it there"),)


def leave_behind(kind: EntityKind[S], request: SyncRequest, why: str, context: Context) -> None:
    """Says in the log, and counts, that nobody sees to the remote object any more."""
    _log.warning(
        "%s %s/%s has no part in its %s any more, which may be left in LiteLLM: %s",
        kind.resource.resource.kind,
        request.namespace,
        request.name,
        kind.entity.noun,
        why,
    )
    context.left_behind(kind.resource.resource.kind)


async def _former(told: str, namespace: str, context: Context) -> str:
    """The instance at which something was told, by its name if the cluster still has it."""
    try:
        instances = await context.reader.list(LITELLM_INSTANCE.resource, namespace)
    except ReadFailed:
        instances = []
    names = [str(one["metadata"]["name"]) for one in instances]
    found = [name for name in names if not is_elsewhere(told, name)]
    return f"LiteLLMInstance {found[0]}" if found else "another LiteLLMInstance"
