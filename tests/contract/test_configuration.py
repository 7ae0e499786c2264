"""The real proxy starts with what we render, and takes in all of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import pytest
import yaml

from tests.contract.rendered import GUARDRAILS, rendered

if TYPE_CHECKING:
    from tests.contract.peer.proxy import Proxy

pytestmark = pytest.mark.proxies("oldest-rendered", "lts-rendered", "newest-rendered")

COMPLAINTS = ("is not a valid argument", "Skipping guardrail", "Error initializing")
"""What LiteLLM writes to its log about a setting that it leaves out, and starts all the same."""


def asked(proxy: Proxy, path: str) -> Any:
    answer = proxy.get(path, "master")
    assert answer.status == 200, answer
    return answer.body


def test_the_proxy_starts_and_leaves_nothing_out(proxy: Proxy) -> None:
    log = proxy.log.read_text(errors="replace")
    assert [line for line in log.splitlines() if any(complaint in line for complaint in COMPLAINTS)] == []


def test_every_guardrail_is_there(proxy: Proxy) -> None:
    listed = [entry["guardrail_name"] for entry in asked(proxy, "/guardrails/list")["guardrails"]]
    assert sorted(listed) == sorted(one.guardrail_name for one in GUARDRAILS)


def test_the_cache_is_on_with_its_parameters(proxy: Proxy) -> None:
    ping = asked(proxy, "/cache/ping")
    parameters = json.loads(ping["litellm_cache_params"])
    assert (ping["cache_type"], parameters["ttl"], parameters["namespace"], parameters["mode"]) == (
        "local",
        60,
        "gw",
        "default_off",
    )


def test_the_router_has_every_setting(proxy: Proxy) -> None:
    has = {entry["field_name"]: entry["field_value"] for entry in asked(proxy, "/router/settings")["fields"]}
    given = cast("dict[str, Any]", yaml.safe_load(rendered(proxy.release.name).text)["router_settings"])
    shown = {
        name: value for name, value in given.items() if name in has and name not in ("retry_policy", "model_group_retry_policy")
    }
    assert len(shown) >= 8
    assert {name: has[name] for name in shown} == shown
