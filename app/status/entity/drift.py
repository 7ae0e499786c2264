"""Reasons of the condition ``Drifted``: what config sync found to differ between LiteLLM and a spec, and what it did."""

from __future__ import annotations

from app.status.entity.reasons import SYNCED, EntityReason
from app.status.reason import READY, Reason

DRIFTED = "Drifted"

PUT_BACK = Reason(
    DRIFTED,
    "True",
    "PutBack",
    "Somebody had changed the object in LiteLLM; it was told the spec again.",
    "Nothing; to change the object, edit its spec.",
    attention=True,
)
RECREATED = Reason(
    DRIFTED,
    "True",
    "Recreated",
    "Somebody had deleted the object in LiteLLM; it was made again.",
    "Nothing; to delete the object, delete it here.",
    attention=True,
)
LEFT_AS_IT_IS = Reason(
    DRIFTED,
    "True",
    "LeftAsItIs",
    "LiteLLM has other values than the spec, and spec.configSync.conflictResolution of the instance leaves them there.",
    "Edit the spec or LiteLLM until they agree, or set conflictResolution to crd-wins, which tells LiteLLM the spec again.",
    attention=True,
)
NOT_KEPT = Reason(
    DRIFTED,
    "True",
    "NotKept",
    "LiteLLM was told the spec again a moment ago and shows the same other values as before.",
    "Write the fields as LiteLLM shows them, or find who changes them; LiteLLM is told again every ten minutes.",
    attention=True,
)
GONE = EntityReason(
    Reason(
        READY,
        "False",
        "DeletedInLiteLLM",
        "Somebody deleted the object in LiteLLM, and spec.configSync.conflictResolution of the instance leaves it so.",
        "Delete the object here too, or set conflictResolution to crd-wins, which makes it again.",
    ),
    SYNCED.synced,
)

DRIFT_REASONS: tuple[Reason, ...] = (PUT_BACK, RECREATED, LEFT_AS_IT_IS, NOT_KEPT, GONE.ready)
