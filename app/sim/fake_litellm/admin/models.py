"""``/model/*`` as LiteLLM answers it, for one replica: what it stores it serves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.sim.fake_litellm.admin.credentials import TABLE as CREDENTIALS
from app.sim.fake_litellm.admin.routes import Route, error

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.fake_litellm.admin.routes import Asked, Database, Reply

TABLE = "models"
HEALTH = "model health"
"""Rows by the id of the model, with ``status``."""

_SECRET = ("api_key", "vertex_credentials")
_PRICES = (
    "input_cost_per_token",
    "output_cost_per_token",
    "input_cost_per_pixel",
    "input_cost_per_second",
    "cache_read_input_token_cost",
    "cache_creation_input_token_cost",
)


def _new(database: Database, asked: Asked) -> Reply:
    body: Object = asked.body
    if not database.store_model_in_db:
        return error(500, "{'error': \"Set `'STORE_MODEL_IN_DB='True'` in your env to enable this feature.\"}")
    name = body["model_info"]["id"]
    if name in database.table(TABLE):
        return error(500, "{'error': 'Failed to add model to db. Check your server logs for more details.'}")
    row: Object = {
        "model_name": body["model_name"],
        "litellm_params": dict(body["litellm_params"]),
        "model_info": {**_unpriced(database, body["model_info"]), "db_model": True},
    }
    if not database.first_generation and "blocked" in body:
        row["model_info"]["blocked"] = body["blocked"]
    if not database.loses_models:
        database.table(TABLE)[name] = row
    return 200, {"model_id": name, **row}


def _patch(database: Database, asked: Asked) -> Reply:
    name = asked.named["id"]
    body: Object = asked.body
    if not database.store_model_in_db:
        return error(400, "Model updates only supported for DB-stored models")
    row = database.table(TABLE).get(name)
    if row is None:
        return error(404, f"Model {name} not found on proxy.", "not_found_error")
    if row["model_info"].get("db_model") is False:
        return error(400, "Cannot edit config-based model. Store model in DB via /model/new first.")
    params: Object = body.get("litellm_params") or {}
    credential = params.get("litellm_credential_name")
    unknown = credential not in database.table(CREDENTIALS) and credential != row["litellm_params"].get("litellm_credential_name")
    if credential is not None and unknown and not database.first_generation:
        text = f"Credential '{credential}' not found. Create it via /credentials before attaching it to a model."
        return error(400, text, "validation_error")
    row["model_name"] = body.get("model_name") or row["model_name"]
    row["litellm_params"].update({key: value for key, value in params.items() if value is not None})
    info = _unpriced(database, body.get("model_info") or {})
    row["model_info"].update({key: value for key, value in info.items() if value is not None})
    if not database.first_generation:
        for price in (key for key in _PRICES if key in params and params[key] is None):
            row["litellm_params"].pop(price, None)
    return 200, {"model_id": name, **row}


def _delete(database: Database, asked: Asked) -> Reply:
    name = asked.body["id"]
    row = database.table(TABLE).get(name)
    if row is None or row["model_info"].get("db_model") is False:
        return error(400, f"{{'error': 'Model with id={name} not found in db'}}")
    del database.table(TABLE)[name]
    return 200, {"message": f"Model: {name} deleted successfully"}


def _info(database: Database, asked: Asked) -> Reply:
    rows = database.table(TABLE)
    wanted = asked.query.get("modelId")
    found = list(rows.values()) if wanted is None else [rows[wanted]] if wanted in rows else []
    page, size = int(asked.query.get("page", 1)), int(asked.query.get("size", 50))
    return 200, {
        "data": [_shown(row) for row in found[(page - 1) * size : page * size]],
        "total_count": len(found),
        "current_page": page,
        "total_pages": -(-len(found) // size),
        "size": size,
    }


def _latest(database: Database, asked: Asked) -> Reply:
    checks = {name: {"model_id": name, **row} for name, row in database.table(HEALTH).items()}
    return 200, {"latest_health_checks": checks, "total_models": len(checks)}


def _shown(row: Object) -> Object:
    params: Object = {name: value for name, value in row["litellm_params"].items() if name not in _SECRET}
    prices = {name: params[name] for name in _PRICES if name in params}
    return {**row, "litellm_params": params, "model_info": {**row["model_info"], **prices}}


def _unpriced(database: Database, info: Any) -> Object:
    """What is stored of ``model_info``: newer releases take prices from the parameters alone."""
    return {name: value for name, value in info.items() if database.first_generation or name not in _PRICES}


ROUTES = (
    Route("POST", "/model/new", _new),
    Route("PATCH", "/model/{id}/update", _patch),
    Route("POST", "/model/delete", _delete),
    Route("GET", "/v2/model/info", _info),
    Route("GET", "/health/latest", _latest),
)
