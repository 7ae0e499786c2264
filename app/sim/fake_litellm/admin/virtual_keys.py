"""``/key/*`` as LiteLLM answers it."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_OID, uuid5

from app.sim.fake_litellm.admin.budgets import TABLE as BUDGETS
from app.sim.fake_litellm.admin.pages import part, too_large
from app.sim.fake_litellm.admin.routes import Route, error

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.fake_litellm.admin.routes import Asked, Database, Reply

TABLE = "keys"
ARCHIVE = "deleted keys"

_IN_METADATA = ("model_rpm_limit", "model_tpm_limit")
_LICENSED = ("guardrails", "tags")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_EMPTY: Object = {
    "key_alias": None,
    "models": [],
    "spend": 0.0,
    "max_budget": None,
    "budget_duration": None,
    "expires": None,
    "team_id": None,
    "user_id": None,
    "tpm_limit": None,
    "rpm_limit": None,
    "max_parallel_requests": None,
    "metadata": {},
    "blocked": None,
    "model_max_budget": {},
    "budget_id": None,
    "object_permission": None,
}


def _generate(database: Database, asked: Asked) -> Reply:
    body: Object = dict(asked.body)
    value = body.pop("key")
    problem = _premium(database, body, 500) or _taken(database, body.get("key_alias"), "") or _malformed(database, value)
    if problem is not None:
        return problem
    token = _token(value)
    rows = database.table(TABLE)
    if token not in rows:
        row: Object = {**_EMPTY, "metadata": {}}
        _write(database, row, body)
        if (soft := body.get("soft_budget")) is not None:
            _soften(database, row, soft)
        rows[token] = row
    # What was asked for is repeated, whatever is stored.
    return 200, {**_EMPTY, **body, "key": value, "token": token, "token_id": token}


def _update(database: Database, asked: Asked) -> Reply:
    body: Object = dict(asked.body)
    token = _token(body.pop("key"))
    row = database.table(TABLE).get(token)
    if row is None:
        legacy = f"Authentication Error: invalid user key - user key does not exist in db. User Key={token}"
        return error(401, legacy) if database.first_generation else error(404, "Key not found.")
    if "models" in body and body["models"] is None:
        return error(400, "Unable to match input value to any allowed input type for the field.")
    team = body.get("team_id")
    if team is not None and team != row["team_id"] and team not in database.table("teams"):
        return error(404, f"{{'error': \"Team doesn't exist in db. Team={team}. Create team via `/team/new` call.\"}}")
    problem = _premium(database, body, 400) or _taken(database, body.get("key_alias"), token)
    if problem is not None:
        return problem
    _write(database, row, body)
    if "soft_budget" in body and not database.first_generation:
        _soften(database, row, body["soft_budget"])
    return 200, {"key": token, **row}


def _info(database: Database, asked: Asked) -> Reply:
    token = _token(asked.query["key"])
    row = database.table(TABLE).get(token)
    if row is not None:
        budget = database.table(BUDGETS).get(str(row["budget_id"]))
        told = {**row, "litellm_budget_table": budget}
        return 200, {"key": asked.query["key"], "info": told if database.first_generation else {**told, "status": "active"}}
    archived = database.table(ARCHIVE).get(token)
    if archived is None or database.first_generation:
        return error(404, "Key not found in database", "not_found_error")
    return 200, {"key": asked.query["key"], "info": {**archived, "status": "deleted"}}


def _list(database: Database, asked: Asked) -> Reply:
    alias = asked.query.get("key_alias")
    found = [{**row, "token": token} for token, row in database.table(TABLE).items() if alias in (None, row["key_alias"])]
    page = part(asked, found[::-1], "size", 10)
    full = asked.query.get("return_full_object") == "true"
    return too_large(asked, "size") or (
        200,
        {
            "keys": page.rows if full else [row["token"] for row in page.rows],
            "total_count": len(found),
            "current_page": page.number,
            "total_pages": page.of,
        },
    )


def _delete(database: Database, asked: Asked) -> Reply:
    rows = database.table(TABLE)
    gone = [key for key in asked.body["keys"] if _token(key) in rows]
    if not gone:
        return error(404, "{'error': 'No keys found'}")
    for key in gone:
        database.table(ARCHIVE)[_token(key)] = rows.pop(_token(key))
    return 200, {"deleted_keys": asked.body["keys"]}


def drop_keys(database: Database, **whose: str) -> None:
    """Deletes the keys that have all of these ids, as LiteLLM does with those of a team, user or member that goes."""
    rows = database.table(TABLE)
    for token in [token for token, row in rows.items() if all(row[name] == value for name, value in whose.items())]:
        database.table(ARCHIVE)[token] = rows.pop(token)


def _token(key: str) -> str:
    """Whatever begins like a value is hashed; anything else is taken for a hash."""
    return hashlib.sha256(key.encode()).hexdigest() if key.startswith("sk-") else key


def _malformed(database: Database, value: str) -> Reply | None:
    if not value.startswith("sk-"):
        return error(400, "{'error': \"Invalid key format. LiteLLM Virtual Key must start with 'sk-'. Received: ****\"}")
    if len(value) < 16 and not database.first_generation:
        return error(400, "{'error': 'Invalid key format. LiteLLM Virtual Key must be at least 16 characters long.'}")
    return None


def _taken(database: Database, alias: Any, but: str) -> Reply | None:
    holders = (token for token, row in database.table(TABLE).items() if row["key_alias"] == alias)
    if alias is None or all(token == but for token in holders):
        return None
    message = f"Key with alias '{alias}' already exists. Unique key aliases across all keys are required."
    return error(400, message, "bad_request_error")


def _premium(database: Database, body: Object, status: int) -> Reply | None:
    if database.licensed:
        return None
    for name in _LICENSED:
        if body.get(name):
            return error(403, f"{{'error': 'This feature is only available for LiteLLM Enterprise users: {name}.'}}")
    if body.get("model_max_budget"):
        return error(status, "Invalid model_max_budget: You must have an enterprise license to set model_max_budget.")
    return None


def _write(database: Database, row: Object, body: Object) -> None:
    """What is sent; what lives in the metadata goes there, into the one that was sent if there is one."""
    metadata: Object = dict((body["metadata"] if "metadata" in body else row["metadata"]) or {})
    for name, value in body.items():
        if name in (*_IN_METADATA, *_LICENSED):
            if value is not None:
                metadata[name] = value
        elif name == "duration":
            if value is not None or not database.first_generation:
                row["expires"] = _end(database, value)
        elif name == "budget_duration":
            if value is not None or not database.first_generation:
                row[name] = value
        elif name == "object_permission":
            if value is not None:
                row[name] = {**(row[name] or {}), **value}
        elif name in _EMPTY and name != "metadata":
            row[name] = value
    row["metadata"] = metadata


def _end(database: Database, duration: str | None) -> str | None:
    if duration is None or duration == "-1":
        return None
    found = re.fullmatch(r"(\d+)([smhdw])", duration)
    if found is None:
        raise ValueError(duration)
    end = database.now() + timedelta(seconds=int(found[1]) * _SECONDS[found[2]])
    return end.isoformat().replace("+00:00", "Z")


def _soften(database: Database, row: Object, soft: Any) -> None:
    """The soft budget is in a budget of the key's own."""
    budgets = database.table(BUDGETS)
    if row["budget_id"] is None:
        if soft is None:
            return
        row["budget_id"] = str(uuid5(NAMESPACE_OID, str(len(budgets))))
    budget = budgets.setdefault(row["budget_id"], {"budget_id": row["budget_id"]})
    budget["soft_budget"] = soft


ROUTES = (
    Route("POST", "/key/generate", _generate),
    Route("POST", "/key/update", _update),
    Route("GET", "/key/info", _info),
    Route("GET", "/key/list", _list),
    Route("POST", "/key/delete", _delete),
)
