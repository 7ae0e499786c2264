"""``litellm_settings``: each key is an attribute of the ``litellm`` module.

Four fields are here although their names suggest ``general_settings``: LiteLLM reads ``max_budget``, ``budget_duration``,
``store_audit_logs`` and ``key_generation_settings`` from the module only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.proxyconfig.budgets import dollars
from app.proxyconfig.table import Setting, is_empty, only_true

if TYPE_CHECKING:
    from app.hooks.objects import Object


def user_teams(teams: list[Object]) -> list[Object]:
    """Teams that new users join (LiteLLM's ``NewUserRequestTeam``)."""
    keys = {"teamId": "team_id", "role": "user_role", "maxBudgetInTeam": "max_budget_in_team"}
    return [{key: team[name] for name, key in keys.items() if not is_empty(team.get(name))} for team in teams]


SETTINGS = (
    Setting("litellmSettings.jsonLogs", "json_logs"),
    Setting("litellmSettings.checkProviderEndpoint", "check_provider_endpoint"),
    Setting("generalSettings.maxBudget", "max_budget", form=dollars),
    Setting("generalSettings.budgetDuration", "budget_duration"),
    Setting("defaultCustomerBudget.maxBudget", "max_end_user_budget"),
    Setting("defaultCustomerBudget.budgetId", "max_end_user_budget_id"),
    # The same list twice: a callback is told of success and of failure.
    Setting("callbacks.types", "success_callback"),
    Setting("callbacks.types", "failure_callback"),
)

NEW_USERS_AND_TEAMS = (
    Setting("sso.defaultUserParams.maxBudget", "default_internal_user_params.max_budget", when="sso.enabled"),
    Setting("sso.defaultUserParams.budgetDuration", "default_internal_user_params.budget_duration", when="sso.enabled"),
    Setting("sso.defaultUserParams.models", "default_internal_user_params.models", when="sso.enabled"),
    Setting("sso.defaultUserParams.userRole", "default_internal_user_params.user_role", when="sso.enabled"),
    Setting("sso.defaultUserParams.teams", "default_internal_user_params.teams", when="sso.enabled", form=user_teams),
    Setting("sso.defaultTeamParams.maxBudget", "default_team_params.max_budget", when="sso.enabled"),
    Setting("sso.defaultTeamParams.budgetDuration", "default_team_params.budget_duration", when="sso.enabled"),
    Setting("sso.defaultTeamParams.models", "default_team_params.models", when="sso.enabled"),
    Setting("sso.defaultTeamParams.tpmLimit", "default_team_params.tpm_limit", when="sso.enabled"),
    Setting("sso.defaultTeamParams.rpmLimit", "default_team_params.rpm_limit", when="sso.enabled"),
)

LOGGING = (
    Setting("logging.auditLogs.enabled", "store_audit_logs", form=only_true),
    # LiteLLM reads no such key: audit logs stay until somebody deletes them. It stays for whoever reads the file.
    Setting("logging.auditLogs.retentionDays", "audit_log_retention_days", when="logging.auditLogs.enabled"),
    Setting("logging.turnOffMessageLogging", "turn_off_message_logging"),
    Setting("logging.redactUserApiKeyInfo", "redact_user_api_key_info"),
)
