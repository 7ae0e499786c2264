"""LiteLLMModel: a deployment under a stable id, with a provider's key from a Secret or a LiteLLMCredential."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from app.apis.litellm.model.spec import LiteLLMModelSpec, LiteLLMParams, ModelHealthCheck, ModelInfo
from app.litellm.entities.ownership import MARK
from app.sim.fake_litellm import Fault
from app.status.resync import TICK
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hooks.objects import Object

KIND = "LiteLLMModel"
CREDENTIAL = "LiteLLMCredential"
RELEASES = pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])

INLINE: Object = {
    "modelName": "gpt",
    "litellmParams": {
        "model": "openai/gpt-4o",
        "apiBase": "https://llm.example.com/v1",
        "apiKeySecretRef": {"name": "openai", "key": "api-key"},
    },
}
BY_CREDENTIAL: Object = {
    "modelName": "gpt",
    "litellmParams": {"model": "azure/gpt-4o", "credentialRef": {"name": "azure"}},
}


def model(world: World, name: str = "m", spec: Object = INLINE, annotations: dict[str, str] | None = None, **params: Any) -> None:
    """A model, or an edit of it; ``params`` go into ``litellmParams``."""
    world.entity(KIND, name, annotations, **{**spec, "litellmParams": {**spec["litellmParams"], **params}})


def credential(world: World, **spec: Any) -> None:
    """The LiteLLMCredential ``azure``, which nobody syncs."""
    world.secret("azure", key="az-key-0123")
    wanted = {"credentialName": "az-eu", "apiKeySecretRef": {"name": "azure", "key": "key"}, "apiBase": "https://eu", **spec}
    world.entity(CREDENTIAL, "azure", None, **wanted)


def provided() -> World:
    """A world with the provider's key."""
    world = World()
    world.secret("openai", **{"api-key": "sk-provider-1\n"})
    return world


def only(world: World) -> Object:
    """The one model that LiteLLM has."""
    (row,) = world.rows("models").values()
    return row


async def settled(world: World, name: str = "m", **spec: Any) -> Object:
    """A model in step; its row."""
    model(world, name, **spec)
    await world.sync(KIND, name)
    assert world.condition(KIND, name) == ("True", "Synced"), world.message(KIND, name)
    return world.rows("models")[world.objects[KIND, name]["status"]["litellmModelId"]]


def test_a_model_is_created_once_under_a_stable_id_and_then_left_alone() -> None:
    async def scenario() -> None:
        world = provided()
        row = await settled(world)
        assert row["litellm_params"] == {
            "model": "openai/gpt-4o",
            "api_base": "https://llm.example.com/v1",
            "api_key": "sk-provider-1",
        }
        assert row["model_info"][MARK]["owner"] == "north/team/m"
        first = world.objects[KIND, "m"]["status"]
        assert (first["synced"], first["health"]) == (True, "unknown")
        world.forget_calls()
        assert await world.sync(KIND, "m") == first
        assert world.proxy.admin_calls == []
        assert world.comes_back_in == TICK

    run(scenario())


FULL: Object = {
    "modelName": "gpt",
    "tags": ["production"],
    "litellmParams": {
        "model": "openai/gpt-4o",
        "apiBase": "https://llm.example.com/v1",
        "apiVersion": "2024-10-21",
        "apiKeySecretRef": {"name": "openai", "key": "api-key"},
        "rpm": 0,
        "tpm": 5,
        "timeout": 60,
        "streamTimeout": 120,
        "maxRetries": 2,
        "weight": 3,
        "order": 1,
        "maxInputTokens": 1000,
        "temperature": 0.2,
        "topP": 1.0,
        "maxTokens": 7,
        "seed": 8,
        "organization": "org",
        "awsRegionName": "eu-1",
        "extraHeaders": {"x-a": "b"},
        "dropParams": False,
        "vertexProject": "p",
        "vertexLocation": "l",
        "vertexCredentialsSecretRef": {"name": "openai", "key": "vertex"},
    },
    "modelInfo": {
        "maxTokens": 9,
        "inputCostPerToken": 2.2e-07,
        "outputCostPerToken": 6.6e-07,
        "mode": "chat",
        "baseModel": "azure/gpt-4o",
        "tier": "paid",
        "regionName": "eu",
        "accessGroups": ["g"],
        "supportedEnvironments": ["production"],
        "useInPassThrough": True,
        "inputCostPerPixel": 1e-10,
        "inputCostPerSecond": 1e-05,
        "cacheReadInputTokenCost": 7e-09,
        "cacheCreationInputTokenCost": 1e-09,
        "healthCheck": {
            "disableBackgroundHealthCheck": False,
            "timeoutSeconds": 3,
            "maxTokens": 1,
            "maxTokensReasoning": 2,
            "maxTokensNonReasoning": 4,
            "reasoningEffort": "low",
            "voice": "alloy",
            "model": "openai/small",
        },
    },
}
PRICES: Object = {
    "input_cost_per_token": 2.2e-07,
    "output_cost_per_token": 6.6e-07,
    "input_cost_per_pixel": 1e-10,
    "input_cost_per_second": 1e-05,
    "cache_read_input_token_cost": 7e-09,
    "cache_creation_input_token_cost": 1e-09,
}


