"""Which guardrails a gateway has: never one with the key of another, never one that LiteLLM would quietly leave out."""

from __future__ import annotations

from typing import Any

import pytest

from app.proxyconfig.guardrails import Candidate, choose, flaw
from tests.unit.proxyconfig.samples import guardrail, secret


def candidate(name: str, created: str, **fields: Any) -> Candidate:
    return Candidate(name, created, guardrail(**fields))


OLDER = candidate("b-older", "2026-01-01T00:00:00Z", guardrailName="pii-v1.2", apiKeySecretRef=secret("a", "K"))
LATER = candidate("a-later", "2026-01-02T00:00:00Z", guardrailName="pii.v1-2", apiKeySecretRef=secret("b", "K"))


def test_of_two_that_would_share_a_variable_the_older_is_kept() -> None:
    choice = choose([LATER, OLDER])
    assert choice.rendered == (OLDER,)
    (refusal,) = choice.refused
    assert (refusal.candidate, refusal.reason) == (LATER, "GuardrailNameCollision")
    assert "GUARDRAIL_PII_V1_2_API_KEY" in refusal.message
    assert "b-older" in refusal.message


def test_of_two_made_in_one_second_the_first_by_name_is_kept() -> None:
    twin = Candidate("a-twin", OLDER.created, LATER.spec)
    assert choose([OLDER, twin]).rendered == (twin,)


def test_one_key_for_two_guardrails_is_no_collision() -> None:
    same = candidate("c", "2026-01-03T00:00:00Z", guardrailName="pii.v1-2", apiKeySecretRef=secret("a", "K"))
    assert choose([same, OLDER]).rendered == (OLDER, same)


def test_a_refused_guardrail_takes_no_name() -> None:
    broken = candidate(
        "a", "2026-01-01T00:00:00Z", guardrailName="pii-v1.2", apiKeySecretRef=secret("x", "K"), guardrailClass="not.Allowed"
    )
    assert choose([broken, LATER]).rendered == (LATER,)


ONE, OTHER = ([{"name": "CHECKER", "value": value}] for value in ("http://one", "http://other"))
KEY = [{"name": "GUARDRAIL_FIRST_API_KEY", "valueFrom": {"secretKeyRef": {"name": "b", "key": "K"}}}]


@pytest.mark.parametrize(
    ("first", "second", "collides", "why"),
    [
        ({"envVars": ONE}, {"envVars": OTHER}, True, "the later would be checked by the older one's service"),
        ({"envVars": ONE}, {"envVars": [*ONE, *OTHER]}, False, "both mean the same, and of one's own the first counts"),
        ({"envVars": [{"name": "EMPTY"}]}, {"envVars": [{"name": "EMPTY", "value": ""}]}, False, "nothing is nothing"),
        ({"apiKeySecretRef": secret("a", "K")}, {"envVars": KEY}, True, "it says that it has the key of another"),
        ({"apiKeySecretRef": secret("b", "K")}, {"envVars": KEY}, False, "and that one is right"),
    ],
)
def test_one_variable_is_never_two_guardrails_in_different_ways(first: Any, second: Any, collides: bool, why: str) -> None:
    older = candidate("b-older", "2026-01-01T00:00:00Z", guardrailName="first", **first)
    later = candidate("a-later", "2026-01-02T00:00:00Z", guardrailName="second", **second)
    choice = choose([later, older])
    assert choice.rendered == ((older,) if collides else (older, later)), why
    assert [one.reason for one in choice.refused] == ["GuardrailVariableCollision"] * collides


def test_a_guardrail_that_collides_takes_no_variable() -> None:
    first, second, third = (
        candidate(name, "2026-01-01T00:00:00Z", guardrailName=name, envVars=variables)
        for name, variables in (
            ("a", ONE),
            ("b", [*OTHER, {"name": "MINE", "value": "1"}]),
            ("c", [{"name": "MINE", "value": "2"}]),
        )
    )
    assert choose([first, second, third]).rendered == (first, third)


@pytest.mark.parametrize(
    ("reason", "fields"),
    [
        ("GuardrailClassRequired", {"provider": "custom_guardrail"}),
        ("GuardrailClassRequired", {"provider": "custom_guardrail", "guardrailClass": "NoModule"}),
        ("GuardrailClassNotAllowed", {"guardrailClass": "checks.Words"}),
        ("APIBaseRequired", {"provider": "generic_guardrail_api"}),
        ("UnreachableFallbackNotAllowed", {"unreachableFallback": "fail_open"}),
        ("ProviderNotSupported", {"provider": "llm_guard"}),
        ("ProviderNotSupported", {"provider": "llamaguard"}),
        ("ProviderNotSupported", {"provider": "google_text_moderation"}),
        ("ModeNotSupported", {"provider": "aporia", "mode": "logging_only"}),
        ("ModeNotSupported", {"provider": "azure", "mode": "post_call"}),
        ("SecretRefInvalid", {"apiKeySecretRef": {"name": "UPPER", "key": "K"}}),
        ("SecretRefInvalid", {"apiKeySecretRef": {"name": "a", "key": ""}}),
        ("SecretRefInvalid", {"apiKeySecretRef": {"name": "a", "key": "."}}),
        ("EnvVarInvalid", {"envVars": [{"name": "A", "value": "a\0b"}]}),
        ("EnvVarInvalid", {"envVars": [{"name": "A", "valueFrom": {"secretKeyRef": {"key": "K"}}}]}),
        ("EnvVarInvalid", {"envVars": [{"name": "A", "valueFrom": {"configMapKeyRef": {"name": "a", "key": "a/b"}}}]}),
        ("EnvVarInvalid", {"envVars": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "spec.containers"}}}]}),
        ("EnvVarInvalid", {"envVars": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['a b']"}}}]}),
        ("EnvVarInvalid", {"envVars": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['A/b']"}}}]}),
        (
            "EnvVarInvalid",
            {"envVars": [{"name": "A", "valueFrom": {"fieldRef": {"apiVersion": "v2", "fieldPath": "metadata.name"}}}]},
        ),
        ("EnvVarInvalid", {"envVars": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.disk"}}}]}),
        (
            "EnvVarInvalid",
            {"envVars": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "1Mi"}}}]},
        ),
        (
            "EnvVarInvalid",
            {"envVars": [{"name": "A", "valueFrom": {"fileKeyRef": {"volumeName": "v", "path": "p", "key": "K"}}}]},
        ),
        ("EnvVarInvalid", {"envVars": [{"name": "A", "value": "1"}, {"name": "A=B", "value": "1"}]}),
        ("EnvVarInvalid", {"envVars": [{"name": "A", "value": "1", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]}),
    ],
)
def test_a_guardrail_that_litellm_would_not_run_is_refused(reason: str, fields: Any) -> None:
    found = flaw(guardrail(**fields))
    assert found is not None
    assert found[0] == reason


@pytest.mark.parametrize("mode", ["pre_call", "post_call", "during_call", "logging_only"])
def test_a_class_of_ones_own_decides_itself_when_it_runs(mode: str) -> None:
    assert flaw(guardrail(provider="custom_guardrail", guardrailClass="checks.Words", mode=mode)) is None
