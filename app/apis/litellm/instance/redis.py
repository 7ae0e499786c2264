"""``spec.redis``: what the proxies of one instance share."""

from __future__ import annotations

from app.apis.section import Section
from app.apis.types import SecretKeyRef


class Redis(Section):
    """Redis, which several replicas need to share rate limits, router state and the cache."""

    enabled: bool
    """Use Redis."""
    connection_secret_ref: SecretKeyRef | None = None
    """Secret key with the whole REDIS_URL; then host, port and password are not needed."""
    host: str | None = None
    """Host name or address."""
    port: int = 6379
    """Port."""
    password_secret_ref: SecretKeyRef | None = None
    """Secret key with the password."""
