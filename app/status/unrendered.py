"""The status of a parent that we cannot or must not render: its Ready condition, and no other claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.status.conditions import condition_list, observed_conditions

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from app.hooks.objects import Object
    from app.status.reason import Condition


def unrendered_status(ready: Condition, observed: Any, generation: int, now: Callable[[], datetime]) -> Object:
    """The whole status. ``ready`` is false, so nothing that depends on the parent goes on."""
    return {
        "observedGeneration": generation,
        "ready": False,
        "conditions": condition_list([ready], observed_conditions(observed), generation, now),
    }
