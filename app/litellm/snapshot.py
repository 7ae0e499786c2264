"""Everything that a proxy has, as its lists showed it: who owns what, and how it is set. Pure.

Rows are cut down as they are read, so that a proxy with many keys costs little memory, and no secret is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.litellm.entities.budget import Budget
from app.litellm.entities.credential import Credential
from app.litellm.entities.customer import Customer
from app.litellm.entities.mcp_server import MCPServer
from app.litellm.entities.model import Model
from app.litellm.entities.organization import Organization
from app.litellm.entities.team import Team
from app.litellm.entities.user import User
from app.litellm.entities.vector_store import VectorStore
from app.litellm.entities.virtual_key import VirtualKey

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from app.hooks.objects import Object
    from app.litellm.entities.entity import Entity
    from app.litellm.entities.ownership import Mark

LISTED: tuple[Entity, ...] = (
    Budget(),
    Credential(),
    Customer(),
    MCPServer(),
    Model(),
    Organization(),
    Team(),
    User(),
    VectorStore(),
    VirtualKey(),
)
"""One of each kind whose objects are listed."""

MOST_PAGES = 200
"""Pages of one kind. A proxy with more is compared as far as they go, and nothing of the kind counts as gone."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One object of a list."""

    mark: Mark | None
    fields: Object = field(repr=False)
    """What can be compared (:meth:`~app.litellm.entities.entity.Entity.comparable`)."""
    spend: Any = None
    protected: bool = False


@dataclass(slots=True)
class Listing:
    """The objects of one kind by id, as far as they were read."""

    rows: dict[str, Seen] = field(default_factory=dict[str, Seen])
    trouble: str = ""
    """Why pages are missing, after the word "LiteLLM"; empty where none is."""
    offered: bool = True
    """Whether the proxy has such objects at all, in its release and with its licence."""

    @property
    def complete(self) -> bool:
        """Whether an object that is not among the rows does not exist."""
        return self.offered and not self.trouble

    def take(self, entity: Entity, answer: Any, page: int) -> bool:
        """Adds a page; whether there is another one. Raises :class:`~app.litellm.entities.listing.NoList`."""
        found = entity.listed(answer, page)
        before = len(self.rows)
        for row in found.rows:
            if name := entity.id_of(row):
                self.rows[name] = Seen(entity.mark_of(row), entity.comparable(row), row.get("spend"), entity.protected(row))
        # A release that ignores the page gives the same rows again and again.
        return found.more and len(self.rows) > before


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a proxy had. The lists were read after ``begun``, one after the other."""

    begun: datetime
    listings: Mapping[str, Listing]
    """By the noun of the kind."""

    def of(self, entity: Entity) -> Listing:
        """The list of that kind; of one that is not listed, a list of which nothing is known."""
        return self.listings.get(entity.noun, _UNKNOWN)


_UNKNOWN = Listing(offered=False)
