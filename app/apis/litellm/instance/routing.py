"""How the proxy chooses among deployments of a model: ``spec.routerSettings`` and ``spec.fallbacks``."""

from __future__ import annotations

from typing import Literal

from app.apis.section import Section

RoutingStrategy = Literal[
    "simple-shuffle",
    "least-busy",
    "latency-based-routing",
    "usage-based-routing",
    "usage-based-routing-v2",
    "cost-based-routing",
]


class ProviderBudget(Section):
    """Spending cap of one provider."""

    budget_limit: str
    """US dollars, as a decimal string."""
    time_period: str
    """When the cap starts anew, e.g. 1d."""


class RouterSettings(Section):
    """Settings of the proxy's router_settings section."""

    routing_strategy: RoutingStrategy | None = None
    """How a deployment is chosen."""
    num_retries: int | None = None
    """How often a failed request is tried again."""
    timeout: int | None = None
    """Seconds that a whole request may take."""
    stream_timeout: int | None = None
    """Seconds that a streaming request may take."""
    retry_after: int | None = None
    """Seconds to wait before a retry."""
    allowed_fails: int | None = None
    """Failures after which a deployment is left alone for a while."""
    cooldown_time: int | None = None
    """Seconds that a failing deployment is left alone."""
    retry_policy: dict[str, int] | None = None
    """Retries by type of error."""
    model_group_retry_policy: dict[str, dict[str, int]] | None = None
    """Retries by model group and type of error."""
    enable_tag_filtering: bool | None = None
    """Choose deployments by the request's tags."""
    tag_filtering_match_any: bool | None = None
    """One matching tag is enough; otherwise all must match."""
    default_max_parallel_requests: int | None = None
    """Requests that one deployment serves at once."""
    provider_budget_config: dict[str, ProviderBudget] | None = None
    """Spending caps by provider."""
    enable_pre_call_checks: bool | None = None
    """Leave out deployments whose context window or region does not fit the request."""
    model_group_alias: dict[str, str] | None = None
    """Model group by alias."""


class Fallback(Section):
    """Where requests for one model go when it fails."""

    model: str
    """The model that fails."""
    fallbacks: list[str]
    """Models to try instead, in this order."""


class Fallbacks(Section):
    """Chains of models to try when one fails."""

    default_fallbacks: list[str] | None = None
    """Models to try for any model and any error."""
    model_fallbacks: list[Fallback] | None = None
    """By model, on errors in general."""
    content_policy_fallbacks: list[Fallback] | None = None
    """By model, when the provider refuses the content."""
    context_window_fallbacks: list[Fallback] | None = None
    """By model, when the request is too long for it."""
    max_fallbacks: int = 3
    """How many fallbacks are tried."""
