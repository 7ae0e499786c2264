"""``/credentials`` as LiteLLM answers it. A change at 1.81 is visible at once here, there within half a minute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.sim.fake_litellm.admin.routes import Route, error

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.fake_litellm.admin.routes import Asked, Database, Reply

TABLE = "credentials"
"""Rows by name, values in clear."""

_SHOWN_OF_A_KEY = 4


def _new(database: Database, asked: Asked) -> Reply:
    body: Object = asked.body
    name = body["credential_name"]
    if name in database.table(TABLE):
        if database.first_generation:
            return error(500, "Internal Server Error, Unique constraint failed on the fields: (`credential_name`)")
        return error(409, f"Credential '{name}' already exists. Update it with PATCH /credentials/{name}, or delete it first.")
    database.table(TABLE)[name] = {
        "credential_name": name,
        "credential_info": dict(body["credential_info"]),
        "credential_values": dict(body["credential_values"]),
    }
    return 200, {"success": True, "message": "Credential created successfully"}


def _by_name(database: Database, asked: Asked) -> Reply:
    name = asked.named["name"]
    row = database.table(TABLE).get(name)
    if row is None:
        return error(404, f"Credential not found. Got credential name: {name}")
    return 200, _masked(row)


def _list(database: Database, asked: Asked) -> Reply:
    return 200, {"success": True, "credentials": [_masked(row) for row in database.table(TABLE).values()]}


def _patch(database: Database, asked: Asked) -> Reply:
    row = database.table(TABLE).get(asked.named["name"])
    if row is None:
        text = "Credential not found in DB."
        if database.first_generation:
            return 200, {"message": text, "type": "internal_server_error", "param": "None", "openai_code": 404, "code": "404"}
        return error(404, text)
    info, values = asked.body["credential_info"], asked.body["credential_values"]
    if database.first_generation:
        row["credential_info"] = dict(info) if info else row["credential_info"]
        row["credential_values"].update(values)
    else:
        row["credential_info"].update(info)
        row["credential_values"].update({name: value for name, value in values.items() if value is not None})
    return 200, {"success": True, "message": "Credential updated successfully"}


def _delete(database: Database, asked: Asked) -> Reply:
    name = asked.named["name"]
    if database.table(TABLE).pop(name, None) is None and not database.first_generation:
        return error(404, f"Credential not found. Got credential name: {name}")
    return 200, {"success": True, "message": "Credential deleted successfully"}


def _masked(row: Object) -> Object:
    return {**row, "credential_values": {name: _hidden(name, value) for name, value in row["credential_values"].items()}}


def _hidden(name: str, value: Any) -> Any:
    if not isinstance(value, str) or "key" not in name or len(value) <= _SHOWN_OF_A_KEY:
        return value
    return f"{value[:2]}****{value[-2:]}"


ROUTES = (
    Route("POST", "/credentials", _new),
    Route("GET", "/credentials/by_name/{name}", _by_name),
    Route("GET", "/credentials", _list),
    Route("PATCH", "/credentials/{name}", _patch),
    Route("DELETE", "/credentials/{name}", _delete),
)
