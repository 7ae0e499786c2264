"""``/team/member_*`` as LiteLLM answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import NAMESPACE_OID, uuid5

from app.sim.fake_litellm.admin.budgets import TABLE as BUDGETS
from app.sim.fake_litellm.admin.routes import Route, detail, plain_detail
from app.sim.fake_litellm.admin.teams import DEFAULT_BUDGET, MEMBERSHIPS, TABLE
from app.sim.fake_litellm.admin.users import TABLE as USERS
from app.sim.fake_litellm.admin.users import blank
from app.sim.fake_litellm.admin.virtual_keys import drop_keys

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.fake_litellm.admin.routes import Asked, Database, Reply

_LIMITS = {"max_budget_in_team": "max_budget", "tpm_limit": "tpm_limit", "rpm_limit": "rpm_limit"}
_PREMIUM = "Assigning team admins is a premium feature. You must be a LiteLLM Enterprise user to use this feature."


def _add(database: Database, asked: Asked) -> Reply:
    team = asked.body["team_id"]
    row = database.table(TABLE).get(team)
    if row is None:
        return detail(404, f"Team doesn't exist in db. Team={team}. Create team via `/team/new` call.")
    people: list[Object] = asked.body["member"]
    if not database.licensed and any(one["role"] == "admin" for one in people):
        return detail(400, _PREMIUM)
    new = [one for one in people if _member(row, one) is None]
    if not new:
        return 400, {"error": {"message": f"User already in team. Member: {people[0]}", "type": "team_member_already_in_team"}}
    for one in new:
        user = _user(database, one)
        email = one.get("user_email") or user["user_email"]
        row["members_with_roles"].append({"user_id": user["user_id"], "user_email": email, "role": one["role"]})
        user["teams"].append(team)
        shared = row["metadata"].get(DEFAULT_BUDGET)
        _join(database, team, user["user_id"], shared)
        if asked.body.get("max_budget_in_team") is not None:
            _limit(database, team, user["user_id"], {"max_budget": asked.body["max_budget_in_team"]})
    return 200, row


def _update(database: Database, asked: Asked) -> Reply:
    body: Object = asked.body
    row = database.table(TABLE).get(body["team_id"])
    if body.get("role") == "admin" and not database.licensed:
        return plain_detail(400, _PREMIUM)
    if row is None:
        return detail(400, f"Team id={body['team_id']} does not exist in db")
    limits = {name: body[sent] for sent, name in _LIMITS.items() if sent in body}
    if any(value is not None for value in limits.values()):
        _limit(database, body["team_id"], body["user_id"], limits)
    elif limits or database.first_generation:
        # 1.81 takes a request without limits for one that ends them.
        _join(database, body["team_id"], body["user_id"], None)
    for one in row["members_with_roles"]:
        if one["user_id"] == body["user_id"] and body.get("role"):
            one["role"] = body["role"]
    return 200, {"team_id": body["team_id"], "user_id": body["user_id"]}


def _delete(database: Database, asked: Asked) -> Reply:
    team, user = asked.body["team_id"], asked.body["user_id"]
    row = database.table(TABLE).get(team)
    if row is None:
        return detail(400, f"Team id={team} does not exist in db")
    if _member(row, {"user_id": user}) is None:
        return detail(400, "User not found in team")
    leave(database, row, user)
    return 200, row


def leave(database: Database, row: Object, user: str) -> None:
    """A member goes, with the keys in the team."""
    row["members_with_roles"] = [one for one in row["members_with_roles"] if one["user_id"] != user]
    database.table(MEMBERSHIPS).pop(f"{row['team_id']}/{user}", None)
    teams = database.table(USERS).get(user, {}).get("teams", [])
    if row["team_id"] in teams:
        teams.remove(row["team_id"])
    drop_keys(database, team_id=row["team_id"], user_id=user)


def _member(row: Object, person: Object) -> Object | None:
    email = (person.get("user_email") or "").casefold()
    for one in row["members_with_roles"]:
        if one["user_id"] == person.get("user_id") or (email and email == (one["user_email"] or "").casefold()):
            return one
    return None


def _user(database: Database, person: Object) -> Object:
    """The user that is meant, who is made if there is none: an address gets an id of LiteLLM's own."""
    users = database.table(USERS)
    email: str = person.get("user_email") or ""
    if person.get("user_id") is None:
        found = next((one for one in users.values() if email.casefold() == (one["user_email"] or "").casefold()), None)
        if found is not None:
            return found
    user = person.get("user_id") or str(uuid5(NAMESPACE_OID, email))
    return users.setdefault(user, blank(user, user_email=email or None, user_role="internal_user"))


def _join(database: Database, team: str, user: str, budget: str | None) -> None:
    database.table(MEMBERSHIPS)[f"{team}/{user}"] = {"team_id": team, "user_id": user, "budget_id": budget, "spend": 0.0}


def _limit(database: Database, team: str, user: str, limits: Object) -> None:
    """A budget of the member's own."""
    budget = f"member-{uuid5(NAMESPACE_OID, f'{team}/{user}')}"
    database.table(BUDGETS)[budget] = {"budget_id": budget, "max_budget": None, "tpm_limit": None, "rpm_limit": None, **limits}
    _join(database, team, user, budget)


ROUTES = (
    Route("POST", "/team/member_add", _add),
    Route("POST", "/team/member_update", _update),
    Route("POST", "/team/member_delete", _delete),
)
