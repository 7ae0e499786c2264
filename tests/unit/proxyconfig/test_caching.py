"""Which server a cache goes to, and with whose password."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.proxyconfig import config
from app.proxyconfig.secret_names import SecretVariable, caching_variables
from tests.unit.proxyconfig.samples import CACHES, SHARED_REDIS, cache, instance, secret

if TYPE_CHECKING:
    from app.hooks.objects import Object

COMMON = {"ttl", "namespace", "supported_call_types", "mode", "type", "similarity_threshold"}


def parameters(sections: Object) -> Object:
    """Only what is about the server."""
    settings = config(instance(**sections)).get("litellm_settings", {})
    return {key: value for key, value in settings.get("cache_params", {}).items() if key not in COMMON}


SERVERS: list[tuple[str, Object, Object]] = [
    (
        "a server of its own never gets the shared one's password",
        cache("redis", redis={"host": "own"}, shared=SHARED_REDIS),
        {"host": "own", "port": 6379},
    ),
    (
        "without a host the shared server is used, over TLS if asked",
        cache("redis", redis={"ssl": True}, shared=SHARED_REDIS),
        {"host": "redis.db.svc", "port": 6380, "password": "os.environ/REDIS_PASSWORD", "ssl": True},
    ),
    (
        "the proxy finds a URL by itself",
        cache("redis", shared={"enabled": True, "connectionSecretRef": secret("url")}),
        {},
    ),
    (
        "a URL counts before a host, in the pod as here",
        cache("redis", shared={**SHARED_REDIS, "connectionSecretRef": secret("url")}),
        {},
    ),
    (
        "a semantic cache demands a password, or a URL",
        cache("redis-semantic", shared={"enabled": True, "host": "redis", "port": 1}),
        {"redis_url": "redis://redis:1"},
    ),
    (
        "the URL of a semantic cache is a parameter",
        cache("redis-semantic", shared={"enabled": True, "connectionSecretRef": secret("url")}),
        {"redis_url": "os.environ/REDIS_URL"},
    ),
    (
        "a semantic cache with a password",
        cache("redis-semantic", redis={"host": "own", "passwordSecretRef": secret("p"), "port": 1}),
        {"host": "own", "port": 1, "password": "os.environ/CACHE_REDIS_PASSWORD"},
    ),
    ("memory needs no server", cache("local"), {}),
    (
        "LiteLLM demands a collection",
        cache("qdrant", qdrant={"url": "http://q"}),
        {"qdrant_api_base": "http://q", "qdrant_collection_name": "litellm-cache"},
    ),
]


@pytest.mark.parametrize(("why", "sections", "expected"), SERVERS, ids=[why for why, _, _ in SERVERS])
def test_where_answers_are_kept(why: str, sections: Object, expected: Object) -> None:
    assert parameters(sections) == expected


@pytest.mark.parametrize("kind", ["qdrant", "redis-semantic"])
def test_semantic_caches_say_how_alike_prompts_must_be(kind: str) -> None:
    sections = cache(kind, qdrant={"url": "http://q"}, shared=SHARED_REDIS)
    assert config(instance(**sections))["litellm_settings"]["cache_params"]["similarity_threshold"] == 0.8


@pytest.mark.parametrize(
    "variables", [{"extraEnvVars": [{"name": "REDIS_HOST", "value": "r"}]}, {"extraEnvFrom": [{"secretRef": {"name": "s"}}]}]
)
def test_an_address_from_the_environment_is_good_enough(variables: Any) -> None:
    assert config(instance(**cache("redis"), **variables))["litellm_settings"]["cache"] is True


@pytest.mark.parametrize("name", CACHES)
def test_the_pod_has_every_variable_that_the_configuration_names(name: str) -> None:
    named = {
        value.removeprefix("os.environ/") for value in parameters(CACHES[name]).values() if str(value).startswith("os.environ/")
    }
    assert named - {"REDIS_PASSWORD"} == {variable.name for variable in caching_variables(instance(**CACHES[name]))}


def test_keys_of_s3_are_two_fixed_keys_of_one_secret() -> None:
    assert caching_variables(instance(**CACHES["cache-s3"])) == [
        SecretVariable("CACHE_S3_ACCESS_KEY_ID", "aws", "aws_access_key_id"),
        SecretVariable("CACHE_S3_SECRET_ACCESS_KEY", "aws", "aws_secret_access_key"),
    ]


def test_a_cache_that_is_off_is_nowhere() -> None:
    off = instance(caching={"enabled": False, "redis": {"passwordSecretRef": secret("p")}})
    assert (config(off), caching_variables(off)) == ({"model_list": []}, [])
