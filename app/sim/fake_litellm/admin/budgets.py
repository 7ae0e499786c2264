"""``/budget/*`` as LiteLLM answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.sim.fake_litellm.admin.routes import Route, detail

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.fake_litellm.admin.routes import Asked, Database, Reply

TABLE = "budgets"


def _refused(database: Database, asked: Asked) -> Reply | None:
    """Limits by model are objects, and LiteLLM's Enterprise."""
    limits: Object = asked.body.get("model_max_budget") or {}
    for model, limit in limits.items():
        if not isinstance(limit, dict):
            where = ["body", "model_max_budget", model]
            return 422, {"detail": [{"loc": where, "msg": "Input should be a valid dictionary or object to extract fields from"}]}
    if limits and not database.licensed:
        return detail(400, "Invalid model_max_budget: You must have an enterprise license to set model_max_budget.")
    return None


def _new(database: Database, asked: Asked) -> Reply:
    if (refusal := _refused(database, asked)) is not None:
        return refusal
    budget = asked.body["budget_id"]
    if budget in database.table(TABLE):
        return (
            (500, "Internal Server Error")
            if database.first_generation
            else detail(400, f"Budget with id '{budget}' already exists.")
        )
    database.table(TABLE)[budget] = dict(asked.body)
    return 200, database.table(TABLE)[budget]


def _info(database: Database, asked: Asked) -> Reply:
    return 200, [database.table(TABLE)[one] for one in asked.body["budgets"] if one in database.table(TABLE)]


def _list(database: Database, asked: Asked) -> Reply:
    return 200, list(database.table(TABLE).values())


def _update(database: Database, asked: Asked) -> Reply:
    if (refusal := _refused(database, asked)) is not None:
        return refusal
    row = database.table(TABLE).get(asked.body["budget_id"])
    if row is None:
        return 200, None
    row.update({name: value for name, value in asked.body.items() if name != "metadata"})
    return 200, row


def _delete(database: Database, asked: Asked) -> Reply:
    return 200, database.table(TABLE).pop(asked.body["id"], None)


ROUTES = (
    Route("POST", "/budget/new", _new),
    Route("POST", "/budget/info", _info),
    Route("GET", "/budget/list", _list),
    Route("POST", "/budget/update", _update),
    Route("POST", "/budget/delete", _delete),
)
