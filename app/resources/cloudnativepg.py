"""The Secret that CloudNativePG makes for the application of one of its clusters."""

from __future__ import annotations

CNPG_URL_KEY = "uri"
"""The key under which it normally has the whole URL."""


def cnpg_secret(cluster: str) -> str:
    """The Secret's name."""
    return f"{cluster}-app"
