"""A gateway whose image says that it is older than what a setting needs is told so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.proxyconfig import render
from app.proxyconfig.findings import Cause
from tests.unit.proxyconfig.samples import cache, instance

if TYPE_CHECKING:
    from app.hooks.objects import Object

REDIS: Object = {"redis": {"enabled": True, "host": "redis"}}
ENDPOINT: Object = {"path": "/cohere", "target": "https://cohere.example"}


def told(tag: str | None, **sections: Any) -> list[tuple[Cause, str]]:
    """Cause and field of each finding with that image."""
    image = {"image": {"tag": tag}} if tag else {}
    return [(one.cause, one.field) for one in render(instance(**image, **sections)).findings]


CASES = [
    pytest.param(
        {"jwtAuth": {"enabled": True, "virtualKeyClaimField": "key"}},
        (Cause.PREVENTS_START, "spec.jwtAuth.virtualKeyClaimField"),
        id="1.81 does not start with a claim that it does not know",
    ),
    pytest.param(
        {"passThroughEndpoints": [ENDPOINT]},
        (Cause.NOT_ENFORCED, "spec.passThroughEndpoints[0]"),
        id="1.81 asks for no key where auth is absent",
    ),
    pytest.param(
        {"passThroughEndpoints": [{**ENDPOINT, "auth": True, "defaultQueryParams": {"version": "2"}}]},
        (Cause.NOT_READ, "spec.passThroughEndpoints[0].defaultQueryParams"),
        id="1.81 loses the query",
    ),
    pytest.param(REDIS, (Cause.NOT_READ, "spec.redis"), id="1.81 shares only the cache's Redis"),
    pytest.param(
        {**cache("local"), **REDIS}, (Cause.NOT_READ, "spec.redis"), id="a cache elsewhere does not bring Redis into use"
    ),
    pytest.param(
        {"generalSettings": {"healthCheckSkipDisabledModels": True}},
        (Cause.NOT_READ, "spec.generalSettings.healthCheckSkipDisabledModels"),
        id="1.81 has no such setting",
    ),
]


@pytest.mark.parametrize(("sections", "finding"), CASES)
def test_an_older_release_is_told_what_it_lacks(sections: Object, finding: tuple[Cause, str]) -> None:
    assert told("v1.81.14", **sections) == [finding]
    assert told("main-v1.83.14-stable", **sections) == [finding]


@pytest.mark.parametrize("tag", ["v1.108.14", "1.110.2", "v2.0.1", "latest", "sha256:" + "1" * 64, None])
@pytest.mark.parametrize(("sections", "finding"), CASES)
def test_a_newer_or_unknown_release_is_told_nothing(sections: Object, finding: tuple[Cause, str], tag: str | None) -> None:
    assert finding not in told(tag, **sections)


def test_a_cache_in_redis_brings_redis_into_use() -> None:
    assert told("v1.81.14", **cache("redis"), **REDIS) == []


def test_a_digest_beside_a_tag_does_not_hide_it() -> None:
    assert told("v1.81.14@sha256:" + "1" * 64, **REDIS) == [(Cause.NOT_READ, "spec.redis")]