def aliases(*sections: Any) -> list[set[str]]:
    return [{field.alias for field in section.model_fields.values()} for section in sections]


def test_every_field_of_the_spec_reaches_litellm() -> None:
    async def scenario() -> None:
        given = ({*FULL, "instanceRef"}, {*FULL["litellmParams"], "credentialRef"}, {*FULL["modelInfo"]})
        assert [*given, {*FULL["modelInfo"]["healthCheck"]}] == aliases(
            LiteLLMModelSpec, LiteLLMParams, ModelInfo, ModelHealthCheck
        )
        world = World()
        world.secret("openai", **{"api-key": "sk-provider-1", "vertex": '{"type": "service_account"}'})
        model(world, spec=FULL)
        await world.sync(KIND, "m")
        body = next(call.body for call in world.proxy.calls if str(call) == "POST /model/new")
        info = dict(body["model_info"])
        assert info.pop("id") == world.objects[KIND, "m"]["status"]["litellmModelId"]
        assert {"litellm_params." + name for name in body["litellm_params"]} | {
            "model_info." + name for name in info if name != MARK
        } | {"model_name"} == {*info.pop(MARK)["fields"]}
        assert body["model_name"] == "gpt"
        assert body["litellm_params"] == {
            "model": "openai/gpt-4o",
            "api_base": "https://llm.example.com/v1",
            "api_version": "2024-10-21",
            "api_key": "sk-provider-1",
            "vertex_credentials": '{"type": "service_account"}',
            "rpm": 0,
            "tpm": 5,
            "timeout": 60,
            "stream_timeout": 120,
            "max_retries": 2,
            "weight": 3,
            "order": 1,
            "max_input_tokens": 1000,
            "temperature": 0.2,
            "top_p": 1.0,
            "max_tokens": 7,
            "seed": 8,
            "organization": "org",
            "aws_region_name": "eu-1",
            "extra_headers": {"x-a": "b"},
            "drop_params": False,
            "vertex_project": "p",
            "vertex_location": "l",
            "tags": ["production"],
            "region_name": "eu",
            "use_in_pass_through": True,
            **PRICES,
        }
        assert info == {
            "max_tokens": 9,
            "mode": "chat",
            "base_model": "azure/gpt-4o",
            "tier": "paid",
            "region_name": "eu",
            "access_groups": ["g"],
            "supported_environments": ["production"],
            "use_in_pass_through": True,
            "disable_background_health_check": False,
            "health_check_timeout": 3,
            "health_check_max_tokens": 1,
            "health_check_max_tokens_reasoning": 2,
            "health_check_max_tokens_non_reasoning": 4,
            "health_check_reasoning_effort": "low",
            "health_check_voice": "alloy",
            "health_check_model": "openai/small",
            **PRICES,
        }

    run(scenario())


def test_an_edit_is_one_patch_and_keeps_what_others_set() -> None:
    async def scenario() -> None:
        world = provided()
        row = await settled(world, rpm=5)
        row["litellm_params"]["mock_response"] = "theirs"
        world.forget_calls()
        model(world, spec={**INLINE, "modelName": "renamed"}, rpm=0)
        await world.sync(KIND, "m")
        name = world.objects[KIND, "m"]["status"]["litellmModelId"]
        assert world.proxy.admin_calls == ["GET /v2/model/info", f"PATCH /model/{name}/update"]
        assert only(world)["model_name"] == "renamed"
        assert only(world)["litellm_params"]["rpm"] == 0
        assert only(world)["litellm_params"]["mock_response"] == "theirs"

    run(scenario())


