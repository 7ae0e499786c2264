"""Ids that are LiteLLM's own: what has them is not ours to count, to take over or to delete."""

from __future__ import annotations

MASTER = "default_user_id"
"""The user who holds the master key, whom LiteLLM puts into every team that is made with it."""

UI_TEAM = "litellm-dashboard"
"""The team of those who sign in to LiteLLM's own pages, and of the keys that LiteLLM makes for them."""
