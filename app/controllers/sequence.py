"""What is answered now, decided on what is observed: B only once A is there, and from then on always.

Secrets that are made up come first, then what waits for nothing; the managed database once its Secret is stored; the
migration once the database is ready; the pods last (:mod:`app.controllers.pods`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from app.controllers.child_checks import checked
from app.controllers.migrating import migrate
from app.controllers.parts import DATABASE, Key
from app.controllers.retaining import with_replicas
from app.controllers.taken_names import holder
from app.hooks.objects import Object, resource_key, terminating
from app.hooks.observed_fields import number_in, object_in
from app.hooks.replay import replay
from app.hooks.response import Retained
from app.resources import names
from app.resources.kinds import CONTROLLER_REVISION, DEPLOYMENT, JOB, SECRET, SERVICE, VOLUME_CLAIM
from app.resources.references import references
from app.status.instance.gateway import ChildProblem, Hold, Migration, MigrationStage, RolledBack, Rollout, Takeover

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.controllers.consumption import Consumed, SecondHop
    from app.controllers.generated import GeneratedSecret
    from app.controllers.rendering import Rendered
    from app.hooks.guard import Place
    from app.hooks.objects import Resource
    from app.hooks.request import SyncRequest
    from app.resources.gateway import Gateway

_POD_TEMPLATES = {DEPLOYMENT.kind, CONTROLLER_REVISION.kind}


@dataclass(slots=True)
class Desired:
    """Children as they come together, and what is told of them."""

    children: list[Object] = field(default_factory=list["Object"])
    retained: list[Retained] = field(default_factory=list[Retained])
    problems: list[ChildProblem] = field(default_factory=list[ChildProblem])
    answered: set[Key] = field(default_factory=set[Key])
    hold: Hold | None = None
    migration: Migration = field(default_factory=lambda: Migration(stage=MigrationStage.SKIPPED))
    rollout: Rollout = field(default_factory=Rollout)
    rolled_back: RolledBack | None = None
    takeover: Takeover | None = None
    kept: tuple[str, ...] = ()

    def add(self, child: Object) -> None:
        """A child as it is wanted."""
        self.children.append(child)
        self.answered.add(_key(child))

    def drop(self, child: Object) -> None:
        """A child that is not wanted after all; what is there of it must be kept."""
        self.children.remove(child)
        self.answered.discard(_key(child))

    def keep(self, observed: Object | None, *, replicas: int | None = None) -> None:
        """A child as it is, if it is there; with another number of replicas, where that is somebody else's to decide."""
        if observed is None or terminating(observed) or _key(observed) in self.answered:
            return
        self.retained.append(with_replicas(replay(observed), replicas))
        self.answered.add(_key(observed))


@dataclass(frozen=True, slots=True)
class View:
    """What the sequence looks at."""

    request: SyncRequest
    gateway: Gateway
    place: Place
    rendered: Rendered
    secrets: tuple[GeneratedSecret, ...]
    pods_read: Consumed
    """What the proxy's pods read."""
    migration_missing: tuple[str, ...]
    """What the migration reads and is not there."""
    hop: SecondHop
    """What guardrails refer to."""

    def observed(self, resource: Resource, name: str) -> Object | None:
        """A child of ours."""
        return self.request.children.find(resource, self.request.namespace, name)

    def present(self, child: Object) -> Object | None:
        """What is there of a child that is answered."""
        return self.observed(self.place.declared[resource_key(child)], str(child["metadata"]["name"]))


def before_pods(view: View, answer: Desired) -> tuple[str, Migration]:
    """Everything but the pods. What the managed database still needs, empty if nothing, and the migration."""
    for secret in view.secrets:
        add(view, answer, SECRET, secret.name, checked(secret.child, view.gateway, view.place))
    for made in view.rendered.surroundings:
        add(view, answer, *made)
    database = _database(view, answer)
    return database, _migration(view, answer, database)


