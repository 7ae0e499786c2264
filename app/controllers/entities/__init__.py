"""The kinds that LiteLLM keeps in its database: each is declared here and brought in step over the admin API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.controllers.entities.budget import LITELLM_BUDGETS
from app.controllers.entities.credential import LITELLM_CREDENTIALS
from app.controllers.entities.customer import LITELLM_CUSTOMERS
from app.controllers.entities.mcp_server import LITELLM_MCP_SERVERS
from app.controllers.entities.model import LITELLM_MODELS
from app.controllers.entities.organization import LITELLM_ORGANIZATIONS
from app.controllers.entities.team import LITELLM_TEAMS
from app.controllers.entities.user import LITELLM_USERS
from app.controllers.entities.vector_store import LITELLM_VECTOR_STORES
from app.controllers.entities.virtual_key import LITELLM_VIRTUAL_KEYS

if TYPE_CHECKING:
    from app.controllers.context import Context
    from app.hooks.controller import CompositeController

__all__ = ["ENTITIES"]

ENTITIES: tuple[CompositeController[Context], ...] = (
    LITELLM_BUDGETS,
    LITELLM_CREDENTIALS,
    LITELLM_CUSTOMERS,
    LITELLM_MCP_SERVERS,
    LITELLM_MODELS,
    LITELLM_ORGANIZATIONS,
    LITELLM_TEAMS,
    LITELLM_USERS,
    LITELLM_VECTOR_STORES,
    LITELLM_VIRTUAL_KEYS,
)
