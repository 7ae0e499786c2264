"""``/customer/*`` as LiteLLM answers it. Limits are in a budget of the customer's own, which an update does not empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.sim.fake_litellm.admin import budgets
from app.sim.fake_litellm.admin.routes import Route, error

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.fake_litellm.admin.routes import Asked, Database, Reply

TABLE = "customers"
_LIMITS = ("max_budget", "budget_duration", "tpm_limit", "rpm_limit", "soft_budget", "max_parallel_requests")
_KEPT = ("alias", "blocked", "allowed_model_region", "default_model")
_LISTS = ("mcp_servers", "mcp_access_groups", "vector_stores", "agents", "agent_access_groups")
"""Lists of a permission; newer releases have more."""
_NEWER_LISTS = ("models", "mcp_toolsets", "blocked_tools", "search_tools", "skills")


def _new(database: Database, asked: Asked) -> Reply:
    body: Object = asked.body
    name = body["user_id"]
    if name in database.table(TABLE):
        return error(400, f"Customer already exists, passed user_id={name}. Please pass a new user_id.", "bad_request")
    if body.get("budget_id") is not None and body.get("max_budget") is not None:
        return 422, {"detail": [{"loc": ["body"], "msg": "Value error, Set either 'max_budget' or 'budget_id', not both."}]}
    if body.get("budget_id") is not None and body["budget_id"] not in database.table(budgets.TABLE):
        prefix = "Internal Server Error, " if database.first_generation else ""
        return error(500, f"{prefix}Foreign key constraint violated: `LiteLLM_EndUserTable_budget_id_fkey (index)`")
    row: Object = {"user_id": name, "blocked": False, "spend": 0.0, "alias": None, "default_model": None}
    row |= {field: body[field] for field in _KEPT if field in body}
    permission = body.get("object_permission")
    row["object_permission"] = {**{field: [] for field in _lists(database)}, **permission} if permission else None
    if not database.first_generation:
        row["models"] = body.get("models") or []
    limits = {field: body[field] for field in _LIMITS if field in body}
    row["budget_id"] = body.get("budget_id") or (_own_budget(database, name, limits) if limits else None)
    database.table(TABLE)[name] = row
    return 200, _shown(database, row)


def _lists(database: Database) -> tuple[str, ...]:
    return _LISTS if database.first_generation else (*_LISTS, *_NEWER_LISTS)


def _own_budget(database: Database, name: str, limits: Object) -> str:
    budget = f"budget-of-{name}"
    database.table(budgets.TABLE)[budget] = {"budget_id": budget, **limits}
    return budget


def _shown(database: Database, row: Object) -> Object:
    table = database.table(budgets.TABLE).get(row["budget_id"]) if row["budget_id"] else None
    return {**{field: value for field, value in row.items() if field != "budget_id"}, "litellm_budget_table": table}


def _info(database: Database, asked: Asked) -> Reply:
    row = database.table(TABLE).get(asked.query["end_user_id"])
    if row is None:
        return error(404, f"End User Id={asked.query['end_user_id']} does not exist in db", "not_found")
    return 200, _shown(database, row)


def _update(database: Database, asked: Asked) -> Reply:
    row = database.table(TABLE).get(asked.body["user_id"])
    if row is None:
        return error(404, f"End User Id={asked.body['user_id']} does not exist in db", "not_found")
    body = {field: value for field, value in asked.body.items() if _taken(database, field, value)}
    permission = body.get("object_permission")
    prefix = "Internal Server Error, " if database.first_generation else ""
    if permission is not None and (missing := [name for name in _lists(database) if name not in permission]):
        return error(500, f"{prefix}Parse errors: [`create.{missing[0]}`: A value is required but not set]")
    if body.get("budget_id") and body["budget_id"] not in database.table(budgets.TABLE):
        return error(500, f"{prefix}Foreign key constraint violated: `LiteLLM_EndUserTable_budget_id_fkey (index)`")
    row |= {field: body[field] for field in (*_KEPT, "models") if field in body}
    if permission is not None:
        row["object_permission"] = {name: permission[name] for name in _lists(database)}
    if "budget_id" in body:
        row["budget_id"] = body["budget_id"]
    elif "max_budget" in body:
        if row["budget_id"] is None:
            row["budget_id"] = _own_budget(database, row["user_id"], {})
        database.table(budgets.TABLE)[row["budget_id"]]["max_budget"] = body["max_budget"]
    return 200, _shown(database, row)


def _taken(database: Database, field: str, value: Any) -> bool:
    """Whether an update takes the value: no null, no 0, and what is empty or false of some fields and releases alone."""
    if field == "models":
        return value is not None and not database.first_generation
    return bool(value) or value == "" or (value is False and not database.first_generation)


def _delete(database: Database, asked: Asked) -> Reply:
    missing = [name for name in asked.body["user_ids"] if name not in database.table(TABLE)]
    if missing:
        return error(404, f"End User Id(s)={', '.join(missing)} do not exist in db", "not_found")
    for name in asked.body["user_ids"]:
        del database.table(TABLE)[name]
    return 200, {"deleted_customers": len(asked.body["user_ids"])}


def _list(database: Database, asked: Asked) -> Reply:
    rows: list[Any] = [_shown(database, row) for row in database.table(TABLE).values()]
    if database.release < 110:
        return 200, rows
    size = min(int(asked.query.get("page_size", 50)), 100)
    start = (int(asked.query.get("page", 1)) - 1) * size
    return 200, rows[start : start + size]


ROUTES = (
    Route("POST", "/customer/new", _new),
    Route("GET", "/customer/info", _info),
    Route("POST", "/customer/update", _update),
    Route("POST", "/customer/delete", _delete),
    Route("GET", "/customer/list", _list),
)
