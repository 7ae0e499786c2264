"""``router_settings`` and where fallbacks go.

Keys are the parameters of ``litellm.Router``; anything else there is ignored with a warning in the proxy's log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.proxyconfig.budgets import dollars
from app.proxyconfig.table import Setting, only_true

if TYPE_CHECKING:
    from app.hooks.objects import Object


def by_model(entries: list[Object]) -> list[Object]:
    """``[{model: …, fallbacks: […]}]`` as LiteLLM's list of one-key maps."""
    return [{entry["model"]: entry["fallbacks"]} for entry in entries]


def provider_budgets(providers: Object) -> dict[str, Any]:
    """Spending caps by provider; one whose limit is no number is left out, and told by ``budgets.unreadable``."""
    return {
        name: {"budget_limit": limit, "time_period": budget["timePeriod"]}
        for name, budget in providers.items()
        if (limit := dollars(budget["budgetLimit"])) is not None
    }


ROUTER = (
    Setting("routerSettings.routingStrategy", "routing_strategy"),
    Setting("routerSettings.numRetries", "num_retries"),
    Setting("routerSettings.timeout", "timeout"),
    Setting("routerSettings.streamTimeout", "stream_timeout"),
    Setting("routerSettings.retryAfter", "retry_after"),
    Setting("routerSettings.allowedFails", "allowed_fails"),
    Setting("routerSettings.cooldownTime", "cooldown_time"),
    Setting("routerSettings.retryPolicy", "retry_policy"),
    Setting("routerSettings.modelGroupRetryPolicy", "model_group_retry_policy"),
    Setting("routerSettings.enableTagFiltering", "enable_tag_filtering", form=only_true),
    Setting("routerSettings.tagFilteringMatchAny", "tag_filtering_match_any"),
    Setting("routerSettings.defaultMaxParallelRequests", "default_max_parallel_requests"),
    Setting("routerSettings.providerBudgetConfig", "provider_budget_config", form=provider_budgets),
    Setting("routerSettings.enablePreCallChecks", "enable_pre_call_checks"),
    Setting("routerSettings.modelGroupAlias", "model_group_alias"),
    Setting("fallbacks.modelFallbacks", "fallbacks", form=by_model),
    Setting("fallbacks.maxFallbacks", "max_fallbacks"),
)

FALLBACKS = (
    Setting("fallbacks.defaultFallbacks", "default_fallbacks"),
    Setting("fallbacks.contentPolicyFallbacks", "content_policy_fallbacks", form=by_model),
    Setting("fallbacks.contextWindowFallbacks", "context_window_fallbacks", form=by_model),
)
"""Part of ``litellm_settings``, where the router looks for them too."""
