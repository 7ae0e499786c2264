"""``/v1/mcp/server`` as LiteLLM answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.sim.fake_litellm.admin.routes import Route, detail

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.fake_litellm.admin.routes import Asked, Database, Reply

TABLE = "mcp_servers"
_OVERWRITTEN = {"mcp_access_groups": [], "allow_all_keys": False, "available_on_public_internet": False, "transport": "sse"}
"""What a PUT without the field makes of it."""


def _post(database: Database, asked: Asked) -> Reply:
    body: Object = asked.body
    server = body["server_id"]
    if server in database.table(TABLE):
        return detail(400, f"MCP Server with id {server} already exists. Cannot create another.")
    if "-" in (name := body.get("server_name") or ""):
        return detail(400, f"Server name cannot contain '-'. Use an alternative character instead Found: {name}")
    if not database.first_generation:
        for other in database.table(TABLE).values():
            if name and other.get("server_name") == name:
                text = f"An MCP server with alias '{name}' already exists (server_id={other['server_id']})."
                return detail(400, f"{text} MCP server names and aliases must be unique, case-insensitively.")
    database.table(TABLE)[server] = {**body, "mcp_info": _info(database, body)}
    return 201, database.table(TABLE)[server]


def _put(database: Database, asked: Asked) -> Reply:
    body: Object = asked.body
    row = database.table(TABLE).get(body["server_id"])
    if row is None:
        return detail(404, f"MCP Server not found, passed server_id={body['server_id']}")
    row |= {field: value for field, value in body.items() if value is not None or not database.first_generation}
    row |= {field: value for field, value in _OVERWRITTEN.items() if field not in body}
    row["mcp_info"] = _info(database, row)
    return 202, row


def _info(database: Database, body: Object) -> Object:
    added = {} if database.first_generation else {"is_public": False, "is_public_explicit": False}
    return {**added, **(body.get("mcp_info") or {})}


def _list(database: Database, asked: Asked) -> Reply:
    return 200, list(database.table(TABLE).values())


def _delete(database: Database, asked: Asked) -> Reply:
    if database.table(TABLE).pop(asked.named["server_id"], None) is None:
        return detail(404, f"MCP Server not found, passed server_id={asked.named['server_id']}")
    return 202, None


ROUTES = (
    Route("POST", "/v1/mcp/server", _post),
    Route("PUT", "/v1/mcp/server", _put),
    Route("GET", "/v1/mcp/server", _list),
    Route("DELETE", "/v1/mcp/server/{server_id}", _delete),
)
