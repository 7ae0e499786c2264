"""Times as specs and LiteLLM write them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any


def parsed_time(text: Any) -> datetime | None:
    """A time as specs and LiteLLM write it, in UTC where it names no zone; nothing for what is none."""
    try:
        time = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return time if time is None or time.tzinfo else time.replace(tzinfo=UTC)
