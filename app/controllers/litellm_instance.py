"""LiteLLMInstance: runs a gateway, or attaches to a proxy that runs already, and says in status what it sees.

With ``spec.workload.managed: false`` it owns nothing. Children from a time when the proxy was managed are kept as they are:
deleting a running gateway because a flag flipped would be an outage. Else it runs the gateway:
:mod:`app.controllers.managed_gateway`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.guardrail import LITELLM_GUARDRAIL
from app.apis.litellm.instance import LITELLM_INSTANCE, LiteLLMInstanceSpec
from app.controllers.attached_proxy import see_proxy
from app.controllers.config_sync.adding import with_config_sync
from app.controllers.instance_deletion import finalize
from app.controllers.managed_gateway import run_gateway
from app.controllers.relations import NAMED_KINDS, attached_relations, is_attached, managed_relations
from app.controllers.retaining import retain
from app.hooks.controller import ChildRule, CompositeController, Update
from app.hooks.response import CustomizeResponse, SyncResponse
from app.resources import kinds
from app.status import resync
from app.status.instance.attached import attached_status, resync_seconds
from app.status.instance.finalizer import finalizer_conditions
from app.status.instance.memory import last_successful_revision, remembered
from app.status.instance.reasons import INVALID_SPEC, MANAGED_MODE_NOT_INSTALLED
from app.status.unrendered import unrendered_status

if TYPE_CHECKING:
    from app.controllers.context import Context
    from app.hooks.request import CustomizeRequest, SyncRequest
    from app.status.reason import Condition

CHILDREN = (
    ChildRule(kinds.DEPLOYMENT, Update.IN_PLACE),
    ChildRule(kinds.STATEFUL_SET, Update.IN_PLACE),
    ChildRule(kinds.SERVICE, Update.IN_PLACE),
    ChildRule(kinds.SERVICE_ACCOUNT, Update.IN_PLACE),
    ChildRule(kinds.CONFIG_MAP, Update.IN_PLACE),
    ChildRule(kinds.SECRET, Update.IN_PLACE),
    ChildRule(kinds.INGRESS, Update.IN_PLACE),
    ChildRule(kinds.AUTOSCALER, Update.IN_PLACE),
    ChildRule(kinds.DISRUPTION_BUDGET, Update.IN_PLACE),
    ChildRule(kinds.NETWORK_POLICY, Update.IN_PLACE),
    ChildRule(kinds.JOB, Update.ON_DELETE),
    ChildRule(kinds.VOLUME_CLAIM, Update.ON_DELETE),
    ChildRule(kinds.CONTROLLER_REVISION, Update.ON_DELETE),
)
"""Everything that a managed instance owns, declared from the start: Metacontroller shows us no child of another kind."""

RELATED = (
    kinds.SECRET,
    kinds.CONFIG_MAP,
    kinds.POD,
    LITELLM_GUARDRAIL.resource,
    *(kind for kind in NAMED_KINDS if kind not in {kinds.SECRET, kinds.CONFIG_MAP}),
)
"""What a managed instance looks at besides its children: what it refers to, its pods, guardrails, and holders of its names."""

_DECLARED = {rule.resource.key: rule.resource for rule in CHILDREN}


def customize(request: CustomizeRequest) -> CustomizeResponse:
    """What the instance relates to. Any spec gets an answer: sync is where it is told what is wrong."""
    if is_attached(request.parent.get("spec")) or not request.installed_rules():
        return CustomizeResponse(related=attached_relations(request))
    return CustomizeResponse(related=managed_relations(request))


async def sync(request: SyncRequest, context: Context) -> SyncResponse:
    """Children and status: those of a gateway that we run, or none and the status of a proxy that we attach to."""
    spec = check_spec(LiteLLMInstanceSpec, request.parent.get("spec"))
    if isinstance(spec, InvalidSpec):
        return _as_it_is(INVALID_SPEC.because(spec.message), request, context)
    if spec.workload is not None and not spec.workload.managed:
        return await with_config_sync(request, spec, await _attached(request, spec, context), context)
    if not request.watched(_DECLARED):
        return _as_it_is(MANAGED_MODE_NOT_INSTALLED.because(_ATTACH_ONLY), request, context)
    return await with_config_sync(request, spec, await run_gateway(request, spec, _DECLARED, context), context)


async def _attached(request: SyncRequest, spec: LiteLLMInstanceSpec, context: Context) -> SyncResponse:
    """No children but those that are there from a time when the proxy was ours."""
    retained = retain(request)
    proxy = await see_proxy(request, spec, retained, context)
    return SyncResponse(
        status=attached_status(proxy, request.parent, request.generation, context.now),
        children=[],
        retained=retained,
        resync_after_seconds=resync_seconds(proxy, request.uid),
    )


_ATTACH_ONLY = (
    "this installation attaches to proxies only and has no right to run one; "
    "set spec.workload.managed to false, or install the full shape"
)


def _as_it_is(ready: Condition, request: SyncRequest, context: Context) -> SyncResponse:
    """Every child replayed, nothing claimed. Only an edit can help, and an edit starts a sync."""
    observed = request.parent.get("status")
    known = remembered(observed)
    if revision := last_successful_revision(observed):
        known["lastSuccessfulRevision"] = revision
    return SyncResponse(
        status=unrendered_status(
            [ready, *finalizer_conditions(request.parent)], observed, request.generation, context.now, known
        ),
        children=[],
        retained=retain(request),
        resync_after_seconds=resync.NEVER,
    )


LITELLM_INSTANCES: CompositeController[Context] = CompositeController(
    name=LITELLM_INSTANCE.resource.plural,
    parent=LITELLM_INSTANCE.resource,
    children=CHILDREN,
    related=RELATED,
    related_owning_nothing=(kinds.SECRET,),
    sync=sync,
    finalize=finalize,
    customize=customize,
)
