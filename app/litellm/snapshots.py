"""Takes snapshots of proxies: all lists at once, once in an interval, however many objects are compared with them.

The hook that finds the last one too old starts the next and waits a little; taking it goes on when the hook has gone.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.litellm.admin.errors import AdminError, EnterpriseOnly, NoSuchRoute
from app.litellm.faults import FAULT, log_fault
from app.litellm.snapshot import LISTED, MOST_PAGES, Listing, Snapshot

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from app.litellm.admin.client import Admin
    from app.litellm.entities.entity import Entity

PATIENCE = 2.0
"""Seconds that a hook waits for a snapshot; a later one has it then."""
MOST_PROXIES = 1_000


@dataclass(slots=True)
class _Place:
    """One proxy, seen with one key."""

    last: Snapshot | None = None
    begun: datetime | None = None
    """When the newest one was begun, which may be under way."""
    flight: asyncio.Task[None] | None = None


class Snapshots:
    """The last snapshot of each proxy and key."""

    def __init__(self) -> None:
        self._places: OrderedDict[tuple[str, str, str], _Place] = OrderedDict()

    async def of(self, admin: Admin, interval: timedelta, now: datetime) -> Snapshot | None:
        """The last one, which is no older than the interval unless the next is under way; nothing before there is any."""
        name = (admin.target.endpoint, admin.target.trust.digest, admin.key)
        place = self._places.setdefault(name, _Place())
        self._places.move_to_end(name)
        self._forget()
        if place.flight is None and (place.begun is None or not place.begun <= now < place.begun + interval):
            place.begun = now
            place.flight = asyncio.create_task(_fly(place, admin, now))
        if place.flight is not None:
            await asyncio.wait({place.flight}, timeout=PATIENCE)
        return place.last

    async def aclose(self) -> None:
        """Ends what is under way."""
        flights = [place.flight for place in self._places.values() if place.flight is not None]
        for flight in flights:
            flight.cancel()
        await asyncio.gather(*flights, return_exceptions=True)

    def _forget(self) -> None:
        for name in list(self._places)[: max(0, len(self._places) - MOST_PROXIES)]:
            if self._places[name].flight is None:
                del self._places[name]


async def _fly(place: _Place, admin: Admin, now: datetime) -> None:
    try:
        listings = await asyncio.gather(*(_listing(admin, entity) for entity in LISTED))
        place.last = Snapshot(now, {entity.noun: found for entity, found in zip(LISTED, listings, strict=True)})
    finally:
        place.flight = None


async def _listing(admin: Admin, entity: Entity) -> Listing:
    """Page by page, until the last or the first that fails."""
    listing = Listing()
    try:
        for page in range(1, MOST_PAGES + 1):
            call = entity.listing(page)
            if call is None:
                return Listing(offered=False)
            if not listing.take(entity, await admin.ask(call), page):
                return listing
        listing.trouble = f"has more {entity.noun}s than {MOST_PAGES} pages"
    except (EnterpriseOnly, NoSuchRoute):
        listing.offered = False
    except AdminError as error:
        listing.trouble = str(error)
    except Exception as error:  # a fault of ours: it must not end the comparison of all other kinds
        log_fault(error)
        listing.trouble = FAULT
    return listing
