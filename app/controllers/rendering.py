"""Everything that a spec makes of a gateway, whether or not its time has come; what must come before is for the sequence.

A child that cannot be made is a problem with a name: a field that makes no legal object, a patch that does not apply. The
others do not suffer from it. The same facts give the same children, from a memo: building is most of what a sync would spend.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import orjson

from app import proxyconfig
from app.controllers.migration_form import MIGRATION_DIGEST, named_by_content, unpatched_migration
from app.controllers.patching import PatchFailed, patched
from app.controllers.render_memo import RenderMemo
from app.hooks.digests import Digests, digest
from app.hooks.guard import child_breaches
from app.resources import names
from app.resources.advice import advice
from app.resources.autoscaler import autoscaler
from app.resources.config_map import config_map
from app.resources.deployment import deployment
from app.resources.disruption_budget import disruption_budget
from app.resources.errors import Unbuildable
from app.resources.grafana_dashboard import grafana_dashboard
from app.resources.illegal_references import illegal_reference, where_written
from app.resources.ingress import ingress
from app.resources.kinds import (
    AUTOSCALER,
    CONFIG_MAP,
    DEPLOYMENT,
    DISRUPTION_BUDGET,
    INGRESS,
    JOB,
    NETWORK_POLICY,
    SERVICE,
    SERVICE_ACCOUNT,
    STATEFUL_SET,
    VOLUME_CLAIM,
)
from app.resources.managed_database import database_service, database_stateful_set, database_volume
from app.resources.migration_job import migration_hash
from app.resources.network_policy import network_policy
from app.resources.references import IMPLIED_KEYS, Reference, references
from app.resources.service import service
from app.resources.service_account import service_account
from app.status.instance.gateway import ChildProblem
from app.status.instance.gateway_reasons import CHILD_INVALID, PATCH_FAILED

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hooks.guard import Place
    from app.hooks.objects import Object, Resource
    from app.resources.gateway import Gateway


class Key(NamedTuple):
    """Which child."""

    kind: str
    """``<Kind>.<apiVersion>``."""
    name: str


class Part(NamedTuple):
    """An object that an instance may have."""

    resource: Resource
    name: Callable[[str], str]
    """From the instance's name."""
    build: Callable[[Gateway], Object | None]
    """None while the spec does not ask for it."""

    def key(self, instance: str) -> Key:
        """The child's key."""
        return Key(self.resource.key, self.name(instance))


def _config_map(gateway: Gateway) -> Object:
    return config_map(gateway, proxyconfig.config_text(proxyconfig.config(gateway.spec, gateway.guardrails)))


SURROUNDINGS = (
    Part(SERVICE_ACCOUNT, names.service_account, service_account),
    Part(SERVICE, names.service, service),
    Part(INGRESS, str, ingress),
    Part(AUTOSCALER, str, autoscaler),
    Part(DISRUPTION_BUDGET, str, disruption_budget),
    Part(NETWORK_POLICY, str, network_policy),
    Part(CONFIG_MAP, names.dashboard, grafana_dashboard),
    Part(SERVICE, names.database_service, database_service),
    Part(VOLUME_CLAIM, names.database, database_volume),
)
"""What waits for nothing."""

DATABASE = Part(STATEFUL_SET, names.database_stateful_set, database_stateful_set)
CONFIG = Part(CONFIG_MAP, names.config, _config_map)
PODS = Part(DEPLOYMENT, names.deployment, deployment)

PARTS = (*SURROUNDINGS, DATABASE, CONFIG, PODS)
"""Everything but the migration Job, which is named by its content."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """The children of one spec."""

    children: dict[Key, Object] = field(default_factory=dict[Key, "Object"])
    """Every child that could be made."""
    problems: dict[Key, ChildProblem] = field(default_factory=dict[Key, ChildProblem])
    """Every child that could not."""
    warnings: tuple[str, ...] = ()
    """Sentences about settings that have no effect, or not the one that they seem to have."""
    read: tuple[Reference, ...] = ()
    """Secrets and ConfigMaps that the proxy's pods read."""
    required: tuple[Reference, ...] = ()
    """What has to be there for them to start, under the field that names it."""
    migration_required: tuple[Reference, ...] = ()
    """The same for the migration."""
    mentioned: tuple[Reference, ...] = ()
    """What the spec mentions, used or not: all that exists of it comes with the request."""
    migration_digest: str = ""
    """Of what the migration does, wherever it runs; empty where none is wanted."""
    unpatched_migration: str = ""
    """What the migration Job was called before patches, which may name it so."""

    @property
    def migration(self) -> Object | None:
        """The migration Job, if the spec asks for one and it could be made."""
        return next((child for key, child in self.children.items() if key.kind == JOB.key), None)


def render(gateway: Gateway, place: Place) -> Rendered:
    """The children that the facts make. ``place`` is where they may be."""
    return _remembered(gateway, place)


def checked(child: Object, gateway: Gateway, place: Place) -> Object | ChildProblem:
    """The child with the spec's patches, or why it cannot be sent."""
    try:
        form = patched(child, gateway.spec.patches)
    except PatchFailed as error:
        name = f"{child['kind']} {child['metadata']['name']}"
        return ChildProblem(name, PATCH_FAILED, f"{name} is kept as it was: {error}")
    if child["kind"] == JOB.kind:
        form = named_by_content(gateway, child, form)
    key = digest(orjson.dumps((form, place.namespace, sorted(place.installed))))
    if key in _sound:
        return form
    if (why := _unsound(form, gateway, place)) is None:
        _sound.add(key)
        return form
    return invalid(child["kind"], child["metadata"]["name"], " ".join(why))


