"""Every kind of entity, for whoever looks at all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.controllers.entities.budget import BUDGET
from app.controllers.entities.credential import CREDENTIAL
from app.controllers.entities.customer import CUSTOMER
from app.controllers.entities.mcp_server import MCP_SERVER
from app.controllers.entities.model import MODEL
from app.controllers.entities.organization import ORGANIZATION
from app.controllers.entities.team import TEAM
from app.controllers.entities.user import USER
from app.controllers.entities.vector_store import VECTOR_STORE
from app.controllers.entities.virtual_key import VIRTUAL_KEY

if TYPE_CHECKING:
    from app.controllers.entities.kind import EntityKind

ENTITY_KINDS: tuple[EntityKind[Any], ...] = (
    BUDGET,
    CREDENTIAL,
    CUSTOMER,
    MCP_SERVER,
    MODEL,
    ORGANIZATION,
    TEAM,
    USER,
    VECTOR_STORE,
    VIRTUAL_KEY,
)
