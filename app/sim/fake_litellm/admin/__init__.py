"""The admin API of the fake proxy: rows in memory, and the answers of each release."""

from __future__ import annotations

from app.sim.fake_litellm.admin import (
    budgets,
    credentials,
    customers,
    mcp_servers,
    models,
    organizations,
    team_members,
    teams,
    users,
    vector_stores,
    virtual_keys,
)
from app.sim.fake_litellm.admin.routes import Asked, Database, Route

__all__ = ["ROUTES", "Asked", "Database", "Route"]

ROUTES: tuple[Route, ...] = (
    *budgets.ROUTES,
    *credentials.ROUTES,
    *customers.ROUTES,
    *mcp_servers.ROUTES,
    *models.ROUTES,
    *organizations.ROUTES,
    *team_members.ROUTES,
    *teams.ROUTES,
    *users.ROUTES,
    *vector_stores.ROUTES,
    *virtual_keys.ROUTES,
)
