"""What a user is told: each case has the spec, the cause, and the field that is named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from app.proxyconfig import render, unlicensed
from app.proxyconfig.findings import Cause
from tests.unit.proxyconfig.samples import ACCESS, cache, instance

if TYPE_CHECKING:
    from app.hooks.objects import Object


@dataclass(frozen=True)
class Case:
    why: str
    spec: Object
    cause: Cause
    field: str


def jwt(**fields: object) -> Object:
    return {"jwtAuth": {"enabled": True, **fields}}


CASES = [
    Case(
        "a raw key never replaces what the spec sets",
        {"generalSettings": {"alerting": ["slack"], "extra": {"alerting": ["email"]}}},
        Cause.EXTRA_IGNORED,
        "spec.generalSettings.extra.alerting",
    ),
    Case(
        "a field that is rendered into litellm_settings guards its key there",
        {"rbac": ACCESS["rbac"], "litellmSettings": {"extra": {"key_generation_settings": {}}}},
        Cause.EXTRA_IGNORED,
        "spec.litellmSettings.extra.key_generation_settings",
    ),
    Case(
        "both name the claim with the teams, differently",
        {**jwt(teamIdsJwtField="teams"), "sso": {**ACCESS["sso"], "teamIdsJwtField": "divisions"}},
        Cause.OVERRIDDEN,
        "spec.sso.teamIdsJwtField",
    ),
    Case(
        "adminUI wins over rbac",
        {"rbac": {"enabled": True, "defaultTeamDisabled": True}, "adminUI": {"defaultTeamDisabled": False}},
        Cause.OVERRIDDEN,
        "spec.rbac.defaultTeamDisabled",
    ),
    Case(
        "the pod keeps models in the database",
        {"adminUI": {"storeModelInDB": False}},
        Cause.OVERRIDDEN,
        "spec.adminUI.storeModelInDB",
    ),
    Case(
        "no release reads it",
        {"generalSettings": {"masterKeyRequired": True}},
        Cause.NOT_READ,
        "spec.generalSettings.masterKeyRequired",
    ),
    Case(
        "no release reads it",
        {"logging": {"auditLogs": {"enabled": True, "retentionDays": 3}}},
        Cause.NOT_READ,
        "spec.logging.auditLogs.retentionDays",
    ),
    Case("LiteLLM reads a list of roles only", jwt(userRoleJwtField="role"), Cause.NOT_READ, "spec.jwtAuth.userRoleJwtField"),
    Case("LiteLLM demands both", jwt(userRolesJwtField="roles"), Cause.LEFT_OUT, "spec.jwtAuth.userRolesJwtField"),
    Case("LiteLLM demands both", jwt(userAllowedRoles=["a"]), Cause.LEFT_OUT, "spec.jwtAuth.userAllowedRoles"),
    Case("LiteLLM demands both", jwt(objectIdJwtField="oid"), Cause.LEFT_OUT, "spec.jwtAuth.objectIdJwtField"),
    Case(
        "without a known role there is no mapping beside it either",
        jwt(scopeModelMappings={"a": ["m"]}),
        Cause.LEFT_OUT,
        "spec.jwtAuth.scopeModelMappings",
    ),
    Case(
        "LiteLLM does not start with an unknown role",
        jwt(roleMappings=[{"role": "x", "internalRole": "internal_user_viewer"}]),
        Cause.LEFT_OUT,
        "spec.jwtAuth.roleMappings[0].internalRole",
    ),
    Case(
        "LiteLLM does not start with an unknown role",
        jwt(jwtLitellmRoleMap=[{"jwtRole": "x", "litellmRole": "god"}]),
        Cause.LEFT_OUT,
        "spec.jwtAuth.jwtLitellmRoleMap[0].litellmRole",
    ),
    Case(
        "LiteLLM knows one way",
        jwt(routingOverrides=[{"iss": "https://idp", "path": "virtual_key"}]),
        Cause.LEFT_OUT,
        "spec.jwtAuth.routingOverrides[0].path",
    ),
    Case(
        "LiteLLM sets three attributes from a token",
        {"oauth2Auth": {"enabled": True, "configMappings": [{"name": "b", "jwtField": "b", "litellmAttribute": "max_budget"}]}},
        Cause.NOT_READ,
        "spec.oauth2Auth.configMappings[0].litellmAttribute",
    ),
    Case("a budget in words", {"generalSettings": {"maxBudget": "plenty"}}, Cause.LEFT_OUT, "spec.generalSettings.maxBudget"),
    Case(
        "a budget in words",
        {"routerSettings": {"providerBudgetConfig": {"azure.eu": {"budgetLimit": "nan", "timePeriod": "1d"}}}},
        Cause.LEFT_OUT,
        "spec.routerSettings.providerBudgetConfig['azure.eu'].budgetLimit",
    ),
    Case("a cache without a server", cache("redis"), Cause.LEFT_OUT, "spec.caching"),
    Case("a cache without a bucket", cache("s3"), Cause.LEFT_OUT, "spec.caching"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.field}: {case.why}")
def test_it_is_told(case: Case) -> None:
    findings = render(instance(**case.spec)).findings
    assert (case.cause, case.field) in [(finding.cause, finding.field) for finding in findings]
    assert len(findings) == 1


@pytest.mark.parametrize("case", [case for case in CASES if case.cause is Cause.LEFT_OUT], ids=lambda case: case.field)
def test_what_is_left_out_is_not_in_the_configuration(case: Case) -> None:
    config = render(instance(**case.spec)).config
    general = {key: value for key, value in config.get("general_settings", {}).items() if key != "enable_jwt_auth"}
    assert (general, config.get("litellm_settings"), config.get("router_settings")) == ({}, None, None)


def test_a_spec_without_contradictions_tells_nothing() -> None:
    assert render(instance(**ACCESS, **jwt(teamIdsJwtField="teams"))).findings == ()


def test_the_default_claim_of_sso_does_not_count_as_a_contradiction() -> None:
    sso = {key: value for key, value in ACCESS["sso"].items() if key != "teamIdsJwtField"}
    assert render(instance(sso=sso, **jwt(teamIdsJwtField="teams"))).findings == ()


def test_what_an_unlicensed_proxy_makes_of_licensed_settings_is_named() -> None:
    tokens = {"oauth2Auth": {"enabled": True}, **jwt()}
    assert [(one.cause, one.field) for one in unlicensed(instance(**ACCESS, **tokens))] == [
        (Cause.PREVENTS_START, "spec.security.ipAllowlist"),
        (Cause.PREVENTS_START, "spec.passThroughEndpoints[0].auth"),
        (Cause.REFUSES_REQUESTS, "spec.oauth2Auth"),
        (Cause.REFUSES_REQUESTS, "spec.jwtAuth"),
        (Cause.NOT_ENFORCED, "spec.rbac.adminOnlyRoutes"),
    ]
    assert list(unlicensed(instance(**ACCESS, extraEnvVars=[{"name": "LITELLM_LICENSE", "value": "x"}]))) == []
    off = {name: {"enabled": False} for name in ("oauth2Auth", "jwtAuth")}
    off |= {"security": {"ipAllowlist": {"enabled": False, "allowedIPs": ["::1"]}}}
    assert list(unlicensed(instance(**off, rbac={"enabled": False, "adminOnlyRoutes": ["/model/new"]}))) == []
