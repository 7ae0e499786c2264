"""The whole status of an entity, from what came of its sync."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.status.conditions import condition_list, decided_again, observed_conditions, timestamp
from app.status.entity.reasons import ADOPTED, CANNOT_CLEAR

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from app.hooks.objects import Object
    from app.status.entity.reasons import EntityReason
    from app.status.entity.recorded import Recorded
    from app.status.reason import Condition

_OWN = frozenset({"observedGeneration", "conditions"})
_TOLD_BY_PLANS = frozenset({CANNOT_CLEAR.type, ADOPTED.type})


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What came of a sync."""

    reason: EntityReason
    message: str
    fields: Object = field(default_factory=dict[str, Any])
    """Fields of the kind's status that are known anew; nothing (``None``) takes one away. Others stay as they were."""
    conditions: tuple[Condition, ...] = ()
    """Besides ``Ready`` and ``Synced``."""
    called: bool = False
    """Whether all calls were made that tell conditions: what none of them told does not hold any more."""


def entity_status(
    report: Report, before: Recorded, generation: int, now: Callable[[], datetime], told_by_calls: frozenset[str] = frozenset()
) -> Object:
    """The status. ``lastSyncTime`` moves only when a field of it did.

    Conditions of the types ``told_by_calls`` are about calls: until these are made again the last one still holds.
    """
    kept = {name: value for name, value in before.fields.items() if name not in _OWN}
    fields = {name: value for name, value in {**kept, **report.fields}.items() if value is not None}
    if {**fields, "lastSyncTime": ""} != {**kept, "lastSyncTime": ""}:
        fields["lastSyncTime"] = timestamp(now())
    observed = observed_conditions(before.fields)
    decided = [*report.reason.because(report.message), *report.conditions]
    told = {condition.type for condition in decided}
    lasting = frozenset[str]() if report.called else _TOLD_BY_PLANS | told_by_calls
    decided += [decided_again(observed[name]) for name in sorted(lasting & observed.keys() - told)]
    return {
        "observedGeneration": generation,
        **fields,
        "conditions": condition_list(decided, observed, generation, now),
    }
