"""Where a proxy is, from the spec alone."""

from __future__ import annotations

from typing import Any

import pytest

from app.apis.litellm.instance import LiteLLMInstanceSpec
from app.litellm.endpoint import EndpointInvalid, endpoint_of

ATTACHED: dict[str, Any] = {"masterKey": {"secretRef": {"name": "lk", "key": "MASTER"}}, "database": {}}


def endpoint(workload: dict[str, Any] | None = None, **sections: Any) -> str:
    stored = {**ATTACHED, "workload": {"managed": False, **(workload or {})}, **sections}
    return endpoint_of(LiteLLMInstanceSpec.model_validate(stored), "team", "gw")


@pytest.mark.parametrize(
    ("sections", "url", "why"),
    [
        ({}, "http://gw.team.svc:4000", "the Service of the instance's name at LiteLLM's port"),
        ({"service": {"port": 8080}}, "http://gw.team.svc:8080", "the Service's port"),
        ({"service": {"port": 0}}, "http://gw.team.svc:4000", "0 means unset"),
        ({"tls": {"serverCertSecretRef": {"name": "c"}}}, "https://gw.team.svc:4000", "a serving certificate means https"),
        ({"tls": {"trustedCASecretRef": {"name": "c"}}}, "http://gw.team.svc:4000", "a trusted CA does not"),
    ],
)
def test_without_an_endpoint_it_is_the_service_of_the_same_name(sections: dict[str, Any], url: str, why: str) -> None:
    assert endpoint(**sections) == url, why


@pytest.mark.parametrize(
    ("given", "url", "why"),
    [
        ("http://litellm.platform.svc:4000", "http://litellm.platform.svc:4000", "taken as it is"),
        ("http://litellm.platform.svc:4000/", "http://litellm.platform.svc:4000", "a trailing slash makes no difference"),
        ("http://litellm.platform.svc:4000///", "http://litellm.platform.svc:4000", "nor do several"),
        ("https://llm.example.com/proxy/", "https://llm.example.com/proxy", "a path stays: SERVER_ROOT_PATH"),
        ("http://[fd00::1]:4000", "http://[fd00::1]:4000", "IPv6 literals have brackets"),
    ],
)
def test_a_given_endpoint_wins_over_the_formula(given: str, url: str, why: str) -> None:
    assert endpoint({"endpoint": given}, service={"port": 9999}) == url, why


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("http://admin:hunter2@host:4000", "user name or password"),
        ("http://host@evil.example.com", "user name or password"),
        ("http://host:4000/v1?key=hunter2", "query or a fragment"),
        ("http://host:4000/?", "query or a fragment"),
        ("http://host:4000/#hunter2", "query or a fragment"),
        ("http://host:99999", "from 1 to 65535"),
        ("http://host:0", "port 0"),
        ("http://host:", "no port"),
        ("http://[fd00::1]:/v1", "no port"),
        ("http://host/\u00a0x", "a space"),
        ("http://\u2003host", "a space"),
        ("http://host\u200b", "cannot be seen"),
        ("http://host/\x85", "cannot be seen"),
        ("http://host:port", "from 1 to 65535"),
        ("http://host/ x", "a space"),
        ("http://host/\n", "a space"),
        ("http://host\\@evil.example.com", "backslash"),
        ("http://:4000", "followed by a host"),
        ("http://[fd00::1", "cannot be read"),
    ],
)
def test_what_the_pattern_lets_through_and_is_no_base_url_is_refused_unquoted(given: str, message: str) -> None:
    with pytest.raises(EndpointInvalid, match=message) as caught:
        endpoint({"endpoint": given})
    assert "hunter2" not in str(caught.value)
    assert str(caught.value).startswith("spec.workload.endpoint ")


@pytest.mark.parametrize("port", [-1, 65536, 70000, 2**31 - 1])
def test_a_service_port_that_no_port_can_be_is_told_by_its_field(port: int) -> None:
    with pytest.raises(EndpointInvalid, match=rf"^spec\.service\.port is {port}; a port is from 1 to 65535"):
        endpoint(service={"port": port})
