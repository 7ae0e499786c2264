"""``/organization/*`` as LiteLLM answers it: free in 1.81, for Enterprise alone since 1.108."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.sim.fake_litellm.admin import budgets
from app.sim.fake_litellm.admin.routes import Route, detail, error
from app.sim.fake_litellm.admin.users import TABLE as USERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hooks.objects import Object
    from app.sim.fake_litellm.admin.routes import Asked, Database, Reply

TABLE = "organizations"
_LIMITS = ("max_budget", "soft_budget", "budget_duration", "tpm_limit", "rpm_limit", "max_parallel_requests")
_IN_METADATA = ("model_rpm_limit", "model_tpm_limit")
_ENTERPRISE = "Organizations are only available for LiteLLM Enterprise users. You must be a LiteLLM Enterprise user to use this."


def _gated(handler: Callable[[Database, Asked], Reply]) -> Callable[[Database, Asked], Reply]:
    def gate(database: Database, asked: Asked) -> Reply:
        if not database.first_generation and not database.licensed:
            return detail(403, _ENTERPRISE)
        return handler(database, asked)

    return gate


def _new(database: Database, asked: Asked) -> Reply:
    if not database.has_models:
        return detail(500, "No models configured on proxy")
    body: Object = asked.body
    name = body["organization_id"]
    budget = f"budget-{len(database.table(budgets.TABLE))}-of-{name}"
    limits = {field: body[field] for field in _LIMITS if field in body}
    database.table(budgets.TABLE)[budget] = {"budget_id": budget, **limits}
    if name in database.table(TABLE):
        return 500, "Internal Server Error"
    metadata: Object = {**(body.get("metadata") or {}), **{field: body[field] for field in _IN_METADATA if body.get(field)}}
    database.table(TABLE)[name] = {
        "organization_id": name,
        "organization_alias": body["organization_alias"],
        "budget_id": budget,
        "spend": 0.0,
        "metadata": metadata,
        "models": body.get("models", []),
        "object_permission": body.get("object_permission"),
        "members": [],
    }
    return 200, _shown(database, name)


def _shown(database: Database, name: str) -> Object:
    row = database.table(TABLE)[name]
    users = database.table(USERS)
    members: list[Object] = [{**one, "user_email": users.get(one["user_id"], {}).get("user_email")} for one in row["members"]]
    return {**row, "members": members, "litellm_budget_table": database.table(budgets.TABLE).get(row["budget_id"])}


def _info(database: Database, asked: Asked) -> Reply:
    name = asked.query["organization_id"]
    return (200, _shown(database, name)) if name in database.table(TABLE) else detail(404, "Organization not found")


def _list(database: Database, asked: Asked) -> Reply:
    alias = asked.query.get("org_alias", "").casefold()
    return 200, [
        _shown(database, name) for name, row in database.table(TABLE).items() if alias in row["organization_alias"].casefold()
    ]


def _update(database: Database, asked: Asked) -> Reply:
    body: Object = {field: value for field, value in asked.body.items() if value is not None}
    row = database.table(TABLE).get(body["organization_id"])
    if row is None:
        return 500, "Internal Server Error"
    sent = {**body.get("metadata", {}), **{field: body[field] for field in _IN_METADATA if field in body}}
    for field, value in sent.items():
        if isinstance(value, dict) and isinstance(row["metadata"].get(field), dict):
            row["metadata"][field] = {**row["metadata"][field], **value}
        elif value is not None:
            row["metadata"][field] = _number(value)
    database.table(budgets.TABLE)[row["budget_id"]].update({field: body[field] for field in _LIMITS if field in body})
    if "object_permission" in body:
        row["object_permission"] = {**(row["object_permission"] or {}), **body["object_permission"]}
    row.update({field: body[field] for field in ("organization_alias", "models") if field in body})
    return 200, _shown(database, body["organization_id"])


def _number(value: Any) -> Any:
    """Texts that look like numbers become such."""
    return int(value) if isinstance(value, str) and value.isdigit() else value


def _delete(database: Database, asked: Asked) -> Reply:
    deleted: list[Object] = []
    for name in asked.body["organization_ids"]:
        if name not in database.table(TABLE):
            return detail(404, f"Organization={name} not found")
        deleted.append(_shown(database, name))
        del database.table(TABLE)[name]
    return 200, deleted


def _member_add(database: Database, asked: Asked) -> Reply:
    row = database.table(TABLE).get(asked.body["organization_id"])
    member: Object = asked.body["member"]
    who = f"Authentication Error, Error adding member={member} to organization={asked.body['organization_id']}: "
    if row is None:
        return error(404, f"{{'error': 'Organization not found for organization_id={asked.body['organization_id']}'}}")
    if "user_id" not in member:
        return error(500, f"{who}Potential NON-Existent or Duplicate user email in DB: Could not find field", "auth_error")
    if any(one["user_id"] == member["user_id"] for one in row["members"]):
        return error(500, f"{who}Unique constraint failed on the fields: (`user_id`,`organization_id`)", "auth_error")
    database.table(USERS).setdefault(member["user_id"], {"user_id": member["user_id"], "user_email": None})
    row["members"].append({"user_id": member["user_id"], "user_role": member["role"]})
    return 200, {"organization_id": row["organization_id"]}


def _member_update(database: Database, asked: Asked) -> Reply:
    row = database.table(TABLE).get(asked.body["organization_id"], {"members": []})
    for member in row["members"]:
        if member["user_id"] == asked.body["user_id"]:
            member["user_role"] = asked.body["role"]
            return 200, member
    return detail(404, f"Member not found in organization for user_id={asked.body['user_id']}")


def _member_delete(database: Database, asked: Asked) -> Reply:
    members: list[Object] = database.table(TABLE).get(asked.body["organization_id"], {"members": []})["members"]
    found = next((one for one in members if one["user_id"] == asked.body["user_id"]), None)
    if found is not None:
        members.remove(found)
    return 200, found


ROUTES = (
    Route("POST", "/organization/new", _gated(_new)),
    Route("GET", "/organization/info", _gated(_info)),
    Route("GET", "/organization/list", _gated(_list)),
    Route("PATCH", "/organization/update", _gated(_update)),
    Route("DELETE", "/organization/delete", _gated(_delete)),
    Route("POST", "/organization/member_add", _gated(_member_add)),
    Route("PATCH", "/organization/member_update", _gated(_member_update)),
    Route("DELETE", "/organization/member_delete", _gated(_member_delete)),
)
