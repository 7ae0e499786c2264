"""``/vector_store/*`` as LiteLLM answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.sim.fake_litellm.admin.routes import Route, plain_detail

if TYPE_CHECKING:
    from app.sim.fake_litellm.admin.routes import Asked, Database, Reply

TABLE = "vector_stores"
_UPDATED = ("custom_llm_provider", "vector_store_name", "vector_store_description", "vector_store_metadata")


def _new(database: Database, asked: Asked) -> Reply:
    store = asked.body["vector_store_id"]
    if store in database.table(TABLE):
        text = f"Vector store with ID {store} already exists"
        return plain_detail(500, f"400: {text}") if database.first_generation else plain_detail(400, text)
    # Team and user are those of the key that asks.
    owned = {"team_id": None, "user_id": "default_user_id"}
    database.table(TABLE)[store] = {"litellm_credential_name": None, **asked.body, **owned}
    return 200, {"status": "success", "vector_store": database.table(TABLE)[store]}


def _missing(database: Database, store: str) -> Reply:
    text = f"Vector store with ID {store} not found"
    return plain_detail(500, f"404: {text}") if database.first_generation else plain_detail(404, text)


def _info(database: Database, asked: Asked) -> Reply:
    row = database.table(TABLE).get(asked.body["vector_store_id"])
    return (200, {"vector_store": row}) if row is not None else _missing(database, asked.body["vector_store_id"])


def _update(database: Database, asked: Asked) -> Reply:
    row = database.table(TABLE).get(asked.body["vector_store_id"])
    if row is None:
        if database.first_generation:
            return plain_detail(500, "'NoneType' object has no attribute 'model_dump'")
        return _missing(database, asked.body["vector_store_id"])
    row |= {field: asked.body[field] for field in _UPDATED if field in asked.body}
    return 200, {"status": "success", "vector_store": row}


def _delete(database: Database, asked: Asked) -> Reply:
    store = asked.body["vector_store_id"]
    if database.table(TABLE).pop(store, None) is None:
        return plain_detail(404, f"Vector store with ID {store} not found")
    return 200, {"status": "success"}


def _list(database: Database, asked: Asked) -> Reply:
    rows = list(database.table(TABLE).values())
    return 200, {"object": "list", "data": rows, "total_count": len(rows), "current_page": 1, "total_pages": 1}


ROUTES = (
    Route("POST", "/vector_store/new", _new),
    Route("POST", "/vector_store/info", _info),
    Route("POST", "/vector_store/update", _update),
    Route("POST", "/vector_store/delete", _delete),
    Route("GET", "/vector_store/list", _list),
)
