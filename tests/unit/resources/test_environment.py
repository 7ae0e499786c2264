"""The proxy container's variables: each once, in order, never a secret in clear."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.resources.advice import advice
from app.resources.environment.proxy import proxy_environment_sources
from app.resources.environment.variables import in_order_of_use, plain, with_what_it_uses
from app.resources.errors import Unbuildable
from tests.unit.resources.fullest import FULLEST
from tests.unit.resources.gateways import environment, gateway, variable

if TYPE_CHECKING:
    from app.hooks.objects import Object

REDIS: Object = {"enabled": True, "host": "redis.db.svc", "port": 6379}
HTTP_ROUTE: Object = {"enabled": True, "parentRefs": [{"name": "company-gateway"}]}
SSO: Object = {
    "enabled": True,
    "provider": "okta",
    "clientId": {"name": "s", "key": "i"},
    "clientSecret": {"name": "s", "key": "s"},
}


def values(spec: Object) -> dict[str, str]:
    return {entry["name"]: entry.get("value", "") for entry in environment(gateway(spec))}


def names(spec: Object) -> list[str]:
    return [entry["name"] for entry in environment(gateway(spec))]


def test_a_variable_that_a_user_sets_too_stands_once_in_its_place_with_the_users_value() -> None:
    before = names({"redis": REDIS})
    extra = [
        {"name": "REDIS_HOST", "value": "other-redis"},
        {"name": "LITELLM_LOG", "value": "DEBUG"},
        {"name": "openai_api_key_1", "valueFrom": {"secretKeyRef": {"name": "oai", "key": "K"}}},
    ]
    spec = {"redis": REDIS, "extraEnvVars": extra}
    assert names(spec) == [*before, "LITELLM_LOG", "openai_api_key_1"]
    assert values(spec)["REDIS_HOST"] == "other-redis"


def test_a_user_who_repeats_a_name_gets_the_last_value() -> None:
    spec = {"extraEnvVars": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]}
    assert values(spec)["A"] == "2"
    assert names(spec).count("A") == 1


def test_debug_logging_is_advised_against() -> None:
    spec = {"image": {"tag": "v1"}, "extraEnvVars": [{"name": "LITELLM_LOG", "value": "DEBUG"}]}
    assert [remark.field for remark in advice(gateway(spec))] == ["spec.extraEnvVars"]


OWN_KEY = {"extraEnvVars": [{"name": "LITELLM_MASTER_KEY", "value": "sk-1"}]}


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({"masterKey": {}}, "LiteLLM lets everybody in, or from 1.104 on does not start"),
        ({"masterKey": {"autoGenerate": False}}, "LiteLLM lets everybody in, or from 1.104 on does not start"),
        ({"masterKey": {}, **OWN_KEY}, "so nothing that needs the admin API works"),
    ],
    ids=["nothing", "not wanted", "a variable"],
)
def test_a_gateway_without_a_key_that_is_known_is_advised_against(spec: dict[str, Any], told: str) -> None:
    (remark,) = advice(gateway({"image": {"tag": "v1"}, **spec}))
    assert remark.field == "spec.masterKey"
    assert told in remark.message
    assert "autoGenerate: true" in remark.message


def test_a_variable_stands_before_those_that_use_it() -> None:
    extra = [
        {"name": "REDIS_HOST", "value": "$(STAGE)-redis"},
        {"name": "STAGE", "value": "$(REGION)"},
        {"name": "REGION", "value": "eu"},
    ]
    order = names({"redis": REDIS, "extraEnvVars": extra})
    assert order.index("REGION") < order.index("STAGE") < order.index("REDIS_HOST")


def test_of_variables_that_use_each_other_none_is_lost() -> None:
    circle = [plain("A", "$(B)"), plain("B", "$(A)"), plain("C", "$(C)")]
    assert [entry["name"] for entry in in_order_of_use(circle)] == ["B", "A", "C"]


def test_what_uses_itself_comes_after_the_rest_that_it_uses() -> None:
    listed = [plain("A", "$(C) $(A) $(B)"), plain("B", "$(A)"), plain("C", "x")]
    assert [entry["name"] for entry in in_order_of_use(listed)] == ["C", "B", "A"]


def test_a_chain_of_thousands_is_put_in_order() -> None:
    chain = [plain(f"V{number}", f"$(V{number + 1})") for number in range(5000)]
    assert in_order_of_use(chain) == chain[::-1]


def test_two_dollars_are_no_reference() -> None:
    listed = [plain("A", "$$(B)"), plain("B", "x")]
    assert in_order_of_use(listed) == listed
    assert with_what_it_uses("A", listed) == listed[:1]


@pytest.mark.parametrize(
    ("redis", "expected"),
    [
        (REDIS, {"REDIS_HOST", "REDIS_PORT", "REDIS_URL"}),
        ({**REDIS, "passwordSecretRef": {"name": "r", "key": "p"}}, {"REDIS_HOST", "REDIS_PORT", "REDIS_PASSWORD"}),
        ({**REDIS, "connectionSecretRef": {"name": "r", "key": "url"}}, {"REDIS_URL"}),
        ({"enabled": True}, set()),
        ({**REDIS, "enabled": False}, set()),
    ],
    ids=[
        "an open Redis has a URL as well",
        "LiteLLM would prefer a URL, which lacks the password",
        "a URL says it all",
        "a Redis without an address is none",
        "switched off",
    ],
)
def test_redis(redis: Object, expected: set[str]) -> None:
    assert {name for name in names({"redis": redis}) if name.startswith("REDIS")} == expected


@pytest.mark.parametrize(
    ("spec", "url"),
    [
        ({}, None),
        ({"sso": SSO}, "http://gw.team.svc:4000"),
        ({"sso": SSO, "tls": {"serverCertSecretRef": {"name": "s"}}, "service": {"port": 443}}, "https://gw.team.svc:443"),
        ({"ingress": {"enabled": True, "host": "llm.example.com"}}, "http://llm.example.com"),
        ({"ingress": {"enabled": True, "host": "llm.example.com", "tls": {"enabled": True}}}, "https://llm.example.com"),
        ({"ingress": {"enabled": False, "host": "llm.example.com"}}, None),
        ({"route": {"enabled": True, "host": "llm.apps.example.com"}, "sso": SSO}, "https://llm.apps.example.com"),
        ({"gatewayHTTPRoute": {**HTTP_ROUTE, "host": "llm.example.com"}, "sso": SSO}, "https://llm.example.com"),
        ({"gatewayHTTPRoute": {**HTTP_ROUTE, "host": "*.example.com"}, "sso": SSO}, "http://gw.team.svc:4000"),
        ({"gatewayHTTPRoute": {**HTTP_ROUTE, "enabled": False, "host": "llm.example.com"}}, None),
    ],
)
def test_the_base_url_is_where_users_reach_the_proxy(spec: Object, url: str | None) -> None:
    assert values(spec).get("PROXY_BASE_URL") == url


@pytest.mark.parametrize(
    ("provider", "prefixes", "endpoints"),
    [
        ("azure-entra", {"GENERIC", "MICROSOFT"}, False),
        ("google", {"GENERIC", "GOOGLE"}, False),
        ("okta", {"GENERIC"}, True),
        ("generic-oidc", {"GENERIC"}, True),
    ],
)
def test_each_identity_provider_has_names_of_its_own(provider: str, prefixes: set[str], endpoints: bool) -> None:
    spec = {"sso": {**SSO, "provider": provider, "authorizationEndpoint": "https://idp"}}
    found = names(spec)
    assert {name.removesuffix("_CLIENT_ID") for name in found if name.endswith("_CLIENT_ID")} == prefixes
    assert ("GENERIC_AUTHORIZATION_ENDPOINT" in found) == endpoints
    assert values(spec).get("GENERIC_SCOPE", "openid profile email") == "openid profile email"


def test_a_generated_scim_token_is_the_instances_own() -> None:
    token = variable(gateway({"scim": {"enabled": True}}), "SCIM_TOKEN")
    assert token == {"name": "SCIM_TOKEN", "valueFrom": {"secretKeyRef": {"name": "gw-scim-token", "key": "token"}}}


def test_a_given_key_wins_over_a_generated_one() -> None:
    spec = {"masterKey": {"autoGenerate": True, "secretRef": {"name": "mine", "key": "k"}}, "saltKey": {"autoGenerate": True}}
    given = gateway(spec)
    assert variable(given, "LITELLM_MASTER_KEY")["valueFrom"]["secretKeyRef"] == {"name": "mine", "key": "k"}
    assert variable(given, "LITELLM_SALT_KEY")["valueFrom"]["secretKeyRef"] == {"name": "gw-salt-key", "key": "salt-key"}


def test_the_licence_is_read_from_the_secret_that_was_found() -> None:
    assert variable(gateway(), "LITELLM_LICENSE") is None
    licence = variable(gateway(license_secret="litellm-license"), "LITELLM_LICENSE")
    assert licence["valueFrom"]["secretKeyRef"] == {"name": "litellm-license", "key": "license-key"}


def test_vault_signs_in_by_the_method_that_is_asked_for() -> None:
    vault = {"address": "https://vault", "authMethod": "token"}
    spec = {"secretManager": {"provider": "hashicorp_vault", "vault": vault}}
    emptied = [entry["name"] for entry in environment(gateway(spec)) if entry["name"].startswith("HCP") and len(entry) == 1]
    assert emptied == [
        "HCP_VAULT_APPROLE_ROLE_ID",
        "HCP_VAULT_APPROLE_SECRET_ID",
        "HCP_VAULT_CLIENT_CERT",
        "HCP_VAULT_CLIENT_KEY",
    ]


def test_the_stores_credentials_come_before_the_users_own_sources() -> None:
    assert proxy_environment_sources(gateway(FULLEST)) == [{"secretRef": {"name": "vault"}}, {"configMapRef": {"name": "more"}}]


def test_pods_do_not_migrate_beside_the_job() -> None:
    database = {"external": {"connectionSecretRef": {"name": "pg", "key": "url"}}, "migration": {"enabled": True}}
    assert values({"database": database})["DISABLE_SCHEMA_UPDATE"] == "true"
    assert "DISABLE_SCHEMA_UPDATE" not in values({})


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({"value": "x"}, "spec.extraEnvVars[0].name"),
        ({"name": "A=B"}, "spec.extraEnvVars[0].name"),
        ({"name": "A", "value": 1}, "spec.extraEnvVars[0].value"),
        ({"name": "A", "value": "x", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}, "spec.extraEnvVars[0]"),
        ({"name": "A", "valueFrom": {}}, "spec.extraEnvVars[0].valueFrom"),
        (
            {"name": "A", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k"}, "secretKeyRef": {"name": "s", "key": "k"}}},
            "spec.extraEnvVars[0].valueFrom",
        ),
        (
            {"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "lots"}}},
            "spec.extraEnvVars[0].valueFrom.resourceFieldRef.divisor",
        ),
    ],
)
def test_what_is_no_variable_is_refused_by_its_place(entry: Object, field: str) -> None:
    with pytest.raises(Unbuildable) as refused:
        environment(gateway({"extraEnvVars": [entry]}))
    assert refused.value.field == field
