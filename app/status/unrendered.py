"""The status of a parent that we cannot or must not render: why, what is remembered, and nothing of what it would make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.status.conditions import condition_list, observed_conditions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from app.hooks.objects import Object
    from app.status.reason import Condition


def unrendered_status(
    decided: Sequence[Condition], observed: Any, generation: int, now: Callable[[], datetime], remembered: Object
) -> Object:
    """The whole status. ``Ready`` is among ``decided``, and false, so nothing that depends on the parent goes on.

    ``remembered`` are the fields that the next rendering needs and nothing else tells.
    """
    return {
        "observedGeneration": generation,
        "ready": False,
        **remembered,
        "conditions": condition_list(decided, observed_conditions(observed), generation, now),
    }
