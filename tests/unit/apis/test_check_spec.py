"""Reading a stored spec: what is tolerated, what is refused, and how that is said."""

from __future__ import annotations

from typing import Any, cast

import pytest

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.instance import LiteLLMInstanceSpec

CANARY = "sk-canary-0123456789abcdef"


def spec(**fields: Any) -> dict[str, Any]:
    return {"masterKey": {"secretRef": {"name": "key", "key": "key"}}, "database": {}, **fields}


def checked(**fields: Any) -> LiteLLMInstanceSpec:
    result = check_spec(LiteLLMInstanceSpec, spec(**fields))
    assert isinstance(result, LiteLLMInstanceSpec), result
    return result


def problems(given: dict[str, Any] | None) -> tuple[str, ...]:
    result = check_spec(LiteLLMInstanceSpec, given)
    assert isinstance(result, InvalidSpec)
    return result.problems


def test_an_object_stored_before_a_default_existed_gets_it() -> None:
    assert checked().replicas == 1
    assert checked(service={}).service.port == 4000  # pyright: ignore[reportOptionalMemberAccess]


def test_a_field_of_a_newer_version_is_ignored() -> None:
    assert checked(telepathy={"enabled": True}) == checked()


def test_a_null_is_an_absent_field() -> None:
    assert checked(redis=None, image={"tag": None}) == checked(image={})


def test_the_same_content_gives_the_same_model() -> None:
    assert checked(replicas=2) is checked(replicas=2)
    assert checked(replicas=2) is not checked(replicas=3)


def test_a_model_does_not_share_the_callers_lists() -> None:
    types = ["langfuse"]
    model = checked(callbacks={"types": types})
    types.append("otel")
    assert model == checked(callbacks={"types": ["langfuse"]})
    assert model != checked(callbacks={"types": types})


def test_a_spec_too_large_for_the_memo_is_read_all_the_same() -> None:
    large = {"extra": {"text": "x" * 100_000}}
    assert checked(generalSettings=large) is not checked(generalSettings=large)
    assert checked(generalSettings=large) == checked(generalSettings=large)


def test_an_object_without_a_spec_is_told_so() -> None:
    assert problems(None) == ("spec: required, but the object has none",)


def test_a_spec_that_is_no_object_is_told_so() -> None:
    assert problems(cast("Any", ["masterKey"])) == ("spec: must be an object",)


def test_a_spec_of_hundreds_of_levels_is_refused_and_not_an_error_of_ours() -> None:
    nested: Any = 1
    for _ in range(500):
        nested = {"a": nested}
    assert problems(spec(generalSettings={"extra": nested})) == ("spec: nested too deeply",)


@pytest.mark.parametrize(
    ("fields", "problem", "why"),
    [
        ({"replicas": "3"}, "spec.replicas: must be an integer", "the API server does not convert strings either"),
        ({"replicas": 1.5}, "spec.replicas: must be an integer", "half a pod"),
        ({"replicas": 2**31}, "spec.replicas: must be less than 2147483648", "an int32 overflows"),
        ({"replicas": True}, "spec.replicas: must be an integer", "a boolean is no number in JSON"),
        ({"image": "litellm:1"}, "spec.image: must be an object", "a common shorthand that is not ours"),
        ({"extraEnvVars": {}}, "spec.extraEnvVars: must be a list", "a map where a list belongs"),
        ({"extraEnvVars": ["A"]}, "spec.extraEnvVars[0]: must be an object", "items are core types, but objects"),
        ({"serviceAccount": {"labels": {"a": 1}}}, "spec.serviceAccount.labels.a: must be a string", "labels are strings"),
        ({"upgrade": {"strategy": "blue"}}, "spec.upgrade.strategy: must be one of 'rolling' or 'recreate'", "an enum names all"),
        ({"redis": {}}, "spec.redis.enabled: required", "required within a section"),
        ({"defaultCustomerBudget": {"maxBudget": "1"}}, "spec.defaultCustomerBudget.maxBudget: must be a number", "a number"),
        (
            {"gatewayHTTPRoute": {"enabled": True, "parentRefs": []}},
            "spec.gatewayHTTPRoute.parentRefs: must have at least 1 items",
            "a route of no gateway",
        ),
        (
            {"database": {"cloudnativepg": {"clusterName": "a", "backup": {"enabled": True, "retention": 0}}}},
            "spec.database.cloudnativepg.backup.retention: must be at least 1",
            "keeping no backup is no backup",
        ),
        (
            {"workload": {"managed": False, "endpoint": "http://"}},
            r"spec.workload.endpoint: must match ^https?://[^\s/?#]+",
            "a pattern is said as it is",
        ),
        (
            {"patches": [{"target": {"kind": "Deployment"}, "patch": [{"op": "test", "path": "spec"}]}]},
            "spec.patches[0].patch[0].path: must match ^(/([^~]|~[01])*)?$",
            "a JSON Pointer starts with a slash",
        ),
    ],
)
def test_a_problem_names_the_field_and_what_it_takes(fields: dict[str, Any], problem: str, why: str) -> None:
    assert problems(spec(**fields)) == (problem,), why


def test_all_problems_are_told_at_once() -> None:
    assert problems({"replicas": "1", "image": 1}) == (
        "spec.image: must be an object",
        "spec.replicas: must be an integer",
        "spec.masterKey: required",
        "spec.database: required",
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"replicas": CANARY},
        {"image": CANARY},
        {"upgrade": {"strategy": CANARY}},
        {"workload": {"managed": False, "endpoint": CANARY}},
        {"callbacks": {"envVars": CANARY}},
        {"patches": [{"target": {"kind": "Secret"}, "patch": [{"op": CANARY, "path": CANARY}]}]},
    ],
)
def test_a_value_is_never_repeated(fields: dict[str, Any]) -> None:
    assert CANARY not in "".join(problems(spec(**fields)))


def test_a_long_key_is_cut() -> None:
    (problem,) = problems(spec(serviceAccount={"labels": {"k" * 500: 1}}))
    assert len(problem) < 150


def test_a_long_list_of_problems_is_cut_and_counted() -> None:
    result = check_spec(LiteLLMInstanceSpec, spec(extraEnvVars=["A"] * 25))
    assert isinstance(result, InvalidSpec)
    assert result.message.endswith("; and 15 more")
    assert result.message.count("must be an object") == 10
