"""What is reported about every object that LiteLLM keeps in its database."""

from __future__ import annotations

from app.apis.section import Section
from app.apis.types import Condition, Int64, Time


class EntityStatus(Section):
    """What was last told to LiteLLM, and what it answered."""

    observed_generation: Int64 | None = None
    """Generation of the spec that this status is about."""
    sync_hash: str | None = None
    """Keyed hash of the last request that LiteLLM accepted."""
    adopted: bool | None = None
    """Whether the object existed before in LiteLLM: it is left alone when this one is deleted."""
    last_sync_time: Time | None = None
    """When something about it was last found to have changed."""
    conditions: list[Condition] | None = None
    """The aspects of the state, each with its reason and what to do next."""


class SyncedEntityStatus(EntityStatus):
    """The same for the kinds that say in ``synced`` whether they came to be."""

    synced: bool | None = None
    """Whether LiteLLM has accepted the object; the condition Synced says whether it has all of the spec."""


class LateEntityStatus(EntityStatus):
    """The same for the kinds that a replica of the proxy reads from its memory, which may be half a minute old."""

    sent_fields: list[str] | None = None
    """Fields that LiteLLM was given: one that the spec no longer has is removed, any other is left alone."""
    awaited_since: Time | None = None
    """Since when LiteLLM was told of the object and has not shown it; absent once it has."""


class UnmarkedEntityStatus(SyncedEntityStatus):
    """The same for the kinds that LiteLLM gives no place for a mark of their owner."""

    created: bool | None = None
    """Whether the object was created for this one: only then it is deleted with it."""
    sent_fields: list[str] | None = None
    """Fields that LiteLLM was given: one that the spec no longer has is cleared, any other is left alone."""