def test_a_field_that_was_sent_a_moment_ago_is_removed_even_where_the_replica_shows_an_older_model() -> None:
    async def scenario() -> None:
        world = provided()
        row = await settled(world, temperature=0.2)
        # Another replica took this in; the one that answers reads shows the mark of before.
        row["model_info"][MARK]["fields"].remove("litellm_params.temperature")
        model(world)
        await world.sync(KIND, "m")
        assert "temperature" not in only(world)["litellm_params"]

    run(scenario())


def test_a_pause_that_an_admin_made_is_not_ended_by_making_the_model_again() -> None:
    async def scenario() -> None:
        world = provided()
        row = await settled(world, temperature=0.2)
        row["model_info"]["blocked"] = True
        model(world)
        await world.sync(KIND, "m")
        assert only(world)["model_info"]["blocked"] is True
        assert "temperature" not in only(world)["litellm_params"]

    run(scenario())


def test_a_model_by_credential_works_although_nobody_made_the_credential_yet() -> None:
    async def scenario() -> None:
        world = World()
        credential(world, apiVersion="v1")
        row = await settled(world, spec=BY_CREDENTIAL)
        assert row["litellm_params"] == {
            "model": "azure/gpt-4o",
            "litellm_credential_name": "az-eu",
            "api_base": "https://eu",
            "api_version": "v1",
            "api_key": "az-key-0123",
        }

    run(scenario())


@RELEASES
def test_a_switch_of_who_authenticates_makes_the_model_again_under_its_id(version: str) -> None:
    async def scenario() -> None:
        world = provided()
        world.proxy.version = version
        credential(world)
        await settled(world)
        name = world.objects[KIND, "m"]["status"]["litellmModelId"]
        for spec, expected in ((BY_CREDENTIAL, "az-eu"), (INLINE, None)):
            world.forget_calls()
            row = await settled(world, spec=spec)
            assert row["model_info"]["id"] == name
            assert row["litellm_params"].get("litellm_credential_name") == expected
            assert world.proxy.admin_calls.count("POST /model/delete") == 1
        assert only(world)["litellm_params"]["api_key"] == "sk-provider-1"

    run(scenario())


@RELEASES
def test_another_credential_that_litellm_does_not_have_yet_is_no_obstacle(version: str) -> None:
    async def scenario() -> None:
        world = World()
        world.proxy.version = version
        credential(world)
        await settled(world, spec=BY_CREDENTIAL)
        credential(world, credentialName="az-us")
        await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("True", "Synced"), world.message(KIND, "m")
        assert only(world)["litellm_params"]["litellm_credential_name"] == "az-us"

    run(scenario())


def test_a_new_key_of_the_provider_is_pushed_within_a_minute_of_one_resync() -> None:
    async def scenario() -> None:
        world = provided()
        credential(world)
        await settled(world)
        await settled(world, "c", spec=BY_CREDENTIAL)
        assert 60 <= world.comes_back_in <= 66
        world.secret("openai", **{"api-key": "sk-provider-2"})
        world.secret("azure", key="az-key-4567")
        for name in ("m", "c"):
            await world.sync(KIND, name)
        keys = [row["litellm_params"]["api_key"] for row in world.rows("models").values()]
        assert keys == ["sk-provider-2", "az-key-4567"]

    run(scenario())


def test_a_credential_in_step_tells_which_version_of_its_secret_counts() -> None:
    async def scenario() -> None:
        world = World()
        credential(world)
        asked: list[str] = []
        secret = world.context.reader.secret

        async def noted(namespace: str, name: str, *, version: str = "") -> Object | None:
            asked.append(version)
            return await secret(namespace, name, version=version)

        world.context.reader.secret = noted
        await settled(world, spec=BY_CREDENTIAL)
        await world.sync(CREDENTIAL, "azure")
        await world.sync(KIND, "m")
        world.secret("azure", key="az-key-4567")
        await world.sync(CREDENTIAL, "azure")
        await world.sync(KIND, "m")
        assert asked == ["", "1", "2"]
        assert only(world)["litellm_params"]["api_key"] == "az-key-4567"
        # The credential is not in step any more, so nobody tells of the next change in time.
        world.secret("azure", other="x")
        await world.sync(CREDENTIAL, "azure")
        world.secret("azure", key="az-key-8901")
        await world.sync(KIND, "m")
        assert asked[-1] == ""
        assert only(world)["litellm_params"]["api_key"] == "az-key-8901"

    run(scenario())


