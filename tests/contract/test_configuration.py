"""The real proxy starts with what we render, and takes in all of it that it tells about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.contract.rendered import GUARDRAILS, NOWHERE, fullest
from tests.contract.stub_model import answered

if TYPE_CHECKING:
    import httpx2

    from tests.contract.peer.postgres import Postgres
    from tests.contract.peer.proxy import Proxy

pytestmark = pytest.mark.proxies("oldest-rendered", "lts-rendered", "newest-rendered")

COMPLAINTS = ("is not a valid argument", "Skipping guardrail", "Error initializing", "is NOT a valid router_settings parameter")
"""What LiteLLM writes to its log about a setting that it leaves out, and starts all the same."""

Given = dict[str, Any]


@pytest.fixture
def given(proxy: Proxy) -> Given:
    """The configuration that the proxy was started with, by section."""
    return yaml.safe_load(fullest(proxy.release.name).text)


def test_the_proxy_starts_and_leaves_nothing_out(proxy: Proxy) -> None:
    log = proxy.log.read_text(errors="replace")
    assert [line for line in log.splitlines() if any(complaint in line for complaint in COMPLAINTS)] == []


def test_every_guardrail_is_there(admin: httpx2.Client) -> None:
    listed = [entry["guardrail_name"] for entry in answered(admin.get("/guardrails/list"))["guardrails"]]
    assert sorted(listed) == sorted(one.guardrail_name for one in GUARDRAILS)


def test_the_cache_is_on_with_its_parameters(admin: httpx2.Client, given: Given) -> None:
    ping = answered(admin.get("/cache/ping"))
    parameters = given["litellm_settings"]["cache_params"]
    taken = json.loads(ping["litellm_cache_params"])
    assert ping["cache_type"] == parameters["type"]
    assert {name: taken[name] for name in parameters} == parameters


def test_the_router_has_every_setting(admin: httpx2.Client, given: Given) -> None:
    has = {entry["field_name"]: entry["field_value"] for entry in answered(admin.get("/router/settings"))["fields"]}
    # They are shown where the router falls back.
    elsewhere = ("retry_policy", "model_group_retry_policy")
    shown = {name: value for name, value in given["router_settings"].items() if name in has and name not in elsewhere}
    assert len(shown) >= 8
    assert {name: has[name] for name in shown} == shown


def test_the_router_falls_back_and_caps_spending_as_it_is_told(admin: httpx2.Client, given: Given) -> None:
    router = answered(admin.get("/get/config/callbacks"))["router_settings"]
    settings = given["router_settings"] | given["litellm_settings"]
    for name in ("fallbacks", "context_window_fallbacks", "model_group_retry_policy"):
        assert router[name] == settings[name]
    assert router["retry_policy"]["RateLimitErrorRetries"] == 3
    providers = answered(admin.get("/provider/budgets"))["providers"]
    assert (providers["openai"]["budget_limit"], providers["openai"]["time_period"]) == (100, "1d")


def test_callbacks_and_alerts_are_on(admin: httpx2.Client) -> None:
    told = answered(admin.get("/get/config/callbacks"))
    assert {(one["name"], one["type"]) for one in told["callbacks"]} == {
        ("custom.logged", "success"),
        ("custom.logged", "failure"),
    }
    (slack,) = [one for one in told["alerts"] if one["name"] == "slack"]
    assert slack["active_alerts"] == ["llm_exceptions", "budget_alerts"]
    assert slack["alerts_to_webhook"] == {"budget_alerts": "https://hooks.example/budget"}


def test_new_users_and_teams_get_what_sign_on_gives_them(admin: httpx2.Client, given: Given) -> None:
    for route, key in (("internal_user", "default_internal_user_params"), ("default_team", "default_team_params")):
        taken = answered(admin.get(f"/get/{route}_settings"))["values"]
        params = given["litellm_settings"][key]
        assert {name: taken[name] for name in params} == params


def test_general_settings_are_taken_in(admin: httpx2.Client, given: Given) -> None:
    listed = answered(admin.get("/config/list", params={"config_type": "general_settings"}))
    taken = {entry["field_name"]: entry["field_value"] for entry in listed}
    settings = given["general_settings"].items()
    shown = {name: value for name, value in settings if name in taken and name != "pass_through_endpoints"}
    assert {"global_max_parallel_requests", "maximum_spend_logs_retention_period", "store_model_in_db"} <= shown.keys()
    assert {name: taken[name] for name in shown} == shown


def test_a_pass_through_endpoint_is_there(admin: httpx2.Client) -> None:
    (endpoint,) = answered(admin.get("/config/pass_through_endpoint"))["endpoints"]
    assert (endpoint["target"], endpoint["methods"], endpoint["include_subpath"]) == (NOWHERE, ["POST"], True)


def test_ones_own_function_decides_about_new_keys(admin: httpx2.Client) -> None:
    refused = admin.post("/key/generate", json={"key_alias": "refused"})
    assert (refused.status_code, "not under this name" in refused.text) == (403, True)
    answered(admin.post("/key/generate", json={"key_alias": "fine"}))


def test_a_route_that_is_not_allowed_is_closed_even_to_the_admin(admin: httpx2.Client) -> None:
    refused = admin.get("/team/list")
    assert (refused.status_code, "not allowed" in refused.text) == (403, True)


def test_the_budget_of_the_whole_proxy_is_in_the_database(proxy: Proxy, postgres: Postgres) -> None:
    row = postgres.ask(proxy.database_url, 'select max_budget, budget_duration from "LiteLLM_UserTable" where max_budget > 0')
    assert row == "1000.5|30d"
