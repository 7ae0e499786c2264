"""Every kind and every controller: the one source for routes, manifests, definitions, rights and reference documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.apis.litellm.budget import LITELLM_BUDGET
from app.apis.litellm.credential import LITELLM_CREDENTIAL
from app.apis.litellm.customer import LITELLM_CUSTOMER
from app.apis.litellm.guardrail import LITELLM_GUARDRAIL
from app.apis.litellm.instance import LITELLM_INSTANCE
from app.apis.litellm.mcp_server import LITELLM_MCP_SERVER
from app.apis.litellm.model import LITELLM_MODEL
from app.apis.litellm.organization import LITELLM_ORGANIZATION
from app.apis.litellm.team import LITELLM_TEAM
from app.apis.litellm.user import LITELLM_USER
from app.apis.litellm.vector_store import LITELLM_VECTOR_STORE
from app.apis.litellm.virtual_key import LITELLM_VIRTUAL_KEY
from app.controllers.add_ons import ADD_ONS
from app.controllers.entities import ENTITIES
from app.controllers.litellm_guardrail import LITELLM_GUARDRAILS
from app.controllers.litellm_instance import LITELLM_INSTANCES

if TYPE_CHECKING:
    from app.apis.custom_resource import CustomResource
    from app.controllers.context import Context
    from app.hooks.controller import Controller

__all__ = ["ADD_ONS", "CONTROLLERS", "KINDS"]

KINDS: tuple[CustomResource, ...] = (
    LITELLM_INSTANCE,
    LITELLM_MODEL,
    LITELLM_CREDENTIAL,
    LITELLM_ORGANIZATION,
    LITELLM_TEAM,
    LITELLM_USER,
    LITELLM_VIRTUAL_KEY,
    LITELLM_CUSTOMER,
    LITELLM_BUDGET,
    LITELLM_GUARDRAIL,
    LITELLM_MCP_SERVER,
    LITELLM_VECTOR_STORE,
)

CONTROLLERS: tuple[Controller[Context], ...] = (LITELLM_INSTANCES, *ENTITIES, LITELLM_GUARDRAILS, *ADD_ONS)
"""Add-ons carry the API group without which they are not installed; the service answers all of them."""
