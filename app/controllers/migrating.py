"""The migration of the wanted image: which Jobs stay, and whether pods of that image may start.

A Job is made once for what it runs, never changed, and kept until a newer one has finished. Two at once would harm the schema,
so the next one, and the pods, wait for the end of whatever still runs. Only a Job that is suspended, or none of whose pods can
start, is taken away before its end, and then its pods are waited for. What finished is remembered in status, so a Job that
somebody removed, or that was cleaned up, is not run again. Nor is one when an earlier image comes back: it has nothing to give
a newer schema. What finished after it is then forgotten, because a backup may have come back with it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from app.controllers.migration_form import MIGRATION_DIGEST
from app.hooks.objects import annotations_of, labels_of, terminating
from app.resources.job_pods import has_run, pods_of, without_job
from app.resources.job_state import JobPhase, JobState, job_state
from app.resources.kinds import JOB, POD
from app.resources.migration_job import COMPONENT
from app.status.instance.gateway import Migration, MigrationStage
from app.status.instance.memory import finished_migrations
from app.status.instance.pods import start_fault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest

REMEMBERED = 8
"""How many migrations are remembered: so many images back it goes without another one."""
_STAGES = {
    JobPhase.RUNNING: MigrationStage.RUNNING,
    JobPhase.SUSPENDED: MigrationStage.SUSPENDED,
    JobPhase.FAILED: MigrationStage.FAILED,
    JobPhase.SUCCEEDED: MigrationStage.COMPLETE,
}


def migrate(
    request: SyncRequest, job: Object | None, digest: str, waits_for: str
) -> tuple[Migration, Object | None, list[Object]]:
    """The migration, the Job to make if one is to be made, and the observed Jobs to keep.

    ``job`` is the wanted one, None where it could not be made; ``digest`` is of what it does, empty where no migration is
    wanted; ``waits_for`` says what has to come before a new Job.
    """
    seen = _seen(request)
    before = finished_migrations(request.parent.get("status"))
    if not digest:
        # Whoever asks for migrations again finds out what was done.
        last = seen.last_succeeded
        skipped = Migration(stage=MigrationStage.SKIPPED, finished=_finished(last, before) if last else before)
        return _once_none_runs(skipped, seen, [])
    done = [item for item in seen.succeeded if _digest(item) == digest]
    if done or digest in before:
        return _once_none_runs(Migration(stage=MigrationStage.COMPLETE, finished=_finished(digest, before)), seen, done)
    everything = list(seen.jobs.values())
    if job is None:
        stuck = Migration(stage=MigrationStage.WAITING, why="it can be made; see the condition ChildrenApplied", finished=before)
        return stuck, None, everything
    name = str(job["metadata"]["name"])
    if name in seen.jobs:
        return replace(_observed(seen, name), finished=before), None, everything
    if waits_for and not seen.at_work:
        return Migration(stage=MigrationStage.WAITING, why=waits_for, finished=before), None, everything
    wanted = Migration(stage=MigrationStage.RUNNING, about=name, finished=before)
    migration, _, kept = _once_none_runs(wanted, seen, [item for item in everything if item not in seen.stuck.values()])
    return migration, job if migration is wanted else None, kept


def _finished(digest: str, before: tuple[str, ...]) -> tuple[str, ...]:
    """What finished, once that one has, or is what the schema is for again."""
    return before[before.index(digest) :] if digest in before else (digest, *before)[:REMEMBERED]


@dataclass(frozen=True, slots=True)
class _Seen:
    """Jobs by name, and what their pods say of them."""

    jobs: Mapping[str, Object]
    states: Mapping[str, JobState]
    running: Mapping[str, Object]
    """Those that are at work on the schema, or may be at any moment."""
    stuck: Mapping[str, Object]
    """Those that are suspended, or of which no pod has run and none can start now: any of them may begin later."""
    faults: Mapping[str, str]
    """Why none can start."""
    orphans: tuple[str, ...]
    """Pods that have outlived their Job, or its end."""

    @property
    def at_work(self) -> str:
        """What is to end before anything else is done to the schema; empty if nothing."""
        return next((f"Job {name}" for name in sorted(self.running)), "") or next((f"Pod {name}" for name in self.orphans), "")

    @property
    def succeeded(self) -> list[Object]:
        """Jobs that did what they were made for."""
        return [item for name, item in self.jobs.items() if self.states[name].phase is JobPhase.SUCCEEDED]

    @property
    def last_succeeded(self) -> str:
        """Digest of what the newest Job did that succeeded; empty where none did."""
        done = self.succeeded
        return _digest(max(done, key=_made)) if done else ""


def _seen(request: SyncRequest) -> _Seen:
    observed = (item for item in request.children.of(JOB) if not terminating(item))
    jobs = {str(item["metadata"]["name"]): item for item in observed}
    pods = [pod for pod in request.related.of(POD) if of_migration(pod)]
    states = {name: job_state(item) for name, item in jobs.items()}
    unfinished = {name: item for name, item in jobs.items() if states[name].phase is JobPhase.RUNNING}
    suspended = {name: item for name, item in jobs.items() if states[name].phase is JobPhase.SUSPENDED}
    faults = {name: fault for name, item in unfinished.items() if (fault := _fault(item, pods))}
    return _Seen(
        jobs,
        states,
        {name: item for name, item in unfinished.items() if name not in faults},
        suspended | {name: item for name, item in unfinished.items() if name in faults},
        faults,
        tuple(sorted(str(pod["metadata"]["name"]) for pod in without_job(unfinished.values(), pods))),
    )


def of_migration(pod: Object) -> bool:
    """Whether a related pod is a migration's, not the proxy's."""
    return labels_of(pod).get("app.kubernetes.io/name") == COMPONENT


def _fault(job: Object, pods: list[Object]) -> str:
    """Why no pod of a Job that is not over can start; empty where one has run, or may start any moment."""
    own = pods_of(job, pods)
    counted: Any = job.get("status")
    if (isinstance(counted, dict) and cast("Object", counted).get("failed")) or any(has_run(pod) for pod in own):
        return ""
    faults = [start_fault(pod) for pod in own]
    return faults[0] if faults and all(faults) else ""


def _observed(seen: _Seen, name: str) -> Migration:
    """The migration of the wanted Job, which is there."""
    if name in seen.faults:
        return Migration(stage=MigrationStage.NOT_STARTED, about=name, why=seen.faults[name])
    state = seen.states[name]
    return Migration(stage=_STAGES[state.phase], about=name, why=state.why)


def _once_none_runs(migration: Migration, seen: _Seen, kept: list[Object]) -> tuple[Migration, None, list[Object]]:
    """That migration, unless another is at work on the schema: it is kept to its end, and everybody waits for it.

    One that is suspended or cannot start goes at once, and is waited for until it is gone.
    """
    earlier = seen.at_work or next((f"Job {name}" for name in sorted(seen.stuck)), "")
    if earlier:
        migration = Migration(stage=MigrationStage.EARLIER, about=earlier, finished=migration.finished)
    return migration, None, [*kept, *(item for item in seen.running.values() if item not in kept)]


def _digest(job: Object) -> str:
    return str(annotations_of(job).get(MIGRATION_DIGEST) or "")


def _made(job: Object) -> tuple[str, str]:
    return str(job["metadata"].get("creationTimestamp", "")), str(job["metadata"]["name"])
