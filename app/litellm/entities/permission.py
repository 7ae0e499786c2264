"""What an object may use besides models, as every kind that has an ``object_permission`` sends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.hooks.objects import Object

PERMISSION = "object_permission"

NO_PERMISSION: Object = {"mcp_servers": [], "mcp_access_groups": [], "vector_stores": [], "agents": []}
"""What empties a permission, of which the parts that are left out stay."""
