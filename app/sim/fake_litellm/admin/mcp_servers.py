"""``/v1/mcp/server`` as LiteLLM answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.sim.fake_litellm.admin.routes import Route, detail

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.fake_litellm.admin.routes import Asked, Database, Reply

TABLE = "mcp_servers"
_OVERWRITTEN: Object = {"mcp_access_groups": [], "allow_all_keys": False, "available_on_public_internet": False}
"""What a PUT without the field makes of it, at 1.81."""
_NEWER = ("oauth2_flow", "tool_name_to_display_name", "tool_name_to_description", "instructions")
"""What 1.81 does not know."""
_SECRET = ("auth_value", "client_id", "client_secret")


def _post(database: Database, asked: Asked) -> Reply:
    body = _known(database, asked.body)
    server = body["server_id"]
    if server in database.table(TABLE):
        return detail(400, f"MCP Server with id {server} already exists. Cannot create another.")
    if (refusal := _name_refused(database, body)) is not None:
        return refusal
    database.table(TABLE)[server] = {
        "alias": body.get("server_name"),
        **_OVERWRITTEN,
        "available_on_public_internet": not database.first_generation,
        **({} if database.first_generation else dict.fromkeys(_NEWER)),
        **{field: value for field, value in body.items() if value is not None},
    }
    return 201, _shown(database, server)


def _name_refused(database: Database, body: Object) -> Reply | None:
    for name in (body.get("server_name") or "", body.get("alias") or ""):
        if "-" in name:
            return detail(400, f"Server name cannot contain '-'. Use an alternative character instead Found: {name}")
        for other in database.table(TABLE).values():
            if database.first_generation:
                break
            if name and name in (other.get("server_name"), other.get("alias")) and other["server_id"] != body["server_id"]:
                text = f"An MCP server with alias '{name}' already exists (server_id={other['server_id']})."
                return detail(400, f"{text} MCP server names and aliases must be unique, case-insensitively.")
    return None


def _put(database: Database, asked: Asked) -> Reply:
    body = _known(database, asked.body)
    row = database.table(TABLE).get(body["server_id"])
    if row is None:
        return detail(404, f"MCP Server not found, passed server_id={body['server_id']}")
    if (refusal := _name_refused(database, body)) is not None:
        return refusal
    kept: Object = row.get("credentials") or {}
    same = not database.first_generation and body.get("auth_type", row.get("auth_type")) == row.get("auth_type")
    row |= {"alias": body.get("server_name", row.get("server_name"))}
    row |= {field: value for field, value in body.items() if value is not None or not database.first_generation}
    if database.first_generation:
        row |= {field: value for field, value in _OVERWRITTEN.items() if field not in body}
    elif same and body.get("credentials") is not None:
        row["credentials"] = {**kept, **body["credentials"]}
    return 202, _shown(database, body["server_id"])


def _known(database: Database, body: Object) -> Object:
    return {field: value for field, value in body.items() if field not in _NEWER} if database.first_generation else body


def _shown(database: Database, server: str) -> Object:
    """A row as it is read: without secrets, and with the server's own name and description among the information."""
    row = database.table(TABLE)[server]
    credentials: Object = row.get("credentials") or {}
    plain = {field: value for field, value in credentials.items() if field not in _SECRET}
    info: Object = {field: row[field] for field in ("server_name", "description") if row.get(field)}
    info |= {} if database.first_generation else {"is_public": False, "is_public_explicit": False}
    info |= row.get("mcp_info") or {}
    return {**row, "mcp_info": info, "credentials": None if database.first_generation else plain or None}


def _list(database: Database, asked: Asked) -> Reply:
    return 200, [_shown(database, server) for server in database.table(TABLE)]


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
