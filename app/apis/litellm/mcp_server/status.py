"""What is reported about a LiteLLMMCPServer."""

from __future__ import annotations

from app.apis.litellm.entity_status import LateEntityStatus, SyncedEntityStatus


class LiteLLMMCPServerStatus(SyncedEntityStatus, LateEntityStatus):
    """Whether LiteLLM has the MCP server."""

    litellm_server_id: str | None = None
    """Id in LiteLLM."""