MISSING: list[tuple[Callable[[World], object], Object, tuple[str, str], str]] = [
    (lambda _: None, INLINE, ("False", "SecretNotFound"), "spec.litellmParams.apiKeySecretRef"),
    (
        lambda world: world.secret("openai", other="x"),
        INLINE,
        ("False", "SecretKeyMissing"),
        "spec.litellmParams.apiKeySecretRef",
    ),
    (lambda _: None, BY_CREDENTIAL, ("False", "ReferenceNotReady"), "spec.litellmParams.credentialRef"),
    (
        lambda world: (credential(world), world.remove("Secret", "azure")),
        BY_CREDENTIAL,
        ("False", "SecretNotFound"),
        "spec.apiKeySecretRef of LiteLLMCredential azure",
    ),
    (
        lambda world: (credential(world), world.unreadable.add("azure")),
        BY_CREDENTIAL,
        ("False", "SecretFetchFailed"),
        "spec.apiKeySecretRef of LiteLLMCredential azure",
    ),
    (
        lambda world: credential(world, credentialName=""),
        BY_CREDENTIAL,
        ("False", "ReferenceNotReady"),
        "LiteLLMCredential azure (spec.litellmParams.credentialRef) has an invalid spec",
    ),
]


@pytest.mark.parametrize(("given", "spec", "condition", "named"), MISSING)
def test_what_is_missing_is_named_and_nothing_is_called(
    given: Callable[[World], object], spec: Object, condition: tuple[str, str], named: str
) -> None:
    async def scenario() -> None:
        world = World()
        given(world)
        model(world, spec=spec)
        await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == world.condition(KIND, "m", "Synced") == condition
        assert named in world.message(KIND, "m")
        assert world.proxy.admin_calls == []

    run(scenario())


def test_a_credential_needs_no_secret_of_the_models_own_spec() -> None:
    async def scenario() -> None:
        world = World()
        credential(world)
        await settled(world, spec=BY_CREDENTIAL, apiKeySecretRef={"name": "gone", "key": "k"}, apiBase="https://ignored")
        assert only(world)["litellm_params"]["api_base"] == "https://eu"

    run(scenario())


def test_no_message_repeats_the_providers_key() -> None:
    async def scenario() -> None:
        world = provided()
        world.proxy.faults.append(Fault("POST /model/new", status=422, text="input was sk-provider-1"))
        model(world)
        await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("False", "SyncFailed")
        assert "sk-provider-1" not in str(world.objects[KIND, "m"]["status"])

    run(scenario())


CONFLICTS: list[tuple[str, Object, str]] = [
    ("made by somebody else", {}, "made by somebody else"),
    ("another cluster's", {MARK: {"owner": "south/team/m"}}, "belongs to south/team/m"),
    ("of an owner that nobody has", {MARK: {"owner": "so\x1but\nh" + "y" * 1000}}, f"belongs to sout h{'y' * 293}…"),
    ("of the configuration file", {"db_model": False}, "made by somebody else"),
    ("ours, and of the file", {"db_model": False, MARK: {"owner": "north/team/m"}}, "in its configuration file"),
    ("ours, and given to a team", {"team_id": "eng", MARK: {"owner": "north/team/m"}}, "to team eng"),
]


@pytest.mark.parametrize(("info", "words"), [row[1:] for row in CONFLICTS], ids=[row[0] for row in CONFLICTS])
def test_a_model_of_that_id_that_is_not_ours_to_change_is_a_conflict(info: Object, words: str) -> None:
    async def scenario() -> None:
        world = provided()
        row = await settled(world)
        name = row["model_info"]["id"]
        row["model_info"] = {"id": name, "db_model": True, **info}
        before = {**row, "model_info": {**row["model_info"]}}
        del world.objects[KIND, "m"]["status"]
        model(world, temperature=0.5)
        await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("False", "Conflict")
        assert words in world.message(KIND, "m")
        assert only(world) == before
        if info.get(MARK, {}).get("owner") != "north/team/m":
            assert await world.finalize(KIND, "m")
            assert only(world) == before

    run(scenario())


