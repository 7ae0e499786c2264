"""Objects that the API server takes and this release does nothing with.

The hooks themselves are asked, so that what is said here is what status would say. Told are only answers that the object
alone decides: whether a proxy answers or may be reached, the cluster knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.timeline import conditions
from app.status.entity.guardrail_reasons import FLAWS
from app.status.instance.gateway_reasons import (
    API_NOT_INSTALLED,
    CHILD_INVALID,
    PATCH_FAILED,
    SETTINGS_QUESTIONABLE,
    UPGRADES_GATED_BY_MOVING_TAG,
)
from app.status.instance.reasons import ENDPOINT_INVALID, INVALID_SPEC

if TYPE_CHECKING:
    from app.hooks.objects import Object

DECIDED_BY_THE_OBJECT = frozenset(
    (reason.type, reason.status, reason.reason)
    for reason in (
        ENDPOINT_INVALID,
        INVALID_SPEC,
        CHILD_INVALID,
        PATCH_FAILED,
        SETTINGS_QUESTIONABLE,
        UPGRADES_GATED_BY_MOVING_TAG,
        API_NOT_INSTALLED,
        *FLAWS.values(),
    )
)


def answer_warnings(synced: Object) -> list[str]:
    """What the status of a synced object says that only an edit can change."""
    return [
        f"this release answers {one.type}={one.status} {one.reason}: {one.text}"
        for one in conditions(synced)
        if (one.type, one.status, one.reason) in DECIDED_BY_THE_OBJECT
    ]
