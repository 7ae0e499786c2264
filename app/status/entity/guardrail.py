"""The whole status of a LiteLLMGuardrail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.status.conditions import condition_list, observed_conditions, timestamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from app.hooks.objects import Object
    from app.status.reason import Condition


def guardrail_status(
    ready: Condition,
    others: Iterable[Condition],
    observed: Any,
    generation: int,
    now: Callable[[], datetime],
    *,
    configured: bool,
) -> Object:
    """``configured`` is whether the proxy's configuration has it as its spec says. ``lastSyncTime`` moves only with that or with
    what is ready.
    """
    before = cast("Object", observed) if isinstance(observed, dict) else {}
    conditions = observed_conditions(before)
    last = conditions.get(ready.type, {})
    same = (before.get("configured"), last.get("status"), last.get("reason")) == (configured, ready.status, ready.reason)
    kept = before.get("lastSyncTime") if same else None
    return {
        "observedGeneration": generation,
        "configured": configured,
        "lastSyncTime": kept if isinstance(kept, str) else timestamp(now()),
        "conditions": condition_list([ready, *others], conditions, generation, now),
    }
