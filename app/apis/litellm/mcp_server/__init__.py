"""LiteLLMMCPServer: tools that the gateway offers to models."""

from __future__ import annotations

from app.apis.custom_resource import AGE, CustomResource, PrinterColumn, condition_column
from app.apis.litellm import API_VERSION, CATEGORIES
from app.apis.litellm.mcp_server.spec import LiteLLMMCPServerSpec
from app.apis.litellm.mcp_server.status import LiteLLMMCPServerStatus
from app.hooks.objects import Resource

__all__ = ["LITELLM_MCP_SERVER", "LiteLLMMCPServerSpec", "LiteLLMMCPServerStatus"]

LITELLM_MCP_SERVER = CustomResource(
    resource=Resource(API_VERSION, "LiteLLMMCPServer", "litellmmcpservers"),
    singular="litellmmcpserver",
    short_names=("lmcp",),
    categories=CATEGORIES,
    description="A server of the Model Context Protocol, whose tools a LiteLLM proxy offers.",
    spec=LiteLLMMCPServerSpec,
    status=LiteLLMMCPServerStatus,
    columns=(
        PrinterColumn("URL", ".spec.url"),
        PrinterColumn("Transport", ".spec.transport"),
        PrinterColumn("Instance", ".spec.instanceRef.name"),
        PrinterColumn("Synced", ".status.synced", "boolean"),
        condition_column("Ready"),
        AGE,
    ),
)
