"""``GET /user/list`` as LiteLLM answers it: users whose address contains what was asked for, in any case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.sim.fake_litellm.admin.routes import Route

if TYPE_CHECKING:
    from app.sim.fake_litellm.admin.routes import Asked, Database, Reply

TABLE = "users"


def _list(database: Database, asked: Asked) -> Reply:
    part = asked.query.get("user_email", "").casefold()
    size, page = int(asked.query.get("page_size", 25)), int(asked.query.get("page", 1))
    rows = [row for row in database.table(TABLE).values() if part in (row.get("user_email") or "").casefold()]
    shown = rows[(page - 1) * size : page * size]
    return 200, {"users": shown, "total": len(rows), "page": page, "page_size": size, "total_pages": -(-len(rows) // size)}


ROUTES = (Route("GET", "/user/list", _list),)
