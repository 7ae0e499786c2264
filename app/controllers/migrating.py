"""The migration of the wanted image: which Jobs stay, and whether pods of that image may start.

A Job is made once for what it runs, never changed, and kept until a newer one has finished; one that still runs is kept until
it ends, and pods wait for it, whatever is wanted by then. What finished is remembered in status, so a Job that somebody
removed, or that was cleaned up, is not run again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.controllers.rendering import MIGRATION_DIGEST
from app.hooks.objects import terminating
from app.resources.job_state import JobPhase, job_state
from app.resources.kinds import JOB
from app.status.instance.gateway import Migration, MigrationStage
from app.status.instance.memory import finished_migration

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest

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
    observed = {str(item["metadata"]["name"]): item for item in _jobs(request)}
    before = finished_migration(request.parent.get("status"))
    if not digest:
        # Whoever asks for migrations again finds out what was done.
        skipped = Migration(stage=MigrationStage.SKIPPED, finished=_last_succeeded(observed.values()) or before)
        return _once_none_runs(skipped, observed, [])
    done = [item for item in observed.values() if _digest(item) == digest and _phase(item) is JobPhase.SUCCEEDED]
    if done or before == digest:
        return _once_none_runs(Migration(stage=MigrationStage.COMPLETE, finished=digest), observed, done)
    if job is None:
        stuck = Migration(stage=MigrationStage.WAITING, why="it can be made; see the condition ChildrenApplied", finished=before)
        return stuck, None, list(observed.values())
    name = str(job["metadata"]["name"])
    if name in observed:
        state = job_state(observed[name])
        going = Migration(stage=_STAGES[state.phase], about=name, why=state.why, finished=before)
        return going, None, list(observed.values())
    if waits_for:
        return Migration(stage=MigrationStage.WAITING, why=waits_for, finished=before), None, list(observed.values())
    return Migration(stage=MigrationStage.RUNNING, about=name, finished=before), job, list(observed.values())


def _once_none_runs(
    migration: Migration, observed: Mapping[str, Object], kept: list[Object]
) -> tuple[Migration, Object | None, list[Object]]:
    """That migration, unless a Job still runs: it is at work on the schema, so it stays and the pods wait for it."""
    running = {name: item for name, item in observed.items() if _phase(item) is JobPhase.RUNNING}
    if running:
        migration = Migration(stage=MigrationStage.RUNNING, about=min(running), finished=migration.finished)
    return migration, None, [*kept, *running.values()]


def _jobs(request: SyncRequest) -> Iterable[Object]:
    return (item for item in request.children.get(JOB.key, {}).values() if not terminating(item))


def _phase(job: Object) -> JobPhase:
    return job_state(job).phase


def _digest(job: Object) -> str:
    annotations: Any = job["metadata"].get("annotations")
    found = cast("Mapping[str, Any]", annotations).get(MIGRATION_DIGEST) if isinstance(annotations, dict) else None
    return str(found or "")


def _last_succeeded(jobs: Iterable[Object]) -> str:
    """What the newest one of these did that succeeded; empty where none did."""
    done = [item for item in jobs if _phase(item) is JobPhase.SUCCEEDED]
    return _digest(max(done, key=_made)) if done else ""


def _made(job: Object) -> tuple[str, str]:
    return str(job["metadata"].get("creationTimestamp", "")), str(job["metadata"]["name"])
