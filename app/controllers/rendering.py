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
from app.controllers.child_checks import checked, invalid
from app.controllers.migration_form import MIGRATION_DIGEST, unpatched_migration
from app.controllers.parts import PARTS, PODS, SURROUNDINGS, Key
from app.controllers.render_memo import RenderMemo
from app.resources.advice import advice
from app.resources.environment.proxy import ignored_variables
from app.resources.errors import Unbuildable
from app.resources.image import MOVING_TAGS, proxy_tag, tag_of
from app.resources.kinds import DEPLOYMENT, JOB
from app.resources.migration_job import migration_hash
from app.resources.pod_template import proxy_image_of
from app.resources.references import IMPLIED_KEYS, Reference, references
from app.resources.weak_key import WeighedKey, weighed_key
from app.status.instance.gateway import ChildProblem
from app.status.instance.gateway_reasons import PATCH_FAILED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from app.hooks.guard import Place
    from app.hooks.objects import Object, Resource
    from app.resources.gateway import Gateway


class Made(NamedTuple):
    """A child, or why it could not be made."""

    resource: Resource
    name: str
    outcome: Object | ChildProblem


@dataclass(frozen=True, slots=True)
class Rendered:
    """The children of one spec."""

    children: dict[Key, Object] = field(default_factory=dict[Key, "Object"])
    """Every child that could be made."""
    problems: dict[Key, ChildProblem] = field(default_factory=dict[Key, ChildProblem])
    """Every child that could not."""
    surroundings: tuple[Made, ...] = ()
    """Those of both that wait for nothing."""
    warnings: tuple[str, ...] = ()
    """Sentences about settings that have no effect, or not the one that they seem to have."""
    weighed_key: WeighedKey | None = None
    """The master key, where LiteLLM may refuse to start with it."""
    ignored_variables: tuple[tuple[str, ...], ...] = ()
    """For each guardrail that is rendered the variables that it sets and the proxy has otherwise."""
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
    moving_tag: str = ""
    """The tag of the image that is to run, if it is one that moves while upgrades wait for migrations."""

    @property
    def migration(self) -> Object | None:
        """The migration Job, if the spec asks for one and it could be made."""
        return next((child for key, child in self.children.items() if key.kind == JOB.key), None)


def render(gateway: Gateway, place: Place) -> Rendered:
    """The children that the facts make. ``place`` is where they may be."""
    return _remembered(gateway, place)


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
    digest = _migration_digest(gateway, children, problems)
    return Rendered(
        children=children,
        problems=problems,
        surroundings=tuple(_surroundings(gateway, {**problems, **children})),
        warnings=_warnings(gateway),
        weighed_key=_weighed_key(gateway),
        ignored_variables=_ignored_variables(gateway),
        read=read,
        required=_required(read, by_field),
        migration_required=_required(migration, by_field),
        mentioned=mentioned,
        migration_digest=digest,
        unpatched_migration=unpatched,
        moving_tag=_moving_tag(gateway, children.get(pods)) if digest else "",
    )


def _surroundings(gateway: Gateway, outcomes: Mapping[Key, Object | ChildProblem]) -> Iterator[Made]:
    for part in SURROUNDINGS:
        key = part.key(gateway.name)
        if key in outcomes:
            yield Made(part.resource, key.name, outcomes[key])


def _warnings(gateway: Gateway) -> tuple[str, ...]:
    findings = [*proxyconfig.render(gateway.spec, gateway.guardrails).findings]
    if not gateway.license_secret:
        findings += proxyconfig.unlicensed(gateway.spec)
    try:
        remarks = advice(gateway)
    except Unbuildable:
        remarks = ()
    return (*(f"{one.field} {one.text}" for one in findings), *(f"{one.field} {one.message}" for one in remarks))


def _weighed_key(gateway: Gateway) -> WeighedKey | None:
    try:
        return weighed_key(gateway)
    except Unbuildable:
        return None


def _ignored_variables(gateway: Gateway) -> tuple[tuple[str, ...], ...]:
    try:
        return tuple(ignored_variables(gateway))
    except Unbuildable:
        return ()


def _moving_tag(gateway: Gateway, deployment: Object | None) -> str:
    tag = tag_of(proxy_image_of(deployment)) if deployment is not None else proxy_tag(gateway)
    return tag if tag in MOVING_TAGS else ""


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


_remembered = RenderMemo(_render, _size, limit=2 * 1024 * 1024)
"""In bytes of JSON, of which the objects in memory take several times as many. A gateway has about ten thousand."""