def test_a_model_that_the_user_takes_over_is_kept_in_step_and_stays() -> None:
    async def scenario() -> None:
        world = provided()
        row = await settled(world)
        del row["model_info"][MARK]
        del world.objects[KIND, "m"]["status"]
        model(world, annotations={"litellm.palena.ai/adopt": "true"}, rpm=3)
        await world.sync(KIND, "m")
        assert world.condition(KIND, "m", "Adopted") == ("True", "ExistedBefore")
        assert only(world)["litellm_params"]["rpm"] == 3
        assert await world.finalize(KIND, "m")
        assert len(world.rows("models")) == 1

    run(scenario())


def test_a_model_of_the_go_operator_keeps_its_id_and_goes_with_its_resource() -> None:
    async def scenario() -> None:
        world = provided()
        world.rows("models")["go-1"] = {
            "model_name": "gpt",
            "litellm_params": {"model": "openai/old"},
            "model_info": {"id": "go-1"},
        }
        model(world)
        world.objects[KIND, "m"]["status"] = {"synced": True, "litellmModelId": "go-1"}
        await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("True", "Synced"), world.message(KIND, "m")
        assert only(world)["litellm_params"]["model"] == "openai/gpt-4o"
        assert world.condition(KIND, "m", "Adopted") == ("", "")
        assert await world.finalize(KIND, "m")
        assert world.rows("models") == {}

    run(scenario())


def test_a_lost_status_loses_no_model() -> None:
    async def scenario() -> None:
        world = provided()
        await settled(world)
        name = world.objects[KIND, "m"]["status"].pop("litellmModelId")
        del world.objects[KIND, "m"]["status"]
        await world.sync(KIND, "m")
        assert list(world.rows("models")) == [name]
        assert world.objects[KIND, "m"]["status"]["litellmModelId"] == name
        del world.objects[KIND, "m"]["status"]
        assert await world.finalize(KIND, "m")
        assert world.rows("models") == {}

    run(scenario())


def test_a_model_that_this_replica_does_not_show_yet_is_deleted_all_the_same() -> None:
    async def scenario() -> None:
        world = provided()
        await settled(world)
        world.proxy.faults.append(Fault("GET /v2/model/info", status=404, text="Model id = m not found on litellm proxy"))
        assert await world.finalize(KIND, "m")
        assert world.rows("models") == {}

    run(scenario())


def test_a_model_that_is_gone_already_ends_its_resource() -> None:
    async def scenario() -> None:
        world = provided()
        await settled(world)
        world.rows("models").clear()
        assert await world.finalize(KIND, "m")

    run(scenario())


def test_a_proxy_that_keeps_no_models_says_so_and_is_asked_again_slowly() -> None:
    async def scenario() -> None:
        world = provided()
        world.proxy.database.store_model_in_db = False
        model(world)
        await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("False", "NotStored")
        assert "STORE_MODEL_IN_DB" in world.message(KIND, "m")
        assert world.comes_back_in == TICK

    run(scenario())


PROBING: Object = {"masterKey": {"autoGenerate": True}, "database": {}, "generalSettings": {"backgroundHealthChecks": True}}


def test_health_comes_from_what_the_proxy_remembers_and_is_asked_for_once_in_five_minutes() -> None:
    async def scenario() -> None:
        world = provided()
        world.instance(spec=PROBING)
        names = ("m", "n", "o")
        for name in names:
            await settled(world, name)
        ids = [world.objects[KIND, name]["status"]["litellmModelId"] for name in names]
        world.rows("model health").update({ids[0]: {"status": "healthy"}, ids[1]: {"status": "unhealthy"}})
        await asyncio.sleep(301)
        told = [(await world.sync(KIND, name))["health"] for name in names]
        assert told == ["healthy", "unhealthy", "unknown"]
        assert [call.path for call in world.proxy.calls].count("/health/latest") == 2
        assert all(call.path != "/health" for call in world.proxy.calls)

    run(scenario())


def test_a_model_is_in_step_although_the_proxy_does_not_answer_about_its_health() -> None:
    async def scenario() -> None:
        world = provided()
        world.instance(spec=PROBING)
        world.proxy.faults.append(Fault("GET /health/latest", status=500, times=99))
        await settled(world)
        assert world.objects[KIND, "m"]["status"]["health"] == "unknown"

    run(scenario())