def _unsound(form: Object, gateway: Gateway, place: Place) -> tuple[str, str] | None:
    """Field and problem of what the API server would refuse."""
    for breach in child_breaches(form, place):
        return breach.field, breach.problem
    if form["kind"] not in _WITH_PODS:
        return None
    found = illegal_reference(form["spec"]["template"])
    if found is None:
        return None
    return where_written(found, gateway.spec.model_dump(by_alias=True, exclude_none=True)), found.problem


def invalid(kind: str, name: str, why: str) -> ChildProblem:
    """A child that Kubernetes would refuse."""
    return ChildProblem(f"{kind} {name}", CHILD_INVALID, f"{kind} {name} is kept as it was: {why}")


_WITH_PODS = {DEPLOYMENT.kind, JOB.kind, STATEFUL_SET.kind}
_sound = Digests(limit=16_384)
"""Children in which the guard found nothing, so that unchanged ones are not walked again."""


def _render(gateway: Gateway, place: Place) -> Rendered:
    children: dict[Key, Object] = {}
    problems: dict[Key, ChildProblem] = {}

    def make(resource: Resource, name: str, build: Callable[[], Object | None]) -> str:
        """The child, if the spec asks for it, or a problem; what it is called before patches."""
        try:
            built = build()
        except Unbuildable as error:
            problems[Key(resource.key, name)] = invalid(resource.kind, name, str(error))
            return name
        if built is None:
            return ""
        name = str(built["metadata"]["name"])
        outcome = checked(built, gateway, place)
        if isinstance(outcome, ChildProblem):
            problems[Key(resource.key, name)] = outcome
        else:
            children[Key(resource.key, str(outcome["metadata"]["name"]))] = outcome
        return name

    for part in PARTS:
        make(part.resource, part.name(gateway.name), partial(part.build, gateway))
    pods = PODS.key(gateway.name)
    # Patches that fail leave unknown which image the pods are to run.
    migrates = pods not in problems or problems[pods].reason is not PATCH_FAILED
    build = partial(unpatched_migration, gateway, children.get(pods))
    unpatched = make(JOB, f"{gateway.name}-migrate", build) if migrates else ""
    mentioned = tuple(references(gateway.spec.model_dump(by_alias=True, exclude_none=True), "spec"))
    by_field = (*mentioned, *gateway.guardrail_references)
    read, migration = _read(children, DEPLOYMENT), _read(children, JOB)
    return Rendered(
        children,
        problems,
        _warnings(gateway),
        read,
        _required(read, by_field),
        _required(migration, by_field),
        mentioned,
        _migration_digest(gateway, children, problems),
        unpatched,
    )


def _warnings(gateway: Gateway) -> tuple[str, ...]:
    findings = [*proxyconfig.render(gateway.spec, gateway.guardrails).findings]
    if not gateway.license_secret:
        findings += proxyconfig.unlicensed(gateway.spec)
    try:
        remarks = advice(gateway)
    except Unbuildable:
        remarks = ()
    return (*(f"{one.field} {one.text}" for one in findings), *(f"{one.field} {one.message}" for one in remarks))


_UNMADE = "unmade"
"""Equal to no digest, so pods wait until the field is corrected."""


def _migration_digest(gateway: Gateway, children: dict[Key, Object], problems: dict[Key, ChildProblem]) -> str:
    job = next((child for key, child in children.items() if key.kind == JOB.key), None)
    if job is not None:
        return job["metadata"]["annotations"][MIGRATION_DIGEST]
    try:
        unpatched = migration_hash(gateway)
    except Unbuildable:
        return _UNMADE
    workloads = {JOB.key, DEPLOYMENT.key}
    unknown = any(one.reason is PATCH_FAILED for key, one in problems.items() if key.kind in workloads)
    return _UNMADE if unpatched and unknown else unpatched


def _read(children: dict[Key, Object], resource: Resource) -> tuple[Reference, ...]:
    """What the pods of a workload read."""
    found = [child for key, child in children.items() if key.kind == resource.key]
    return tuple(reference for child in found for reference in references(child["spec"]["template"]["spec"], "spec"))


def _required(read: tuple[Reference, ...], mentioned: tuple[Reference, ...]) -> tuple[Reference, ...]:
    """What is read and not optional, under the field that mentions it, and the files of certificates that are mounted whole."""
    whole = {(one.kind, one.name) for one in read if not one.key}
    files = [one for one in mentioned if one.field.rpartition(".")[2] in IMPLIED_KEYS and (one.kind, one.name) in whole]
    wanted = [replace(one, field=_field(one, mentioned)) for one in read if not one.optional]
    return tuple(dict.fromkeys((*wanted, *files)))


def _field(reference: Reference, mentioned: tuple[Reference, ...]) -> str:
    same = [one for one in mentioned if (one.kind, one.name) == (reference.kind, reference.name)]
    exact = [one for one in same if one.key == reference.key]
    return next((one.field for one in (*exact, *same)), "made for this instance")


def _size(rendered: Rendered) -> int:
    return sum(len(orjson.dumps(child)) for child in rendered.children.values())


_remembered = RenderMemo(_render, _size, limit=1024 * 1024)
"""In bytes of JSON, of which the objects in memory take several times as many. A gateway has about ten thousand."""
