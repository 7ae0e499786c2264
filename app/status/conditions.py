"""From decided conditions to the list in a status.

The transition time moves only when a status flips and is otherwise copied from the observed status, so that the same facts
give the same bytes. A malformed observed status counts as none.
"""

from __future__ import annotations

import re
from datetime import UTC
from typing import TYPE_CHECKING, Any

from app.hooks.observed_fields import objects_in
from app.status.reason import Condition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from app.hooks.objects import Object

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)


def observed_conditions(status: Any) -> dict[str, Object]:
    """The conditions of an observed status by type; whatever is no condition is left out.

    Type, status and reason are texts in all of them.
    """
    found: dict[str, Object] = {}
    for condition in objects_in(status, "conditions"):
        kind = condition.get("type")
        if isinstance(kind, str) and isinstance(condition.get("status"), str) and isinstance(condition.get("reason"), str):
            found[kind] = condition
    return found


def condition_list(
    decided: Iterable[Condition], observed: dict[str, Object], generation: int, now: Callable[[], datetime]
) -> list[Object]:
    """The conditions as Kubernetes writes them: ``Ready`` first, the others by type."""
    return [
        {
            "type": condition.type,
            "status": condition.status,
            "reason": condition.reason,
            "message": condition.message,
            "observedGeneration": generation,
            "lastTransitionTime": _transition_time(condition, observed.get(condition.type), now),
        }
        for condition in sorted(decided, key=lambda condition: (condition.type != "Ready", condition.type))
    ]


def decided_again(condition: Object) -> Condition:
    """An observed condition as one that is decided, for what still holds."""
    return Condition(condition["type"], condition["status"], condition["reason"], str(condition.get("message", "")))


def timestamp(moment: datetime) -> str:
    """A moment as Kubernetes writes it: whole seconds of UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _transition_time(condition: Condition, before: Object | None, now: Callable[[], datetime]) -> str:
    if before is not None and before.get("status") == condition.status:
        time = before.get("lastTransitionTime")
        if isinstance(time, str) and _TIME.fullmatch(time):
            return time
    return timestamp(now())
