"""Guardrails that cannot be used, from the start or after an edit: what the proxy is told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.controllers.guardrails import guardrails_of
from app.hooks.request import composite_request
from app.registry import KINDS
from app.resources.kinds import CONFIG_MAP, DEPLOYMENT
from tests.unit.controllers.gateway_world import SPEC, TEAM, World, env_of, running, secret, template_of
from tests.unit.controllers.test_gateway_references import Cluster
from tests.unit.controllers.test_gateway_rollback import fail_rollout

if TYPE_CHECKING:
    from app.hooks.objects import Object

(RESOURCE,) = (kind.resource for kind in KINDS if kind.resource.kind == "LiteLLMGuardrail")
OLDER: dict[str, Any] = {
    "guardrailName": "pii-v1.2",
    "provider": "presidio",
    "mode": "pre_call",
    "apiKeySecretRef": {"name": "a", "key": "K"},
    "params": {"output_parse_pii": True},
}
LATER: dict[str, Any] = {
    "guardrailName": "pii.v1-2",
    "provider": "aporia",
    "mode": "logging_only",
    "apiKeySecretRef": {"name": "b", "key": "K"},
}
VARIABLE = "GUARDRAIL_PII_V1_2_API_KEY"


def guardrail(name: str, spec: dict[str, Any]) -> Object:
    return {
        "apiVersion": RESOURCE.api_version,
        "kind": RESOURCE.kind,
        "metadata": {"name": name, "namespace": TEAM},
        "spec": {"instanceRef": {"name": "gw"}, **spec},
    }


def keys() -> Cluster:
    return Cluster(a=secret("a", K="a"), b=secret("b", K="b"))


async def served(made: World) -> tuple[str, Object]:
    """The configuration and the pod template."""
    config = (await made.get(CONFIG_MAP, "gw-config"))["data"]["proxy_server_config.yaml"]
    return config, template_of(await made.get(DEPLOYMENT))


async def edit(made: World, name: str, change: dict[str, Any]) -> None:
    await made.cluster.merge_patch(RESOURCE, TEAM, name, {"spec": change})
    await made.settle()


async def note(made: World, name: str) -> Object:
    (found,) = [one for one in (await made.status())["guardrails"] if one["name"] == name]
    return {key: value for key, value in found.items() if key != "message"}


async def test_of_two_guardrails_with_one_variable_the_older_serves_with_its_own_key() -> None:
    async with running(None, guardrail("older", OLDER), reader=keys()) as made:
        before = await served(made)
        await made.create(guardrail("a-later", LATER))
        assert (await note(made, "a-later"))["reason"] == "ModeNotSupported"
        assert await served(made) == before
        await edit(made, "a-later", {"mode": "post_call"})
        assert await note(made, "a-later") == {
            "name": "a-later",
            "guardrailName": "pii.v1-2",
            "configured": False,
            "reason": "GuardrailNameCollision",
        }
        assert await served(made) == before
        assert env_of(await made.get(DEPLOYMENT))[VARIABLE]["valueFrom"]["secretKeyRef"]["name"] == "a"


@pytest.mark.parametrize(
    ("change", "reason", "why"),
    [
        ({"mode": "during_call"}, "", "a mode that presidio has: the configuration follows"),
        ({"provider": "lakera", "mode": "post_call"}, "ModeNotSupported", "a mode that the new provider lacks"),
        ({"provider": "llm_guard"}, "ProviderNotSupported", "LiteLLM has none of that name"),
        ({"provider": "custom_guardrail"}, "GuardrailClassRequired", "no class to run"),
        ({"guardrailName": "renamed", "guardrailClass": "a.B"}, "GuardrailClassNotAllowed", "renamed in the same edit"),
        (
            {"provider": "aporia", "mode": "logging_only", "apiKeySecretRef": {"name": "b", "key": "K"}, "params": None},
            "ModeNotSupported",
            "the key of the new provider never goes to the old one",
        ),
    ],
)
async def test_a_guardrail_that_is_spoilt_by_an_edit_is_served_as_it_last_was(
    change: dict[str, Any], reason: str, why: str
) -> None:
    async with running(None, guardrail("older", OLDER), reader=keys()) as made:
        before = await served(made)
        await edit(made, "older", change)
        assert (await note(made, "older")).get("reason", "") == reason, why
        assert (await served(made) == before) == bool(reason), why
        assert (await note(made, "older"))["configured"] is True
        assert await made.reason("GuardrailsApplied") == (
            "False/LastGoodGuardrailsServed" if reason else "True/GuardrailsApplied"
        )


async def test_a_guardrail_is_not_said_to_serve_while_the_pods_keep_their_configuration() -> None:
    missing = {"extraEnvFrom": [{"secretRef": {"name": "nowhere"}}]}
    async with running(SPEC, guardrail("before", {**OLDER, "guardrailName": "before"}), reader=keys()) as made:
        await made.edit(missing)
        await made.create(guardrail("during", {**OLDER, "guardrailName": "during"}))
        told = (await made.status())["guardrails"]
        assert [(one["name"], one["configured"]) for one in told] == [("before", True), ("during", False)]
        assert await made.reason("GuardrailsApplied") == "False/GuardrailsWaiting"
        await edit(made, "before", {"defaultOn": True})
        assert (await note(made, "before"))["configured"] is False, "not like this"
        await made.edit({"extraEnvFrom": None})
        assert [one["configured"] for one in (await made.status())["guardrails"]] == [True, True]
        assert await made.reason("GuardrailsApplied") == "True/GuardrailsApplied"


async def test_a_guardrail_that_went_with_a_rollback_is_not_said_to_serve() -> None:
    async with running({**SPEC, "upgrade": {"autoRollback": True}}, reader=keys()) as made:
        await made.create(guardrail("pii", OLDER))
        assert (await note(made, "pii"))["configured"] is True
        await fail_rollout(made)
        assert await made.reason() == "False/AutoRollback"
        assert (await note(made, "pii"))["configured"] is False
        assert await made.reason("GuardrailsApplied") == "False/GuardrailsWaiting"


async def test_a_spoilt_guardrail_stays_while_the_rest_of_the_configuration_changes() -> None:
    async with running(None, guardrail("older", OLDER), reader=keys()) as made:
        await edit(made, "older", {"provider": "llm_guard"})
        for retries in (5, 6):
            await made.edit({"routerSettings": {"numRetries": retries}})
            config, _ = await served(made)
            assert f"num_retries: {retries}" in config
            assert "guardrail: presidio" in config
        await edit(made, "older", {"provider": "aporia", "mode": "post_call"})
        config, _ = await served(made)
        assert "guardrail: aporia" in config
        assert "guardrail: presidio" not in config
        assert await made.reason("GuardrailsApplied") == "True/GuardrailsApplied"


async def test_a_spoilt_guardrail_holds_its_variable_against_a_later_one() -> None:
    async with running(None, guardrail("older", OLDER), reader=keys()) as made:
        await edit(made, "older", {"provider": "llm_guard"})
        before = await served(made)
        await made.create(guardrail("later", {**LATER, "mode": "post_call"}))
        assert (await note(made, "later"))["reason"] == "GuardrailNameCollision"
        assert await served(made) == before
        assert await made.reason("GuardrailsApplied") == "False/GuardrailsLeftOut"
        assert "older is served as it last was" in await made.message("GuardrailsApplied")


async def test_a_spoilt_guardrail_goes_when_it_is_deleted_or_given_to_another_gateway() -> None:
    for away in ("deleted", "given away"):
        async with running(None, guardrail("older", OLDER), reader=keys()) as made:
            await edit(made, "older", {"provider": "llm_guard"})
            if away == "deleted":
                await made.cluster.delete(RESOURCE, TEAM, "older")
                await made.settle()
            else:
                await edit(made, "older", {"instanceRef": {"name": "other"}})
            config, _ = await served(made)
            assert "guardrail" not in config, away
            assert VARIABLE not in env_of(await made.get(DEPLOYMENT)), away


async def test_a_record_that_was_tampered_with_serves_nothing_that_cannot_be_used() -> None:
    async with running(None, guardrail("older", OLDER), reader=keys()) as made:
        for record in ("", "{", "[]", '{"older": 3}', '{"older": {"provider": "llm_guard"}}'):
            await edit(made, "older", {"provider": "presidio"})
            annotation = {"metadata": {"annotations": {"litellm.palena.ai/guardrails": record}}}
            await made.cluster.merge_patch(CONFIG_MAP, TEAM, "gw-config", annotation)
            await edit(made, "older", {"provider": "llm_guard"})
            assert (await note(made, "older"))["configured"] is False, record
            assert await made.reason() == "True/AllResourcesReady", record


async def test_a_stored_guardrail_that_the_schema_no_longer_allows_is_served_as_it_last_was() -> None:
    """The API server takes no such edit, but an object may be older than its schema."""
    async with running(None, guardrail("older", OLDER), reader=keys()) as made:
        body, _ = made.syncs()[-1]
    (stored,) = body["related"][RESOURCE.key].values()
    good = guardrails_of(composite_request(body))
    stored["spec"]["mode"] = "sometimes"
    spoilt = guardrails_of(composite_request(body))
    assert (spoilt.specs, spoilt.references, spoilt.record) == (good.specs, good.references, good.record)
    assert [(one.reason, one.served) for one in spoilt.notes] == [("InvalidSpec", True)]
    body["children"]["ConfigMap.v1"].clear()
    (left_out,) = guardrails_of(composite_request(body)).notes
    assert (left_out.reason, left_out.served) == ("InvalidSpec", False)


OWN: list[tuple[str, dict[str, Any], dict[str, Any], list[str]]] = [
    (
        "the database is the gateway's",
        {"envVars": [{"name": "DATABASE_URL", "value": "postgresql://else"}]},
        {},
        ["DATABASE_URL"],
    ),
    (
        "so is its key, and what the spec gives all pods",
        {"envVars": [{"name": name, "value": "x"} for name in ("HTTPS_PROXY", "LITELLM_MASTER_KEY", "MINE")]},
        {"extraEnvVars": [{"name": "HTTPS_PROXY", "value": "http://out"}]},
        ["HTTPS_PROXY", "LITELLM_MASTER_KEY"],
    ),
    (
        "both say the same",
        {"envVars": [{"name": "HTTPS_PROXY", "value": "http://out"}]},
        {"extraEnvVars": [{"name": "HTTPS_PROXY", "value": "http://out"}]},
        [],
    ),
    (
        "its provider would be called with another key",
        {},
        {"callbacks": {"envVars": [{"name": VARIABLE, "value": "sk"}]}},
        [VARIABLE],
    ),
    ("of its own two the first counts", {"envVars": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]}, {}, ["A"]),
]


@pytest.mark.parametrize(("why", "change", "instance", "ignored"), OWN, ids=[why for why, *_ in OWN])
async def test_a_variable_that_the_gateway_has_otherwise_is_said_to_be_ignored(
    why: str, change: dict[str, Any], instance: dict[str, Any], ignored: list[str]
) -> None:
    async with running({**SPEC, **instance}, guardrail("pii", {**OLDER, **change}), reader=keys()) as made:
        told = await note(made, "pii")
        assert told["configured"] is True, why
        assert told.get("ignoredVariables", []) == ignored, why
        assert await made.reason("SpecWarnings") == ("True/SettingsQuestionable" if ignored else ""), why
        if ignored:
            assert f"LiteLLMGuardrail pii sets {', '.join(ignored)}" in await made.message("SpecWarnings")
