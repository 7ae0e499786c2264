"""From what was seen and decided to the facts that the status of a managed gateway is made of; looks at the proxy itself."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from app.apis.litellm.sighting import UNSEEN, CacheVerdict, Sighting
from app.controllers.attached_proxy import trust_at
from app.controllers.attaching import all_outcomes
from app.controllers.consumption import missing_pull_secrets
from app.controllers.licence import present_license
from app.controllers.migrating import of_migration
from app.controllers.patching import without_target
from app.controllers.rollback import revisions
from app.controllers.rollout import deployment_revision
from app.controllers.secrets import SecretUnavailable, bearer_token, secret_value
from app.controllers.sequence import unstored
from app.controllers.taken_names import holder
from app.litellm.endpoint import EndpointInvalid, service_endpoint
from app.litellm.target import Target
from app.resources import names
from app.resources.errors import Unbuildable
from app.resources.generated_secrets import MASTER_KEY, scim_secret, wants_master_key
from app.resources.kinds import DEPLOYMENT, JOB, POD, SECRET
from app.resources.revision import kept_number
from app.status.conditions import observed_conditions
from app.status.instance.gateway import ManagedGateway
from app.status.instance.gateway_readiness import was_probed
from app.status.instance.memory import last_successful_revision
from app.status.instance.pods import pod_faults
from app.status.instance.spec_facts import asked_apis, enterprise_features, redis_behind_cache, sections

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.controllers.context import Context
    from app.controllers.guardrails import Guardrails
    from app.controllers.sequence import Desired, View
    from app.hooks.objects import Object
    from app.hooks.response import Holds
    from app.litellm.probe import Prober


async def gateway_facts(view: View, answer: Desired, guardrails: Guardrails, context: Context) -> tuple[ManagedGateway, Holds]:
    """All facts, and what tells later whether the proxy is still seen like this. Never raises for what a user or a proxy does."""
    request, spec = view.request, view.gateway.spec
    endpoint, problem = _endpoint(view)
    key, source = _master_key(view)
    behind_cache = redis_behind_cache(spec)
    seen, look = _NOTHING_SEEN, _no_look
    if answer.rollout.ready and not problem:
        trust, problem = trust_at(request, spec, endpoint)
        if not problem:
            known = was_probed(observed_conditions(request.parent.get("status")))
            cache_key = key if behind_cache else ""
            look = partial(_look, Target(endpoint, trust), cache_key, context.prober, known=known)
            seen = await look()
    apis = asked_apis(spec)
    attachments, attachment_problems = all_outcomes(view.gateway) if apis else ([], [])
    facts = ManagedGateway(
        endpoint=endpoint,
        rollout=answer.rollout,
        migration=answer.migration,
        moving_tag=view.rendered.moving_tag,
        hold=answer.hold,
        rolled_back=answer.rolled_back,
        takeover=answer.takeover,
        last_successful_revision=_last_successful_revision(view, answer),
        problems=(*answer.problems, *attachment_problems),
        missing=tuple(dict.fromkeys((*view.pods_read.missing, *view.migration_missing))),
        missing_pull_secrets=missing_pull_secrets(request, spec),
        unreadable=tuple(view.hop.unreadable[name] for name in sorted(view.hop.unreadable)),
        guardrails=guardrails.notes,
        pod_faults=pod_faults(_proxy_pods(view)) if answer.rollout.exists else (),
        kept=answer.kept,
        sighting=seen.sighting,
        probe_problem=problem if answer.rollout.ready else "",
        redis=spec.redis is not None and spec.redis.enabled,
        redis_behind_cache=behind_cache,
        cache=seen.cache,
        # The gateway's is the one that its pods read, which may be gone since.
        license_secret=present_license(request) if view.gateway.license_secret else "",
        enterprise_features=enterprise_features(spec),
        missing_apis=tuple(f"{field} ({group})" for field, group in apis.items() if group not in context.optional_apis),
        warnings=(*view.rendered.warnings, *_weak_key(view), *_idle_patches(view, attachments)),
        master_key=source,
        sections=sections(
            spec,
            scim_secret=_scim_secret(view),
            credentials=_has_credentials(view),
            backup="spec.database.cloudnativepg.backup" in apis and "postgresql.cnpg.io" in context.optional_apis,
        ),
    )

    async def still() -> bool:
        return await look() == seen

    return facts, still


def _proxy_pods(view: View) -> list[Object]:
    return [pod for pod in view.request.related.of(POD) if not of_migration(pod)]


class _Seen(NamedTuple):
    sighting: Sighting
    cache: CacheVerdict | None


_NOTHING_SEEN = _Seen(UNSEEN, None)


async def _no_look() -> _Seen:
    return _NOTHING_SEEN


async def _look(target: Target, cache_key: str, prober: Prober, *, known: bool) -> _Seen:
    """Health first: only a proxy that is alive is asked about its cache, because the key goes along; without one it is not."""
    sighting = prober.at_hand(target) or await prober.look(target, known=known)
    alive = sighting.health is not None and sighting.health.alive
    return _Seen(sighting, await prober.caches.look(target, cache_key) if alive and cache_key else None)


def _endpoint(view: View) -> tuple[str, str]:
    try:
        return service_endpoint(view.gateway.spec, view.gateway.namespace, view.gateway.name), ""
    except EndpointInvalid as error:
        return "", str(error)


def _master_key(view: View) -> tuple[str, tuple[str, str, str] | None]:
    """The key, empty where there is none, and Secret, key and version, nothing without a key in the spec."""
    reference = view.gateway.spec.master_key.secret_ref
    if reference is not None:
        name, key = reference.name, reference.key
    elif wants_master_key(view.gateway):
        name, key = names.master_key(view.gateway.name), MASTER_KEY
        if unstored(view, [name]):
            return "", (name, key, "")
    else:
        return "", None
    try:
        token, version = bearer_token(view.request, name, key)
    except SecretUnavailable as error:
        return "", (name, key, error.resource_version)
    return token, (name, key, version)


def _weak_key(view: View) -> Iterable[str]:
    """The key of the spec itself, or the one in the Secret, if LiteLLM does not start with it."""
    weighed = view.rendered.weighed_key
    if weighed is None:
        return
    value = weighed.value
    if weighed.secret:
        try:
            value = secret_value(view.request, weighed.secret, weighed.key).data.decode()
        except (SecretUnavailable, UnicodeDecodeError):
            return
    if weakness := weighed.weakness(value):
        yield f"{weighed.field} {weakness}"


def _last_successful_revision(view: View, answer: Desired) -> str:
    upgrade = view.gateway.spec.upgrade
    if upgrade is None or not upgrade.auto_rollback:
        return ""
    if answer.rolled_back is None and answer.rollout.complete and answer.rollout.replicas:
        return deployment_revision(view.observed(DEPLOYMENT, names.deployment(view.gateway.name)))
    kept = revisions(view.request)
    # While the proxy was attached to, no status told it; what is kept for a rollback does.
    return last_successful_revision(view.request.parent.get("status")) or (kept_number(kept[-1]) if kept else "")


def _scim_secret(view: View) -> str:
    """The Secret with the token; empty while SCIM is off, and where the wanted name is none that a token can be under."""
    scim = view.gateway.spec.scim
    if scim is None or not scim.enabled:
        return ""
    if scim.token_secret_ref is not None:
        return scim.token_secret_ref.name
    try:
        name = scim_secret(view.gateway)
    except Unbuildable:
        return ""
    taken = any(secret.name == name for secret in view.secrets) and holder(view.request, SECRET, name) is not None
    return "" if taken else name


def _has_credentials(view: View) -> bool:
    manager = view.gateway.spec.secret_manager
    reference = manager.credentials_secret_ref if manager is not None else None
    return reference is None or view.request.related.find(SECRET, view.gateway.namespace, reference.name) is not None


def _idle_patches(view: View, attachments: Iterable[Object]) -> Iterable[str]:
    """Patches for objects that the spec does not make. What waits for its time or could not be made is made by it."""
    patches = view.gateway.spec.patches
    if not patches:
        return ()
    job = {"kind": JOB.kind, "metadata": {"name": view.rendered.unpatched_migration}}
    unmade = [{"kind": key.kind.partition(".")[0], "metadata": {"name": key.name}} for key in view.rendered.problems]
    made = (
        *view.rendered.children.values(),
        *(secret.child for secret in view.secrets),
        *attachments,
        *unmade,
        *([job] if view.rendered.unpatched_migration else []),
    )
    return without_target(patches, made)
