"""What a status remembers for later syncs, because nothing that is observed then tells it any more.

It outlasts every time in which we decide nothing about the pods: a spec that is refused, a proxy that is attached to, an
installation that attaches only. Who forgot would run a finished migration again, or pods that were rolled back from, or replace
pods that were to stay. What an observed status holds is taken for what it looks like only: anybody may have written it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.hooks.observed_fields import object_in, text_in
from app.status.instance.gateway import RolledBack

if TYPE_CHECKING:
    from app.hooks.objects import Object


def finished_migrations(status: Any) -> tuple[str, ...]:
    """Digests of what migrations did that succeeded, the last one first; none before the first."""
    section = object_in(status, "migration")
    earlier: Any = section.get("earlier")
    listed = cast("list[Any]", earlier) if isinstance(earlier, list) else []
    last = text_in(section, "finished")
    return (last, *(one for one in listed if isinstance(one, str))) if last else ()


def rolled_back(status: Any) -> RolledBack | None:
    """The rollback that is in force."""
    section = object_in(status, "rollback")
    failed, revision = text_in(section, "failed"), text_in(section, "revision")
    return RolledBack(failed=failed, revision=revision) if failed and revision else None


def last_successful_revision(status: Any) -> str:
    """The Deployment's revision that last had all its pods available; empty where none is told."""
    return text_in(status, "lastSuccessfulRevision")


def taken_over_at(status: Any) -> int | None:
    """The generation at which a Deployment was taken over that is still as it was."""
    generation = object_in(status, "takeover").get("generation")
    return generation if isinstance(generation, int) and not isinstance(generation, bool) else None


def memory(*, finished: tuple[str, ...], rollback: RolledBack | None, takeover: int | None) -> Object:
    """The status fields, each absent where there is nothing to remember."""
    fields: Object = {}
    if finished:
        last, *earlier = finished
        fields["migration"] = {"finished": last, **({"earlier": earlier} if earlier else {})}
    if rollback is not None:
        fields["rollback"] = {"failed": rollback.failed, "revision": rollback.revision}
    if takeover is not None:
        fields["takeover"] = {"generation": takeover}
    return fields


def remembered(status: Any) -> Object:
    """The same fields as an observed status has them, for a status that is about something else."""
    return memory(finished=finished_migrations(status), rollback=rolled_back(status), takeover=taken_over_at(status))
