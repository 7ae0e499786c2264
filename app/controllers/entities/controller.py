"""From a kind of entity to its controller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from app.apis.litellm.instance import LITELLM_INSTANCE
from app.apis.section import Section
from app.controllers.entities.finalizing import finalize_entity
from app.controllers.entities.references import is_name, spec_name
from app.controllers.entities.syncing import sync_entity
from app.hooks.controller import CompositeController
from app.hooks.response import CustomizeResponse, RelatedRule
from app.resources import names
from app.resources.kinds import SECRET

if TYPE_CHECKING:
    from app.controllers.context import Context
    from app.controllers.entities.kind import EntityKind
    from app.hooks.objects import Resource
    from app.hooks.request import CustomizeRequest, SyncRequest
    from app.hooks.response import SyncResponse

S = TypeVar("S", bound=Section)


def entity_controller(kind: EntityKind[S]) -> CompositeController[Context]:
    """The controller of a kind."""

    async def sync(request: SyncRequest, context: Context) -> SyncResponse:
        return await sync_entity(kind, request, context)

    async def finalize(request: SyncRequest, context: Context) -> SyncResponse:
        return await finalize_entity(kind, request, context)

    def customize(request: CustomizeRequest) -> CustomizeResponse:
        return CustomizeResponse(related=related_rules(kind, request))

    related = (LITELLM_INSTANCE.resource, SECRET, *kind.related)
    return CompositeController(
        name=kind.resource.resource.plural,
        parent=kind.resource.resource,
        children=kind.owned,
        related=related,
        owns_workloads=False,
        sync=sync,
        finalize=finalize,
        customize=customize,
    )


def related_rules(kind: EntityKind[S], request: CustomizeRequest) -> list[RelatedRule]:
    """The instance, the Secret of its own master key, and what the raw spec refers to, each by name; for any spec."""
    spec: Any = request.parent.get("spec")
    instance = spec_name(spec, "instanceRef")
    wanted: dict[Resource, list[Any]] = {LITELLM_INSTANCE.resource: [instance], SECRET: []}
    if isinstance(instance, str) and instance:
        wanted[SECRET].append(names.master_key(instance))
    for resource, name in (*kind.names(spec if isinstance(spec, dict) else {}), *kind.own_names(request)):
        wanted.setdefault(resource, []).append(name)
    return [
        RelatedRule(resource=resource, namespace=request.namespace, names=found)
        for resource, given in wanted.items()
        if (found := tuple(sorted({name for name in given if is_name(name)})))
    ]
