"""A guardrail's own status: what is wrong with it in the Go operator's order, and what its gateway makes of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from app.cli.offline import offline_simulation
from app.controllers.context import Context
from app.controllers.litellm_guardrail import LITELLM_GUARDRAILS
from app.hooks import application
from app.litellm.probe import Prober
from app.sim.clock import VirtualClock
from app.sim.fake_litellm import FakeNetwork
from tests.unit.controllers.exchange import grouped, instance, secret

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.hooks.objects import Object

PRESIDIO: Object = {"guardrailName": "pii", "provider": "presidio", "mode": "pre_call"}
MANAGED: Object = {"masterKey": {"autoGenerate": True}, "database": {}}


def guardrail(spec: Object, name: str = "pii", **changes: Any) -> Object:
    return {
        "apiVersion": "litellm.palena.ai/v1alpha1",
        "kind": "LiteLLMGuardrail",
        "metadata": {"name": name, "namespace": "team", "uid": f"uid-{name}", "generation": 1},
        "spec": {"instanceRef": {"name": "gw"}, **spec},
        **changes,
    }


def noting(**note: Any) -> Object:
    return instance(MANAGED, status={"guardrails": [{"name": "pii", **note}]})


async def told(parent: Object, *related: Object) -> Object:
    """The status after one sync."""
    context = Context(now=lambda: datetime(2026, 1, 1, tzinfo=UTC), prober=Prober(lambda _: FakeNetwork({}), lambda: 0.0))
    app = application([LITELLM_GUARDRAILS], context)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://palena") as hooks:
        body = {"controller": {}, "parent": parent, "children": {}, "related": grouped(related), "finalizing": False}
        answer = await hooks.post("/hooks/litellmguardrails/sync", json=body)
    assert answer.json()["children"] == []
    return answer.json()["status"]


def ready(status: Object) -> tuple[str, str, bool]:
    (condition,) = status["conditions"]
    return condition["status"], condition["reason"], status["configured"]


KEYED: Object = {"apiKeySecretRef": {"name": "a", "key": "K"}}
GENERIC, CUSTOM = {"provider": "generic_guardrail_api"}, {"provider": "custom_guardrail"}
FAULTS: list[tuple[str, Object, list[Object], str]] = [
    ("LiteLLM imports a class by its path", CUSTOM, [], "GuardrailClassRequired"),
    ("others have a class of their own", {"guardrailClass": "mine.Check"}, [], "GuardrailClassNotAllowed"),
    ("a generic service is somewhere", GENERIC, [], "APIBaseRequired"),
    ("others decide that themselves", {"unreachableFallback": "fail_open"}, [], "UnreachableFallbackNotAllowed"),
    ("LiteLLM has none and would start without it", {"provider": "llm_guard"}, [], "ProviderNotSupported"),
    ("LiteLLM would not start", {"provider": "aporia", "mode": "logging_only"}, [], "ModeNotSupported"),
    ("it is no variable", {"envVars": [{"name": "A=B", "value": "1"}]}, [], "EnvVarInvalid"),
    ("no Secret is called so", {"apiKeySecretRef": {"name": "A", "key": "K"}}, [], "SecretRefInvalid"),
    ("its own fault comes before its instance", {"guardrailClass": "mine.Check"}, [instance()], "GuardrailClassNotAllowed"),
    ("nobody is named so", {}, [], "InstanceNotFound"),
    ("the proxy owns its configuration", {}, [instance()], "InstanceUnmanaged"),
    ("the instance comes before the Secret", KEYED, [instance()], "InstanceUnmanaged"),
    ("the key is nowhere", KEYED, [instance(MANAGED)], "SecretNotFound"),
    ("the Secret lacks it", KEYED, [instance(MANAGED), secret("a", other="x")], "SecretKeyMissing"),
    ("an older object's schema", {"mode": None}, [instance(MANAGED)], "InvalidSpec"),
]


@pytest.mark.parametrize(("why", "change", "related", "reason"), FAULTS, ids=[why for why, *_ in FAULTS])
async def test_the_first_thing_that_is_in_the_way_is_told(why: str, change: Object, related: list[Object], reason: str) -> None:
    assert ready(await told(guardrail({**PRESIDIO, **change}), *related)) == ("False", reason, False)


async def test_an_instance_that_is_not_ready_will_do_and_configured_waits_for_it() -> None:
    assert ready(await told(guardrail(PRESIDIO), instance(MANAGED))) == ("True", "Validated", False)
    assert ready(await told(guardrail(PRESIDIO), noting(configured=True))) == ("True", "Validated", True)


async def test_what_the_gateway_says_of_it_is_said_here_again() -> None:
    collides = noting(configured=False, reason="GuardrailNameCollision", message="it has the key of the older one")
    assert ready(await told(guardrail(PRESIDIO), collides)) == ("False", "GuardrailNameCollision", False)
    sets_otherwise = noting(configured=False, reason="GuardrailVariableCollision", message="the older one sets it otherwise")
    assert ready(await told(guardrail(PRESIDIO), sets_otherwise)) == ("False", "GuardrailVariableCollision", False)
    other = noting(configured=False, reason="SomethingNew", message="of a later release")
    assert ready(await told(guardrail(PRESIDIO), other)) == ("False", "GuardrailLeftOut", False)


async def test_a_variable_that_the_gateway_ignores_is_said_here_again_while_the_spec_has_it() -> None:
    sets = {**PRESIDIO, "envVars": [{"name": "DATABASE_URL", "value": "x"}]}
    status = await told(guardrail(sets), noting(configured=True, ignoredVariables=["DATABASE_URL", "GONE"]))
    first, warning = status["conditions"]
    assert (first["status"], first["reason"], status["configured"]) == ("True", "Validated", True)
    assert (warning["type"], warning["status"], warning["reason"]) == ("SpecWarnings", "True", "SettingsQuestionable")
    assert "sets DATABASE_URL, which" in warning["message"]
    assert ready(await told(guardrail(PRESIDIO), noting(configured=True, ignoredVariables=["GONE"])))[1] == "Validated"


async def test_a_flaw_that_an_edit_mended_is_not_told_until_the_gateway_has_seen_the_edit() -> None:
    before = noting(configured=True, reason="ModeNotSupported", message="with this provider spec.mode can be pre_call")
    assert ready(await told(guardrail(PRESIDIO), before)) == ("True", "Validated", False)


async def test_one_that_an_edit_spoilt_is_said_to_be_served_as_it_was() -> None:
    status = await told(guardrail({**PRESIDIO, "guardrailClass": "mine.Check"}), noting(configured=True))
    assert ready(status) == ("False", "GuardrailClassNotAllowed", False)
    assert "until then the proxy runs it as it was before" in status["conditions"][0]["message"]


async def test_a_second_look_at_the_same_writes_nothing_new() -> None:
    status = await told(guardrail(PRESIDIO), noting(configured=True))
    status["lastSyncTime"] = "2025-01-01T00:00:00Z"
    assert await told(guardrail(PRESIDIO, status=status), noting(configured=True)) == status
    moved = await told(guardrail(PRESIDIO, status=status), instance())
    assert moved["lastSyncTime"] == "2026-01-01T00:00:00Z"


async def test_of_two_with_one_variable_the_older_serves_and_the_later_is_told() -> None:
    later = {**PRESIDIO, "guardrailName": "pii.v1-2", "apiKeySecretRef": {"name": "b", "key": "K"}}
    older = {**PRESIDIO, "guardrailName": "pii-v1.2", "apiKeySecretRef": {"name": "a", "key": "K"}}
    seen: list[Sequence[Object]] = []

    async def look(items: Sequence[Object]) -> None:
        seen.append(items)

    clock = VirtualClock()
    async with offline_simulation(clock) as simulation:
        secrets = [{**secret(name, K=name), "metadata": {"name": name, "namespace": "team"}} for name in ("a", "b")]
        await simulation.apply([instance(MANAGED), *secrets, guardrail(older, "a")])
        await simulation.converge(seconds=5, look=look)
        await simulation.apply([guardrail(later, "b")])
        await simulation.converge(seconds=5, look=look)
        now = {item["metadata"]["name"]: ready(item["status"]) for item in seen[-1] if item["kind"] == "LiteLLMGuardrail"}
        assert now == {"a": ("True", "Validated", True), "b": ("False", "GuardrailNameCollision", False)}
        await simulation.delete([guardrail(older, "a")])
        await simulation.converge(seconds=5, look=look)
        now = {item["metadata"]["name"]: ready(item["status"]) for item in seen[-1] if item["kind"] == "LiteLLMGuardrail"}
        assert now == {"b": ("True", "Validated", True)}


async def test_the_go_operators_finalizer_is_named_with_the_command_that_removes_it() -> None:
    parent = guardrail(PRESIDIO)
    parent["metadata"]["finalizers"] = ["litellm.palena.ai/finalizer"]
    stale = next(one for one in (await told(parent, noting(configured=True)))["conditions"] if one["type"] == "StaleFinalizer")
    assert "kubectl -n team patch litellmguardrail pii --type=json" in stale["message"]
