"""LiteLLMGuardrail: says of a guardrail whether it can be used, and what its gateway makes of it.

It makes no call and owns nothing. The gateway renders guardrails into its configuration (:mod:`app.controllers.guardrails`) and
alone knows which of two collide; what it tells in ``status.guardrails`` is told here again, on the object of whoever wrote it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.guardrail import LITELLM_GUARDRAIL, LiteLLMGuardrailSpec
from app.apis.litellm.instance import LITELLM_INSTANCE
from app.controllers.entities.references import is_name, spec_name
from app.controllers.entities.secrets import secret_text
from app.controllers.entities.unsettled import Unsettled, missing_instance
from app.controllers.relations import is_attached
from app.hooks.controller import CompositeController
from app.hooks.response import CustomizeResponse, RelatedRule, SyncResponse
from app.proxyconfig.guardrails import flaw
from app.proxyconfig.secret_names import guardrail_variable
from app.resources.kinds import SECRET
from app.status import resync
from app.status.entity.guardrail import guardrail_status
from app.status.entity.guardrail_reasons import (
    COLLISIONS,
    FLAWS,
    GUARDRAIL_LEFT_OUT,
    INSTANCE_UNMANAGED,
    VALIDATED,
)
from app.status.instance.finalizer import finalizer_conditions
from app.status.instance.gateway_reasons import SETTINGS_QUESTIONABLE
from app.status.instance.reasons import INVALID_SPEC
from app.status.instance.words import ignored_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.controllers.context import Context
    from app.hooks.objects import Object
    from app.hooks.request import CustomizeRequest, SyncRequest
    from app.status.reason import Condition

STEADY = 300
"""Seconds after which it is looked at again. All that it depends on comes as an event."""


class Verdict(NamedTuple):
    """What is told, and when to look again."""

    ready: Condition
    again: int = STEADY
    configured: bool = False
    warnings: tuple[Condition, ...] = ()


def customize(request: CustomizeRequest) -> CustomizeResponse:
    """The instance, and the Secret with the provider's key."""
    spec: Any = request.parent.get("spec")
    wanted = ((LITELLM_INSTANCE.resource, spec_name(spec, "instanceRef")), (SECRET, spec_name(spec, "apiKeySecretRef")))
    rules = [
        RelatedRule(resource=resource, namespace=request.namespace, names=(name,)) for resource, name in wanted if is_name(name)
    ]
    return CustomizeResponse(related=rules)


async def sync(request: SyncRequest, context: Context) -> SyncResponse:
    """The status: of the first thing that is in the way, else of what the gateway tells."""
    verdict = await _verdict(request, context)
    status = guardrail_status(
        verdict.ready,
        (*verdict.warnings, *finalizer_conditions(request.parent)),
        request.parent.get("status"),
        request.generation,
        context.now,
        configured=verdict.configured,
    )
    return SyncResponse(status=status, children=[], retained=[], resync_after_seconds=resync.jittered(verdict.again, request.uid))


async def _verdict(request: SyncRequest, context: Context) -> Verdict:
    """The Go operator's checks in its order."""
    spec = check_spec(LiteLLMGuardrailSpec, request.parent.get("spec"))
    if isinstance(spec, InvalidSpec):
        return Verdict(INVALID_SPEC.because(spec.message), resync.NEVER)
    name = spec.instance_ref.name
    instance = request.related.find(LITELLM_INSTANCE.resource, request.namespace, name)
    note = _note(instance, request.name)
    if (found := flaw(spec)) is not None:
        reason, message = found
        served = "; until then the proxy runs it as it was before" if note.get("configured") is True else ""
        return Verdict(FLAWS[reason].because(message + served), resync.NEVER)
    try:
        if instance is None:
            raise missing_instance(name)
        if is_attached(instance.get("spec")):
            message = (
                f"LiteLLMInstance {name} attaches to a proxy that owns its own configuration (spec.workload.managed is false)"
            )
            return Verdict(INSTANCE_UNMANAGED.because(message))
        if (key := spec.api_key_secret_ref) is not None:
            await secret_text(request, key.name, key.key, "spec.apiKeySecretRef", context)
    except Unsettled as unsettled:
        return Verdict(unsettled.reason.ready.because(unsettled.message), unsettled.again)
    return _as_noted(note, name)._replace(warnings=tuple(_ignored(note, spec)))


def _as_noted(note: Object, instance: str) -> Verdict:
    """What the gateway makes of a guardrail that is in order, as far as it has seen it."""
    reason = str(note.get("reason", ""))
    if note.get("configured") is True and not reason:
        return Verdict(VALIDATED.because(f"the configuration of LiteLLMInstance {instance} has it"), configured=True)
    if not reason or reason in FLAWS or reason == INVALID_SPEC.reason:
        # What the gateway has told of an earlier spec does not hold any more.
        return Verdict(VALIDATED.because(f"the configuration of LiteLLMInstance {instance} does not have it yet"))
    return Verdict(COLLISIONS.get(reason, GUARDRAIL_LEFT_OUT).because(str(note.get("message", reason))))


def _ignored(note: Object, spec: LiteLLMGuardrailSpec) -> Iterator[Condition]:
    """The variables of the present spec of which the gateway says that it has them otherwise."""
    key = guardrail_variable(spec)
    own = {str(variable.get("name")) for variable in spec.env_vars or ()}
    if key is not None:
        own.add(key.name)
    told: Any = note.get("ignoredVariables")
    if ignored := [name for name in cast("list[Any]", told) if name in own] if isinstance(told, list) else []:
        yield SETTINGS_QUESTIONABLE.because(f"the guardrail {ignored_words(ignored)}")


def _note(instance: Object | None, name: str) -> Object:
    """What the gateway tells of the guardrail; empty where it tells nothing."""
    status: Any = instance.get("status") if instance is not None else None
    notes: Any = cast("Object", status).get("guardrails") if isinstance(status, dict) else None
    for note in cast("list[Any]", notes) if isinstance(notes, list) else []:
        if isinstance(note, dict) and cast("Object", note).get("name") == name:
            return cast("Object", note)
    return {}


LITELLM_GUARDRAILS: CompositeController[Context] = CompositeController(
    name=LITELLM_GUARDRAIL.resource.plural,
    parent=LITELLM_GUARDRAIL.resource,
    children=(),
    related=(LITELLM_INSTANCE.resource, SECRET),
    owns_workloads=False,
    sync=sync,
    customize=customize,
)
