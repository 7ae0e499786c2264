"""``general_settings``: the proxy itself, who may reach it, and its Admin UI.

LiteLLM reads them one by one in ``proxy_server.py: load_config`` and wherever ``general_settings.get`` is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.proxyconfig.table import Setting, only_true, positive

if TYPE_CHECKING:
    from app.hooks.objects import Object

GENERAL = (
    Setting("generalSettings.proxyBatchWriteAt", "proxy_batch_write_at", form=positive),
    # LiteLLM reads no such key: a master key is required once there is one. It stays for whoever reads the file.
    Setting("generalSettings.masterKeyRequired", "master_key_required"),
    Setting("generalSettings.alertTypes", "alert_types"),
    Setting("generalSettings.alerting", "alerting"),
    Setting("generalSettings.alertingThreshold", "alerting_threshold"),
    Setting("generalSettings.alertToWebhookUrl", "alert_to_webhook_url"),
    Setting("generalSettings.backgroundHealthChecks", "background_health_checks"),
    Setting("generalSettings.healthCheckInterval", "health_check_interval"),
    Setting("generalSettings.healthCheckDetails", "health_check_details"),
    Setting("generalSettings.healthCheckSkipDisabledModels", "health_check_skip_disabled_background_models"),
    Setting("generalSettings.customKeyGenerate", "custom_key_generate"),
    Setting("generalSettings.allowUserAuth", "allow_user_auth"),
    Setting("generalSettings.globalMaxParallelRequests", "global_max_parallel_requests"),
    Setting("generalSettings.budgetReschedulerMinTime", "proxy_budget_rescheduler_min_time"),
    Setting("generalSettings.budgetReschedulerMaxTime", "proxy_budget_rescheduler_max_time"),
    Setting("database.connectionPool.maxConnections", "database_connection_pool_limit", form=positive),
)

IP_ALLOWLIST = (
    Setting("security.ipAllowlist.allowedIPs", "allowed_ips", when="security.ipAllowlist.enabled"),
    Setting("security.ipAllowlist.useXForwardedFor", "use_x_forwarded_for", when="security.ipAllowlist.enabled", form=only_true),
    Setting("security.ipAllowlist.maxRequestSizeMB", "max_request_size_mb", when="security.ipAllowlist.enabled"),
    Setting("security.ipAllowlist.maxResponseSizeMB", "max_response_size_mb", when="security.ipAllowlist.enabled"),
)

SPEND_LOGS = (
    Setting("logging.spendLogRetention.maxRetentionPeriod", "maximum_spend_logs_retention_period"),
    Setting("logging.spendLogRetention.cleanupInterval", "maximum_spend_logs_retention_interval"),
)


def admin_only(value: bool) -> str | None:
    """LiteLLM knows ``admin_only`` and, by default, ``all``."""
    return "admin_only" if value else None


ADMIN_UI = (
    Setting("adminUI.adminOnly", "ui_access_mode", form=admin_only),
    Setting("adminUI.storeModelInDB", "store_model_in_db"),
    Setting("adminUI.defaultTeamDisabled", "default_team_disabled"),
)
"""After ``rbac``: where both set default_team_disabled, this one counts."""


def custom_handler(handler: Object) -> str | None:
    """The dotted path of a sign-in function: in the image, or in the ConfigMap mounted as package ``custom_sso_handlers``."""
    if "configMapRef" not in handler:
        return handler.get("module")
    source = handler["configMapRef"]
    return f"custom_sso_handlers.{source['fileName'].removesuffix('.py')}.{source['functionName']}"


SSO = (
    # Before jwtAuth: where both name the claim with the teams, that of jwtAuth counts.
    Setting("sso.teamIdsJwtField", "litellm_jwtauth.team_ids_jwt_field", when="sso.enabled"),
    Setting("sso.customSsoHandler", "custom_sso", when="sso.enabled", form=custom_handler),
)
