"""Why an entity is not in step: told in its conditions, with the time after which to look again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.litellm.admin import errors
from app.status import resync
from app.status.entity import reasons

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.status.entity.reasons import EntityReason
    from app.status.reason import Condition

RETRY = 30
"""Seconds after which a failed call is made again."""
REFUSED = resync.TICK
"""Seconds after which LiteLLM is asked again about something that it refuses: each sync asks, and the tick always comes."""


class Unsettled(Exception):
    """The sync ends here. The text becomes the message of the conditions."""

    def __init__(
        self,
        reason: EntityReason,
        message: str,
        again: int = RETRY,
        *,
        fields: Object | None = None,
        conditions: tuple[Condition, ...] = (),
        children: tuple[Object, ...] | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.again = again
        """Seconds."""
        self.fields: Object = fields or {}
        """What became known on the way and belongs into the status all the same."""
        self.conditions = conditions
        self.children = children
        """What the object owns in the cluster; nothing for what it is observed to own."""
        self.may_exist = False
        """Whether a call that makes the object was sent, and nobody knows what came of it."""


def missing_instance(name: str) -> Unsettled:
    """There is no such LiteLLMInstance."""
    message = f"LiteLLMInstance {name} (spec.instanceRef) does not exist in this namespace"
    return Unsettled(reasons.INSTANCE_NOT_FOUND, message, resync.MISSING_REFERENCE)


def instance_not_ready(message: str) -> Unsettled:
    """The instance exists and cannot be used. An event tells when it can."""
    return Unsettled(reasons.INSTANCE_NOT_READY, message)


def reference_not_ready(message: str) -> Unsettled:
    """Something else has to exist first. An event tells when it does."""
    return Unsettled(reasons.REFERENCE_NOT_READY, message, resync.MISSING_REFERENCE)


def of_failure(error: errors.AdminError) -> Unsettled:
    """What a failed call means for the entity."""
    reason, again = _REASONS[next(kind for kind in type(error).__mro__ if kind in _REASONS)]
    remedy = ": create a LiteLLMModel, and it follows" if isinstance(error, errors.NoModels) else ""
    unsettled = Unsettled(reason, f"LiteLLM {error}{remedy}", again)
    unsettled.may_exist = error.creating
    return unsettled


_REASONS: dict[type, tuple[EntityReason, int]] = {
    errors.Unreachable: (reasons.PROXY_NOT_REACHABLE, RETRY),
    errors.DatabaseDown: (reasons.PROXY_NOT_REACHABLE, RETRY),
    errors.KeyRejected: (reasons.MASTER_KEY_REJECTED, RETRY),
    errors.EnterpriseOnly: (reasons.ENTERPRISE_LICENSE_REQUIRED, REFUSED),
    errors.NameTaken: (reasons.NAME_TAKEN, REFUSED),
    errors.Invalid: (reasons.SYNC_FAILED, REFUSED),
    errors.NoSuchRoute: (reasons.SYNC_FAILED, REFUSED),
    errors.NotKept: (reasons.NOT_STORED, REFUSED),
    errors.NoModels: (reasons.REFERENCE_NOT_READY, RETRY),
    errors.AdminError: (reasons.SYNC_FAILED, RETRY),
}
