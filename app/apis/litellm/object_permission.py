"""``spec.objectPermission`` of the kinds that LiteLLM lets use its shared objects."""

from __future__ import annotations

from app.apis.section import Section


class ObjectPermission(Section):
    """What may be used besides models. A name of a custom resource in the namespace stands for the object that it describes."""

    mcp_servers: list[str] | None = None
    """MCP servers that may be called."""
    access_groups: list[str] | None = None
    """Access groups of MCP servers that may be called."""
    vector_stores: list[str] | None = None
    """Vector stores that may be searched."""
    agents: list[str] | None = None
    """Agents that may be called."""
