"""What is reported about a LiteLLMMCPServer."""

from __future__ import annotations

from app.apis.litellm.entity_status import SyncedEntityStatus


class LiteLLMMCPServerStatus(SyncedEntityStatus):
    """Whether LiteLLM has the MCP server."""

    litellm_server_id: str | None = None
    """Id in LiteLLM."""