def add(view: View, answer: Desired, resource: Resource, name: str, outcome: Object | ChildProblem) -> None:
    """The child, unless its name is another's or it could not be made: then what is there stays."""
    taken = holder(view.request, resource, name)
    if taken is not None:
        answer.problems.append(taken)
    elif isinstance(outcome, ChildProblem):
        answer.problems.append(outcome)
        answer.keep(view.observed(resource, name))
    else:
        answer.add(outcome)


def _database(view: View, answer: Desired) -> str:
    """The managed database; what has to happen before it can be used, empty if nothing."""
    key = DATABASE.key(view.gateway.name)
    outcome = view.rendered.children.get(key) or view.rendered.problems.get(key)
    if outcome is None:
        return ""
    observed = view.observed(DATABASE.resource, key.name)
    secret = unstored(view, [names.database(view.gateway.name)])
    if observed is None and secret:
        return secret
    add(view, answer, DATABASE.resource, key.name, outcome)
    return "" if _ready_replicas(observed) else f"StatefulSet {key.name} is ready"


def _migration(view: View, answer: Desired, database: str) -> Migration:
    """The migration Jobs, and how far the migration of the wanted image is."""
    answer.problems += [problem for key, problem in view.rendered.problems.items() if key.kind == JOB.key]
    missing = view.migration_missing[0] if view.migration_missing else ""
    reads = (one.name for one in view.rendered.migration_required if one.kind == SECRET.kind)
    waits_for = database or unstored(view, reads) or (f"it can read what it needs ({missing})" if missing else "")
    job = view.rendered.migration
    if job is not None and (taken := holder(view.request, JOB, str(job["metadata"]["name"]))) is not None:
        answer.problems.append(taken)
        waits_for = "its name is free"
    migration, new, kept = migrate(view.request, job, view.rendered.migration_digest, waits_for)
    if new is not None:
        answer.add(new)
    for job in kept:
        answer.keep(job)
    waiting = migration.stage in {MigrationStage.SKIPPED, MigrationStage.WAITING, MigrationStage.COMPLETE}
    about = DATABASE.key(view.gateway.name).name
    answer.migration = (
        replace(migration, stage=MigrationStage.DATABASE_STARTING, about=about, why=database)
        if database and waiting
        else migration
    )
    return migration


def keep_database(view: View, answer: Desired) -> None:
    """The managed database stays, though the spec asks for it no more, until no pods use it and none that may run again do.

    The answered Deployment and kept ControllerRevisions tell, by its Secret; before a rollout is over, older pods use it still.
    """
    name = view.gateway.name
    service = view.observed(SERVICE, names.database_service(name))
    stateful_set = view.observed(DATABASE.resource, DATABASE.key(name).name)
    left = [item for item in (service, stateful_set) if item is not None and _key(item) not in answer.answered]
    if not left:
        return
    pods = [item for item in (*answer.children, *(one.observed for one in answer.retained)) if item["kind"] in _POD_TEMPLATES]
    named = {one.name for item in pods for one in references(item, item["kind"]) if one.kind == "Secret"}
    if names.database(name) in named or not answer.rollout.complete:
        for item in left:
            answer.keep(item)


def keep_data(view: View, answer: Desired) -> None:
    """Keys and volumes that nothing asks for any more stay: what they hold cannot be made again."""
    kept: list[str] = []
    for resource in (SECRET, VOLUME_CLAIM):
        for observed in view.request.children.of(resource):
            if not terminating(observed) and _key(observed) not in answer.answered:
                kept.append(f"{observed['kind']} {observed['metadata']['name']}")
                answer.keep(observed)
    answer.kept = tuple(sorted(kept))


def unstored(view: View, read: Iterable[str]) -> str:
    """The first Secret of these that is made up and not stored yet, as something to wait for; empty if there is none."""
    pending = [one.name for one in view.secrets if not one.stored]
    wanted = set(read) if pending else ()
    return next((f"Secret {name} is stored" for name in pending if name in wanted), "")


def _ready_replicas(workload: Object | None) -> int:
    return number_in(object_in(workload, "status"), "readyReplicas")


def _key(item: Object) -> Key:
    return Key(resource_key(item), str(item["metadata"]["name"]))
