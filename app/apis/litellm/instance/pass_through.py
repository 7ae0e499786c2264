"""``spec.passThroughEndpoints``: routes that the proxy hands on as they are."""

from __future__ import annotations

from app.apis.section import Section
from app.apis.types import HeaderSecret


class PassThroughEndpoint(Section):
    """A route of the proxy whose requests go to a URL unchanged."""

    path: str
    """Route in the proxy."""
    target: str
    """URL that requests go to."""
    auth: bool | None = None
    """Demand LiteLLM's authentication (LiteLLM Enterprise)."""
    forward_headers: bool | None = None
    """Hand the client's headers on."""
    include_subpath: bool | None = None
    """Serve what lies below the path too."""
    methods: list[str] | None = None
    """HTTP methods; absent means all."""
    headers: dict[str, str] | None = None
    """Headers that are added."""
    header_secrets: list[HeaderSecret] | None = None
    """Headers that are added with a value from a Secret."""
    default_query_params: dict[str, str] | None = None
    """Query parameters that are added where the client gives none."""
