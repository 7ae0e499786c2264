"""Runs a gateway: gathers what there is to know, decides its children, and tells in status what is seen of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.controllers.asked import Asked
from app.controllers.attaching import taken
from app.controllers.consumption import consumed, missing, second_hop
from app.controllers.gateway_facts import gateway_facts
from app.controllers.generated import generated_secrets, needs_assembled_url, parts_in_place_of_url
from app.controllers.guardrails import as_configured, guardrails_of, with_ignored
from app.controllers.licence import license_reference
from app.controllers.parts import CONFIG
from app.controllers.pods import add_pods
from app.controllers.rendering import render
from app.controllers.sequence import Desired, View, before_pods, keep_data, keep_database
from app.controllers.stored_secrets import with_stored_secrets
from app.controllers.unapplied import tell_unapplied
from app.controllers.unchangeable import keep_unchangeable
from app.hooks.guard import Place
from app.hooks.response import SyncResponse
from app.resources import names
from app.resources.gateway import Gateway
from app.resources.kinds import DEPLOYMENT
from app.status.instance.managed import managed_resync_seconds, managed_status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from app.apis.litellm.instance import LiteLLMInstanceSpec
    from app.controllers.context import Context
    from app.controllers.generated import GeneratedSecret
    from app.controllers.guardrails import Guardrails
    from app.hooks.objects import Object, Resource
    from app.hooks.request import SyncRequest
    from app.hooks.response import Holds
    from app.resources.references import Reference


async def run_gateway(
    request: SyncRequest, spec: LiteLLMInstanceSpec, declared: Mapping[str, Resource], context: Context
) -> SyncResponse:
    """The children of this moment and the whole status. ``declared`` are the controller's child rules."""
    guardrails = guardrails_of(request)
    asked = Asked(context)
    view = await _view(request, spec, declared, guardrails, asked.context)
    if any(view.rendered.ignored_variables):
        guardrails = with_ignored(guardrails, view.rendered.ignored_variables)
    answer = _desired(view)
    answer.problems += taken(view.gateway, request.parent, context.optional_apis)
    if answer.hold is not None or answer.rolled_back is not None:
        guardrails = as_configured(guardrails, _config(view, answer))
    # By the clock of which no note is taken: ``same_until`` answers for it.
    same_until = tell_unapplied(view, answer, context.unapplied, context.now())
    facts, still = await gateway_facts(view, answer, guardrails, context)
    return SyncResponse(
        status=managed_status(facts, request.parent, request.generation, asked.context.now),
        children=answer.children,
        retained=answer.retained,
        resync_after_seconds=managed_resync_seconds(facts, request.uid),
        holds=None if asked.anything or same_until is None else _until(same_until, still, request.uid, context),
    )


def _until(end: datetime, still: Holds, uid: str, context: Context) -> Holds:
    """The answer holds until the children are to be looked at again, and while the proxy is still seen the same."""
    made = context.now()

    async def holds() -> bool:
        # Something may have been lacking meanwhile: that it no longer is has to be noted.
        return made <= context.now() < end and not context.unapplied.lacks(uid) and await still()

    return holds


def _config(view: View, answer: Desired) -> Object | None:
    """The ConfigMap that is answered, or is kept."""
    name = CONFIG.key(view.gateway.name).name
    answered = (child for child in answer.children if (child["kind"], child["metadata"]["name"]) == (CONFIG.resource.kind, name))
    return next(answered, None) or view.observed(CONFIG.resource, name)


def _desired(view: View) -> Desired:
    """Step by step, each on what is observed of the one before."""
    answer = Desired()
    database, migration = before_pods(view, answer)
    add_pods(view, answer, database, migration)
    keep_unchangeable(view, answer)
    keep_database(view, answer)
    keep_data(view, answer)
    return answer


async def _view(
    request: SyncRequest,
    spec: LiteLLMInstanceSpec,
    declared: Mapping[str, Resource],
    guardrails: Guardrails,
    context: Context,
) -> View:
    gateway = _gateway(request, spec, guardrails, context)
    request = await with_stored_secrets(request, gateway, context.reader)
    place = Place(request.namespace, declared, request.watched(declared))
    rendered = render(gateway, place)
    secrets = generated_secrets(request, gateway, context.entropy)
    hop = await second_hop(request, gateway.guardrail_references, rendered.mentioned, context.reader)
    own_config = rendered.children.get(CONFIG.key(gateway.name))
    required, migration_required = (
        _of_others(request, gateway, secrets, references) for references in (rendered.required, rendered.migration_required)
    )
    return View(
        request,
        gateway,
        place,
        rendered,
        secrets,
        consumed(request, rendered.read, required, hop, own_config),
        missing(request, migration_required, hop),
        hop,
    )


def _of_others(
    request: SyncRequest, gateway: Gateway, secrets: Sequence[GeneratedSecret], references: Sequence[Reference]
) -> Sequence[Reference]:
    """Those that are others' to bring, with the parts of a URL that we assemble in place of its Secret."""
    if not secrets and not gateway.assembled_database_url:
        return references
    return [
        one for one in parts_in_place_of_url(request, gateway, references) if not any(secret.brings(one) for secret in secrets)
    ]


def _gateway(request: SyncRequest, spec: LiteLLMInstanceSpec, guardrails: Guardrails, context: Context) -> Gateway:
    deployment = request.children.find(DEPLOYMENT, request.namespace, names.deployment(request.name))
    replicas = deployment["spec"].get("replicas") if deployment is not None else None
    postgres = spec.database.cloudnativepg if spec.database.external is None else None
    return Gateway(
        name=request.name,
        namespace=request.namespace,
        spec=spec,
        license_secret=license_reference(request, deployment),
        guardrails=tuple(guardrails.specs.values()),
        guardrail_record=guardrails.record,
        guardrail_references=guardrails.references,
        observed_replicas=replicas if isinstance(replicas, int) else None,
        openshift=context.openshift,
        assembled_database_url=postgres is not None and needs_assembled_url(request, postgres.cluster_name),
    )
