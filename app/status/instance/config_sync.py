"""What config sync tells of an instance: counts, errors, and the condition ``ConfigSynced``.

Every change of an instance's status wakes all of its entities. So nothing here names one of them, and ``lastSyncTime`` moves only
with what is told beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from app.status.conditions import condition_list, decided_again, observed_conditions, timestamp
from app.status.instance.words import shortened
from app.status.reason import Reason

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from app.hooks.objects import Object
    from app.status.reason import Condition

CONFIG_SYNCED = "ConfigSynced"

SYNC_COMPLETED = Reason(
    CONFIG_SYNCED,
    "True",
    "SyncCompleted",
    "The proxy's lists were read whole and compared with the custom resources of the instance.",
    "Nothing; status.configSync has the counts, and an object that differs says so in its condition Drifted.",
)
SYNC_ERRORS = Reason(
    CONFIG_SYNCED,
    "False",
    "SyncErrors",
    "Something could not be listed, compared or pruned; what was compared before stays as it was told.",
    "Do what status.configSync.syncErrors says; the comparison is repeated after spec.configSync.interval.",
)
SYNC_MASTER_KEY_ERROR = Reason(
    CONFIG_SYNCED,
    "False",
    "MasterKeyError",
    "The proxy cannot be asked for its lists for want of its master key.",
    "Do what the condition MasterKeyAccepted says, or create the Secret that the message names.",
)
SYNC_INSTANCE_NOT_READY = Reason(
    CONFIG_SYNCED,
    "False",
    "InstanceNotReady",
    "The instance is not ready, so its proxy was not asked for its lists.",
    "Do what the condition Ready says.",
)
SYNC_PENDING = Reason(
    CONFIG_SYNCED,
    "Unknown",
    "SyncPending",
    "The proxy's first lists are being read.",
    "Wait a few seconds.",
    passing=True,
)
ONLY_IN_LITELLM = Reason(
    "UnmanagedObjects",
    "True",
    "OnlyInLiteLLM",
    "LiteLLM has objects that no custom resource of the instance's namespace describes.",
    'Describe an object by a custom resource with its id and the annotation litellm.palena.ai/adopt: "true", or leave it.',
    attention=True,
)

CONFIG_SYNC_REASONS: tuple[Reason, ...] = (
    SYNC_COMPLETED,
    SYNC_ERRORS,
    SYNC_MASTER_KEY_ERROR,
    SYNC_INSTANCE_NOT_READY,
    SYNC_PENDING,
    ONLY_IN_LITELLM,
)

_MOST_ERRORS = 10


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one comparison."""

    counts: Object = field(default_factory=dict[str, Any])
    """``syncedModels`` and the like, as far as they are known anew."""
    errors: tuple[str, ...] = ()
    differing: int = 0
    """Entities that say that LiteLLM differs from their specs."""
    pruned: tuple[str, ...] = ()
    """``model gpt-4o``."""
    unmanaged: tuple[str, ...] = ()
    """The same for what only LiteLLM has, where that is to be told by name."""


def with_outcome(status: Object, before: Any, outcome: Outcome, generation: int, now: Callable[[], datetime]) -> Object:
    """The status with all that is told of a comparison. ``before`` is the observed status."""
    last = _section(before)
    counts: Object = {**last, **outcome.counts}
    counts.pop("lastSyncTime", None)
    counts.pop("syncErrors", None)
    fields: Object = {**counts, **({"syncErrors": list(outcome.errors[:_MOST_ERRORS])} if outcome.errors else {})}
    condition = _compared(outcome, counts)
    known = observed_conditions(before).get(condition.type, {})
    as_told = (known.get("reason"), known.get("message")) == (condition.reason, condition.message)
    if as_told and fields == {name: value for name, value in last.items() if name != "lastSyncTime"}:
        fields["lastSyncTime"] = last.get("lastSyncTime")
    if not isinstance(fields.get("lastSyncTime"), str):
        fields["lastSyncTime"] = timestamp(now())
    conditions = [condition]
    if outcome.unmanaged:
        conditions.append(ONLY_IN_LITELLM.because(shortened(outcome.unmanaged)))
    return _with(status, before, fields, conditions, generation, now)


def with_problem(status: Object, before: Any, condition: Condition, generation: int, now: Callable[[], datetime]) -> Object:
    """The status where nothing was compared: what was told before stays, beside why it is not told anew."""
    if condition.reason == SYNC_PENDING.reason and (last := observed_conditions(before).get(CONFIG_SYNCED)):
        condition = decided_again(last)
    unmanaged = observed_conditions(before).get(ONLY_IN_LITELLM.type)
    conditions = [condition, *([decided_again(unmanaged)] if unmanaged else [])]
    return _with(status, before, _section(before), conditions, generation, now)


def _compared(outcome: Outcome, counts: Object) -> Condition:
    synced, unmanaged = (
        sum(value for name, value in counts.items() if name.startswith(word) and isinstance(value, int))
        for word in ("synced", "unmanaged")
    )
    told = f"{synced} managed, {unmanaged} unmanaged"
    if outcome.differing:
        told += f", {outcome.differing} other than {'its spec' if outcome.differing == 1 else 'their specs'}"
    if outcome.pruned:
        told += f"; pruned {shortened(outcome.pruned)}"
    if not outcome.errors:
        return SYNC_COMPLETED.because(told)
    return SYNC_ERRORS.because(f"{outcome.errors[0]} ({len(outcome.errors)} in all); {told}")


def _with(
    status: Object,
    before: Any,
    fields: Object,
    conditions: list[Condition],
    generation: int,
    now: Callable[[], datetime],
) -> Object:
    added = condition_list(conditions, observed_conditions(before), generation, now)
    every: list[Object] = [*status["conditions"], *added]
    every.sort(key=lambda one: (one["type"] != "Ready", one["type"]))
    return {**status, **({"configSync": fields} if fields else {}), "conditions": every}


def _section(status: Any) -> Object:
    found: Any = cast("Object", status).get("configSync") if isinstance(status, dict) else None
    return dict(cast("Object", found)) if isinstance(found, dict) else {}
