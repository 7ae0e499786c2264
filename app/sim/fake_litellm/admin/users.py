"""``/user/*`` as LiteLLM answers it, with 200 to much that it does not do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.sim.fake_litellm.admin.pages import part
from app.sim.fake_litellm.admin.routes import Route, detail, error
from app.sim.fake_litellm.admin.teams import TABLE as TEAMS
from app.sim.fake_litellm.admin.virtual_keys import drop_keys

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.fake_litellm.admin.routes import Asked, Database, Reply

TABLE = "users"

_IN_METADATA = ("model_rpm_limit", "model_tpm_limit")
_NULL_CLEARS = ("tpm_limit", "rpm_limit", "budget_duration")
"""In newer releases; that of ``max_budget`` in all."""
_SHORTEST_PASSWORD = 12
_EMPTY: Object = {
    "user_email": None,
    "user_role": None,
    "teams": [],
    "metadata": {},
    "models": [],
    "spend": 0.0,
    "max_budget": None,
    "budget_duration": None,
    "tpm_limit": None,
    "rpm_limit": None,
    "password": None,
    "object_permission_id": None,
}


def blank(user: str, **fields: Any) -> Object:
    """A user with nothing but these fields."""
    return {"user_id": user, **_EMPTY, "teams": [], "metadata": {}, **fields}


def _new(database: Database, asked: Asked) -> Reply:
    body: Object = dict(asked.body)
    rows = database.table(TABLE)
    user = body["user_id"]
    if user in rows:
        return error(409, f"{{'error': 'User with id {user} already exists'}}")
    email = (body.get("user_email") or "").casefold()
    if email and any(email == (row["user_email"] or "").casefold() for row in rows.values()):
        return error(409, f"{{'error': 'User with email {body['user_email']} already exists'}}")
    rows[user] = blank(user)
    _write(database, rows[user], body)
    if database.first_generation:
        rows[user]["object_permission_id"] = None
    key = f"sk-made-for-{user}" if body.get("auto_create_key", True) else ""
    return 200, {"user_id": user, "key": key, "user_email": body.get("user_email")}


def _update(database: Database, asked: Asked) -> Reply:
    body: Object = dict(asked.body)
    for column in ("blocked", *(("object_permission",) if database.first_generation else ())):
        if column in body:
            prefix = "Authentication Error, " if database.first_generation else ""
            return error(400, f"{prefix}Could not find field at `upsertOneLiteLLM_UserTable.create.{column}`")
    password = body.get("password")
    if password is not None and not database.first_generation and len(password) < _SHORTEST_PASSWORD:
        return error(400, "Password does not meet the required policy: must be at least 12 characters long.", "validation_error")
    row = database.table(TABLE).setdefault(body["user_id"], blank(body["user_id"]))
    _write(database, row, body)
    return 200, {"user_id": row["user_id"], "data": row}


def _info(database: Database, asked: Asked) -> Reply:
    user = asked.query["user_id"]
    row = database.table(TABLE).get(user)
    if row is None:
        return error(404, f"User {user} not found")
    shown = {name: value for name, value in row.items() if name != "object_permission"}
    if not database.first_generation:
        shown["password"] = None
    return 200, {"user_id": user, "user_info": shown, "keys": [], "teams": []}


def _list(database: Database, asked: Asked) -> Reply:
    """Users whose address contains what was asked for, in any case."""
    address = asked.query.get("user_email", "").casefold()
    found = [row for row in database.table(TABLE).values() if address in (row.get("user_email") or "").casefold()]
    page = part(asked, found, "page_size", 25)
    told = {"users": page.rows, "total": len(found), "page": page.number, "page_size": page.size, "total_pages": page.of}
    return 200, told


def _delete(database: Database, asked: Asked) -> Reply:
    rows = database.table(TABLE)
    for user in asked.body["user_ids"]:
        if user not in rows:
            return detail(404, f"User not found, passed user_id={user}")
    for user in asked.body["user_ids"]:
        del rows[user]
        drop_keys(database, user_id=user)
        for team in database.table(TEAMS).values():
            members: list[Object] = team.get("members_with_roles", [])
            team["members_with_roles"] = [one for one in members if one["user_id"] != user]
    return 200, len(asked.body["user_ids"])


def _write(database: Database, row: Object, body: Object) -> None:
    """Null and what is empty are left out, but where a release takes them; what lives in the metadata goes there."""
    cleared = {"max_budget", *(() if database.first_generation else _NULL_CLEARS)}
    metadata: Object = dict(body.get("metadata") or row["metadata"])
    metadata |= {name: body[name] for name in _IN_METADATA if body.get(name)}
    for name, value in body.items():
        if name == "object_permission" and value is not None:
            row["object_permission_id"] = f"permission of {row['user_id']}"
            row[name] = {**row.get(name, {}), **value}
        elif name in _EMPTY and name != "metadata" and (value not in (None, [], {}) or name in cleared):
            row[name] = value
    row["metadata"] = metadata


ROUTES = (
    Route("POST", "/user/new", _new),
    Route("POST", "/user/update", _update),
    Route("GET", "/user/info", _info),
    Route("GET", "/user/list", _list),
    Route("POST", "/user/delete", _delete),
)
