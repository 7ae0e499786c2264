"""The proxy's settings at large: ``generalSettings``, ``litellmSettings``, ``defaultCustomerBudget`` and ``adminUI``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.apis.section import Section
from app.apis.types import ConfigMapRef, Json


class GeneralSettings(Section):
    """Settings of the proxy's general_settings section."""

    extra: dict[str, Json] | None = None
    """Raw keys of general_settings that have no field here. A key that this spec sets otherwise is ignored, and that is said."""
    proxy_batch_write_at: int | None = None
    """Seconds between batched writes of spend to the database."""
    master_key_required: bool | None = None
    """Demand the master key."""
    alert_types: list[str] | None = None
    """Kinds of alerts that are sent."""
    alerting: list[str] | None = None
    """Channels that alerts go to, such as slack; without one nothing is sent."""
    alerting_threshold: int | None = None
    """Seconds after which a request counts as hanging."""
    alert_to_webhook_url: dict[str, str] | None = None
    """Webhook URL per kind of alert."""
    background_health_checks: bool | None = None
    """Check the models' health in the background and answer from what was seen last."""
    health_check_interval: int | None = None
    """Seconds between background health checks."""
    health_check_details: bool | None = None
    """Give details in the answer of /health."""
    health_check_skip_disabled_models: bool | None = None
    """Leave disabled models out of background health checks."""
    custom_key_generate: str | None = None
    """Dotted path of a function that decides about key generation."""
    allow_user_auth: bool | None = None
    """Accept requests without a key."""
    max_budget: str | None = None
    """Budget of the whole proxy in US dollars, as a decimal string."""
    budget_duration: str | None = None
    """When the proxy's budget starts anew, e.g. 30d."""
    global_max_parallel_requests: int | None = None
    """Requests that the whole proxy serves at once."""
    budget_rescheduler_min_time: int | None = None
    """Least number of seconds between looks for budgets to reset."""
    budget_rescheduler_max_time: int | None = None
    """Greatest number of seconds between looks for budgets to reset."""


class LiteLLMSettings(Section):
    """Settings of the proxy's litellm_settings section."""

    json_logs: bool | None = None
    """Write logs as JSON."""
    check_provider_endpoint: bool | None = None
    """List the provider's real model names for wildcard models; for the whole proxy."""
    extra: dict[str, Json] | None = None
    """Raw keys of litellm_settings that have no field here. A key that this spec sets otherwise is ignored, and that is said."""


class DefaultCustomerBudget(Section):
    """Budget of end users that have none of their own."""

    max_budget: float | None = None
    """US dollars per end user; litellm_settings.max_end_user_budget."""
    budget_id: str | None = None
    """Budget that applies to every end user; litellm_settings.max_end_user_budget_id."""


class AdminUI(Section):
    """The proxy's Admin UI."""

    disabled: bool | None = None
    """Do not serve it."""
    admin_only: bool | None = None
    """Let only admins in."""
    store_model_in_db: Annotated[bool | None, Field(alias="storeModelInDB")] = None
    """Keep models that are added in the UI in the database."""
    default_team_disabled: bool | None = None
    """Do not let users make keys outside a team."""
    api_doc_base_url: Annotated[str | None, Field(alias="apiDocBaseURL")] = None
    """Base URL that the UI shows in its API examples."""
    docs_url: Annotated[str | None, Field(alias="docsURL")] = None
    """Path of the API documentation."""
    root_redirect_url: Annotated[str | None, Field(alias="rootRedirectURL")] = None
    """Where the root path leads."""
    logo_url: Annotated[str | None, Field(alias="logoURL")] = None
    """Logo of the UI: a URL or a path in the image."""
    email_logo_url: Annotated[str | None, Field(alias="emailLogoURL")] = None
    """Logo in e-mails."""
    email_support_contact: str | None = None
    """Contact named in e-mails."""
    color_theme_config_map_ref: ConfigMapRef | None = None
    """ConfigMap with the UI's colours under the key enterprise_colors.json."""
