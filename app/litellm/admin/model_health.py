"""What proxies found when they last probed their models: read for all models at once, and for many syncs.

The proxies probe by themselves, in the background; only their memory is asked. ``/health`` would send a paid request to every
model.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from app.litellm.admin.calls import Call
from app.litellm.admin.errors import AdminError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.hooks.objects import Object
    from app.litellm.admin.client import Admin

GOOD_FOR = timedelta(minutes=5)
"""The answer of a proxy is used for so long."""
PATIENCE = 2.0
"""Seconds that a sync waits for it; a later one has it then."""
MOST_PROXIES = 1_000

UNKNOWN = "unknown"


@dataclass(slots=True)
class _Look:
    since: datetime
    task: asyncio.Task[Mapping[str, str]]


class ModelHealth:
    """One question to each proxy in five minutes, however many models it has. A failed one counts as an answer."""

    def __init__(self) -> None:
        self._looks: OrderedDict[tuple[str, str, str], _Look] = OrderedDict()

    async def of(self, admin: Admin, model_id: str, now: datetime) -> str | None:
        """``healthy``, ``unhealthy`` or ``unknown``; nothing while the answer is under way."""
        place = (admin.target.endpoint, admin.target.trust.digest, admin.key)
        look = self._looks.get(place)
        if look is None or not look.since <= now < look.since + GOOD_FOR:
            look = self._looks[place] = _Look(now, asyncio.create_task(_latest(admin)))
            self._forget()
        self._looks.move_to_end(place)
        done, _ = await asyncio.wait({look.task}, timeout=PATIENCE)
        return look.task.result().get(model_id, UNKNOWN) if done else None

    def _forget(self) -> None:
        while len(self._looks) > MOST_PROXIES:
            self._looks.popitem(last=False)


async def _latest(admin: Admin) -> Mapping[str, str]:
    """Outcome by the id of the model, or by its name where nobody noted the id."""
    try:
        answer = await admin.ask(Call("GET", "/health/latest"))
    except AdminError:
        return {}
    checks: Any = cast("Object", answer).get("latest_health_checks") if isinstance(answer, dict) else None
    rows = cast("Object", checks) if isinstance(checks, dict) else {}
    states = {name: cast("Object", row).get("status") for name, row in rows.items() if isinstance(row, dict)}
    return {name: state for name, state in states.items() if state in {"healthy", "unhealthy"}}
