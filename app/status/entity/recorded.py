"""What an entity's own status remembers. It is a report: losing it loses no remote object."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from app.status.conditions import observed_conditions
from app.status.entity.reasons import SYNCED_TYPE

if TYPE_CHECKING:
    from app.hooks.objects import Object


@dataclass(frozen=True, slots=True)
class Recorded:
    """The parts of the observed status that decide something. Whatever is malformed counts as absent."""

    id: str = ""
    """Of the remote object, once it is bound."""
    sync_hash: str = ""
    """Of the last request that LiteLLM accepted."""
    adopted: bool = False
    created: bool = False
    """For kinds that can carry no mark: whether we made the object."""
    sent: frozenset[str] = frozenset()
    """The names of the fields that were sent, where the kind's status keeps them."""
    awaited: datetime | None = None
    """Since when LiteLLM was told of the object and has not shown it."""
    synced: bool = False
    """Whether the condition ``Synced`` held."""
    fields: Object = field(default_factory=dict[str, Any])
    """The whole status."""


def recorded(status: Any, id_field: str) -> Recorded:
    """Reads an observed status. ``id_field`` is where the kind keeps the id."""
    fields = cast("Object", status) if isinstance(status, dict) else {}
    condition = observed_conditions(fields).get(SYNCED_TYPE, {})
    return Recorded(
        id=_text(fields.get(id_field)),
        sync_hash=_text(fields.get("syncHash")),
        adopted=fields.get("adopted") is True,
        # The Go operator has no such field, and no id of such a kind that it did not make.
        created=fields.get("created", bool(fields.get(id_field)) and "syncHash" not in fields) is True,
        sent=_texts(fields.get("sentFields")),
        awaited=_time(fields.get("awaitedSince")),
        synced=condition.get("status") == "True",
        fields=fields,
    )


def _texts(value: Any) -> frozenset[str]:
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return frozenset(item for item in items if isinstance(item, str))


def _time(value: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(_text(value)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
