"""The group ``litellm.palena.ai``: LiteLLM's own things as custom resources."""

from __future__ import annotations

API_VERSION = "litellm.palena.ai/v1alpha1"
"""Group and version of every kind in here."""

CATEGORIES = ("litellm", "palena")
"""``kubectl get litellm`` lists this group's objects, ``kubectl get palena`` those of both."""
