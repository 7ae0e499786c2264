"""The status of an instance that is being deleted: what was known of it, and what it waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.status.conditions import condition_list, observed_conditions
from app.status.instance.finalizer import finalizer_conditions
from app.status.instance.reasons import ENTITIES_REMAIN

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from app.hooks.objects import Object


def deletion_status(parent: Object, generation: int, now: Callable[[], datetime], waiting: str = "") -> Object:
    """What is observed, with ``waiting`` in the condition ``DeletionHeld``; without it that condition is gone.

    Nothing else is looked at any more, so all other conditions stay what they were about.
    """
    status: Any = parent.get("status")
    fields = cast("Object", status) if isinstance(status, dict) else {}
    observed = observed_conditions(fields)
    told = [*finalizer_conditions(parent), *([ENTITIES_REMAIN.because(waiting)] if waiting else [])]
    fresh = condition_list(told, observed, generation, now)
    replaced = {ENTITIES_REMAIN.type, *(one["type"] for one in fresh)}
    kept = [one for kind, one in observed.items() if kind not in replaced]
    conditions = sorted([*kept, *fresh], key=lambda one: (one["type"] != "Ready", one["type"]))
    return {**fields, "observedGeneration": generation, "conditions": conditions}
