"""LiteLLMInstance: attaches to a proxy that runs already, and says in status what it sees.

With ``spec.workload.managed: false`` it owns nothing. Children from a time when the proxy was managed are kept as they are:
deleting a running gateway because a flag flipped would be an outage. Running a proxy itself is not built yet, and an instance
that asks for it is told so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.instance import LITELLM_INSTANCE, LiteLLMInstanceSpec
from app.controllers.attached_proxy import license_secrets, see_proxy
from app.controllers.secrets import SECRET
from app.hooks.controller import ChildRule, CompositeController, Update
from app.hooks.objects import Resource
from app.hooks.replay import replay_all
from app.hooks.response import CustomizeResponse, RelatedRule, SyncResponse
from app.status import resync
from app.status.instance.attached import attached_status, resync_seconds
from app.status.instance.reasons import INVALID_SPEC, MANAGED_MODE_NOT_AVAILABLE, MANAGED_MODE_NOT_INSTALLED
from app.status.unrendered import unrendered_status

if TYPE_CHECKING:
    from app.controllers.context import Context
    from app.hooks.objects import Object
    from app.hooks.request import CustomizeRequest, SyncRequest
    from app.status.reason import Condition

CHILDREN = (
    ChildRule(Resource("apps/v1", "Deployment", "deployments"), Update.IN_PLACE),
    ChildRule(Resource("apps/v1", "StatefulSet", "statefulsets"), Update.IN_PLACE),
    ChildRule(Resource("v1", "Service", "services"), Update.IN_PLACE),
    ChildRule(Resource("v1", "ServiceAccount", "serviceaccounts"), Update.IN_PLACE),
    ChildRule(Resource("v1", "ConfigMap", "configmaps"), Update.IN_PLACE),
    ChildRule(SECRET, Update.IN_PLACE),
    ChildRule(Resource("networking.k8s.io/v1", "Ingress", "ingresses"), Update.IN_PLACE),
    ChildRule(Resource("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"), Update.IN_PLACE),
    ChildRule(Resource("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets"), Update.IN_PLACE),
    ChildRule(Resource("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies"), Update.IN_PLACE),
    ChildRule(Resource("batch/v1", "Job", "jobs"), Update.ON_DELETE),
    ChildRule(Resource("v1", "PersistentVolumeClaim", "persistentvolumeclaims"), Update.ON_DELETE),
    ChildRule(Resource("apps/v1", "ControllerRevision", "controllerrevisions"), Update.ON_DELETE),
)
"""Everything that a managed instance owns, declared from the start: Metacontroller shows us no child of another kind."""

_SECRET_REFERENCES = (
    ("masterKey", "secretRef"),
    ("tls", "trustedCASecretRef"),
    ("tls", "serverCertSecretRef"),
)
_OBJECT_NAME = re.compile(r"[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?", re.ASCII)


def customize(request: CustomizeRequest) -> CustomizeResponse:
    """The Secrets that an attached proxy needs, by name. Any spec gets an answer: sync is where it is told what is wrong."""
    spec = request.parent.get("spec")
    names = {*license_secrets(request.name), *(_name_at(spec, *path) for path in _SECRET_REFERENCES)}
    legal = tuple(sorted(name for name in names if _OBJECT_NAME.fullmatch(name)))
    return CustomizeResponse(related=[RelatedRule(resource=SECRET, namespace=request.namespace, names=legal)])


async def sync(request: SyncRequest, context: Context) -> SyncResponse:
    """The status of an attached proxy; no children but those that are there."""
    spec = check_spec(LiteLLMInstanceSpec, request.parent.get("spec"))
    if isinstance(spec, InvalidSpec):
        return _as_it_is(INVALID_SPEC.because(spec.message), request, context)
    if spec.workload is None or spec.workload.managed:
        return _as_it_is(_managed_mode(request), request, context)
    retained = replay_all(request.children)
    proxy = await see_proxy(request, spec, retained, context)
    return SyncResponse(
        status=attached_status(proxy, request.parent.get("status"), request.generation, context.now),
        children=[],
        retained=retained,
        resync_after_seconds=resync_seconds(proxy, request.uid),
    )


def _managed_mode(request: SyncRequest) -> Condition:
    """Why a managed proxy is not run. An attach-only installation shows in the controller having no child rules."""
    if not request.installed_rules():
        return MANAGED_MODE_NOT_INSTALLED.because(
            "this installation attaches to proxies only and has no right to run one; "
            "set spec.workload.managed to false, or install the full shape"
        )
    return MANAGED_MODE_NOT_AVAILABLE.because(
        "this version does not run proxies itself and keeps every existing child as it is; "
        "to attach to a proxy that runs already, set spec.workload.managed to false"
    )


def _as_it_is(ready: Condition, request: SyncRequest, context: Context) -> SyncResponse:
    """Every child replayed, nothing claimed. Only an edit can help, and an edit starts a sync."""
    return SyncResponse(
        status=unrendered_status(ready, request.parent.get("status"), request.generation, context.now),
        children=[],
        retained=replay_all(request.children),
        resync_after_seconds=resync.NEVER,
    )


def _name_at(spec: Any, section: str, reference: str) -> str:
    for key in (section, reference, "name"):
        spec = cast("Object", spec).get(key) if isinstance(spec, dict) else None
    return spec if isinstance(spec, str) else ""


LITELLM_INSTANCES: CompositeController[Context] = CompositeController(
    name=LITELLM_INSTANCE.resource.plural,
    parent=LITELLM_INSTANCE.resource,
    children=CHILDREN,
    related=(SECRET,),
    sync=sync,
    customize=customize,
)
