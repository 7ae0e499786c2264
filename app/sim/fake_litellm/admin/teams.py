"""``/team/*`` as LiteLLM answers it, members aside (:mod:`app.sim.fake_litellm.admin.team_members`)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import NAMESPACE_OID, uuid5

from app.sim.fake_litellm.admin.budgets import TABLE as BUDGETS
from app.sim.fake_litellm.admin.pages import part, too_large
from app.sim.fake_litellm.admin.routes import Route, detail, error
from app.sim.fake_litellm.admin.virtual_keys import drop_keys

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.fake_litellm.admin.routes import Asked, Database, Reply

TABLE = "teams"
MEMBERSHIPS = "team memberships"
"""Rows by team and user: the budget of a member."""
DEFAULT_BUDGET = "team_member_budget_id"

_IN_METADATA = ("model_rpm_limit", "model_tpm_limit")
_LICENSED = ("guardrails", "tags")
_OF_MEMBERS = {"team_member_budget": "max_budget", "team_member_rpm_limit": "rpm_limit", "team_member_tpm_limit": "tpm_limit"}
_ENCRYPTED = "litellm_enc::"
_PERMISSION: Object = {"mcp_servers": [], "mcp_access_groups": [], "vector_stores": [], "agents": []}
_EMPTY: Object = {
    "team_alias": None,
    "organization_id": None,
    "members_with_roles": [],
    "metadata": {},
    "models": [],
    "spend": 0.0,
    "max_budget": None,
    "soft_budget": None,
    "budget_duration": None,
    "tpm_limit": None,
    "rpm_limit": None,
    "max_parallel_requests": None,
    "blocked": False,
    "object_permission": None,
}


def _new(database: Database, asked: Asked) -> Reply:
    body: Object = dict(asked.body)
    rows = database.table(TABLE)
    team = body["team_id"]
    if team in rows:
        return error(400, f"{{'error': 'Team id = {team} already exists. Please use a different team id.'}}")
    organization = body.get("organization_id")
    if organization is not None and organization not in database.table("organizations"):
        if database.first_generation:
            return error(500, f"Internal Server Error, Organization doesn't exist in db. Organization={organization}.")
        return error(400, f"Organization not found for organization_id={organization}")
    if (problem := _premium(database, body) or _negative(body)) is not None:
        return problem
    row: Object = {"team_id": team, **_EMPTY, "metadata": {}, "members_with_roles": [_master()]}
    rows[team] = row
    _write(database, row, body)
    return 200, row


def _update(database: Database, asked: Asked) -> Reply:
    body: Object = dict(asked.body)
    row = database.table(TABLE).get(body["team_id"])
    if row is None:
        return error(404, f"{{'error': 'Team not found, passed team_id={body['team_id']}'}}")
    if "models" in body and body["models"] is None:
        return error(500, "Unable to match input value to any allowed input type for the field.")
    organization = body.get("organization_id")
    if organization and organization not in database.table("organizations"):
        return error(404, f"{{'error': 'Organization not found, passed organization_id={organization}'}}")
    if (problem := _premium(database, body) or _negative(body) or _soft_too_high(row, body)) is not None:
        return problem
    _write(database, row, body)
    return 200, {"team_id": row["team_id"], "data": row}


def _info(database: Database, asked: Asked) -> Reply:
    team = asked.query["team_id"]
    row = database.table(TABLE).get(team)
    if row is None:
        return error(404, f"{{'message': 'Team not found, passed team id: {team}.'}}", "auth_error")
    budgets = database.table(BUDGETS)
    source: Object = {} if database.first_generation else {"budget_source": "budget"}
    memberships = [
        {**one, **source, "litellm_budget_table": budgets.get(str(one["budget_id"]))}
        for one in database.table(MEMBERSHIPS).values()
        if one["team_id"] == team
    ]
    return 200, {"team_id": team, "team_info": row, "keys": [], "team_memberships": memberships}


def _list(database: Database, asked: Asked) -> Reply:
    alias = asked.query.get("team_alias", "").casefold()
    found = [row for row in database.table(TABLE).values() if alias in (row["team_alias"] or "").casefold()]
    page = part(asked, found, "page_size", 10)
    told = {"teams": page.rows, "total": len(found), "page": page.number, "page_size": page.size, "total_pages": page.of}
    return too_large(asked, "page_size") or (200, told)


def _delete(database: Database, asked: Asked) -> Reply:
    rows = database.table(TABLE)
    for team in asked.body["team_ids"]:
        if team not in rows:
            return detail(404, f"Team not found, passed team_id={team}")
    for team in asked.body["team_ids"]:
        del rows[team]
        drop_keys(database, team_id=team)
        memberships = database.table(MEMBERSHIPS)
        for name in [name for name, one in memberships.items() if one["team_id"] == team]:
            del memberships[name]
    return 200, {"deleted_teams": asked.body["team_ids"]}


def _master() -> Object:
    """LiteLLM puts whoever makes a team into it."""
    return {"user_id": "default_user_id", "user_email": None, "role": "admin"}


def _premium(database: Database, body: Object) -> Reply | None:
    if database.licensed or not any(body.get(name) for name in _LICENSED):
        return None
    return error(403, "{'error': 'This feature is only available for LiteLLM Enterprise users.'}")


def _negative(body: Object) -> Reply | None:
    if (body.get("max_budget") or 0) < 0:
        return error(400, f"{{'error': 'max_budget cannot be negative. Received: {body['max_budget']}'}}")
    return None


def _soft_too_high(row: Object, body: Object) -> Reply | None:
    """The soft budget that is stored counts, even if the same request clears it."""
    most = body.get("max_budget")
    soft = body.get("soft_budget")
    soft = row["soft_budget"] if soft is None else soft
    if most is None or soft is None or soft < most:
        return None
    return error(400, f"{{'error': 'max_budget ({most}) must be strictly greater than soft_budget ({soft})'}}")


def _write(database: Database, row: Object, body: Object) -> None:
    """What is sent. What lives in the metadata goes there: at 1.81 into the one that was sent, or into an empty one."""
    inside = {name: body[name] for name in (*_IN_METADATA, *_LICENSED) if body.get(name) is not None}
    kept: Object = row["metadata"] or {}
    metadata: Object = dict(body.get("metadata") or {}) if "metadata" in body else dict(kept)
    if "metadata" not in body and database.first_generation and (inside or body.keys() & _OF_MEMBERS.keys()):
        metadata = {}
    if not database.first_generation and DEFAULT_BUDGET in kept:
        metadata[DEFAULT_BUDGET] = kept[DEFAULT_BUDGET]
    metadata |= inside
    _limit_members(database, row, body, metadata)
    if not database.first_generation:
        metadata = _encrypted(metadata)
    for name, value in body.items():
        if name == "object_permission":
            if value is not None:
                row[name] = {**_PERMISSION, **(row[name] or {}), **value}
        elif name in _EMPTY and name not in {"metadata", "members_with_roles", "spend", "max_parallel_requests"}:
            row[name] = value
    row["metadata"] = metadata


def _limit_members(database: Database, row: Object, body: Object, metadata: Object) -> None:
    """Limits of all members are in a budget that LiteLLM makes; null takes one away in newer releases only."""
    sent = {name: body[column] for column, name in _OF_MEMBERS.items() if column in body}
    if database.first_generation:
        sent = {name: value for name, value in sent.items() if value is not None}
    if not sent:
        return
    budgets = database.table(BUDGETS)
    stored: Object = row["metadata"] or {}
    budget = stored.get(DEFAULT_BUDGET)
    if budget is None:
        if all(value is None for value in sent.values()):
            return
        budget = f"team-{uuid5(NAMESPACE_OID, row['team_id'])}"
        budgets[budget] = {"budget_id": budget, "max_budget": None, "rpm_limit": None, "tpm_limit": None}
    metadata[DEFAULT_BUDGET] = budget
    budgets[budget].update(sent)


def _encrypted(metadata: Object) -> Object:
    """Newer releases store the variables of destinations encrypted, and show them so."""
    entries: list[Object] | None = metadata.get("logging")
    if entries is None:
        return metadata
    hidden = [{**one, "callback_vars": _hidden(one["callback_vars"])} for one in entries]
    return {**metadata, "logging": hidden}


def _hidden(variables: Object) -> Object:
    return {
        name: value if value.startswith(_ENCRYPTED) else f"{_ENCRYPTED}{uuid5(NAMESPACE_OID, value)}"
        for name, value in variables.items()
    }


ROUTES = (
    Route("POST", "/team/new", _new),
    Route("POST", "/team/update", _update),
    Route("GET", "/team/info", _info),
    Route("GET", "/v2/team/list", _list),
    Route("POST", "/team/delete", _delete),
)
