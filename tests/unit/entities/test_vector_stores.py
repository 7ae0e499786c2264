"""LiteLLMVectorStore: where a provider's store is, under the provider's own id."""

from __future__ import annotations

from typing import Any

from app.apis.litellm.vector_store import LiteLLMVectorStoreSpec
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

KIND = "LiteLLMVectorStore"


def test_a_vector_store_is_registered_once_and_then_left_alone() -> None:
    async def scenario() -> None:
        world = World()
        world.secret("aws", key="sk-canary-aws")
        world.entity(
            KIND,
            "docs",
            vectorStoreId="T37J8R4WTM",
            provider="bedrock",
            name="Docs",
            params={"aws_region_name": "eu-central-1"},
            paramSecrets=[{"paramName": "aws_secret_access_key", "secretRef": {"name": "aws", "key": "key"}}],
        )
        first = await world.sync(KIND, "docs")
        row = world.rows("vector_stores")["T37J8R4WTM"]
        assert row["custom_llm_provider"] == "bedrock"
        assert row["litellm_params"] == {"aws_region_name": "eu-central-1", "aws_secret_access_key": "sk-canary-aws"}
        world.forget_calls()
        assert await world.sync(KIND, "docs") == first
        assert world.proxy.admin_calls == []
        assert "canary" not in str(first)

    run(scenario())


def test_words_change_in_place_and_parameters_by_a_new_entry() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "docs", vectorStoreId="vs", provider="openai", description="old")
        await world.sync(KIND, "docs")
        world.forget_calls()
        world.entity(KIND, "docs", vectorStoreId="vs", provider="openai")
        await world.sync(KIND, "docs")
        assert world.proxy.admin_calls == ["POST /vector_store/info", "POST /vector_store/update"]
        assert world.rows("vector_stores")["vs"]["vector_store_description"] is None
        world.forget_calls()
        world.entity(KIND, "docs", vectorStoreId="vs", provider="openai", params={"api_base": "http://x"})
        await world.sync(KIND, "docs")
        assert world.proxy.admin_calls == ["POST /vector_store/info", "POST /vector_store/delete", "POST /vector_store/new"]
        world.entity(KIND, "docs", vectorStoreId="vs", provider="openai")
        await world.sync(KIND, "docs")
        assert world.rows("vector_stores")["vs"]["litellm_params"] == {}

    run(scenario())


def test_a_store_of_another_cluster_is_left_alone() -> None:
    async def scenario() -> None:
        world = World()
        mark: dict[str, Any] = {"palena.ai/owner": {"owner": "south/team/docs", "uid": "", "fields": []}}
        world.rows("vector_stores")["vs"] = {"vector_store_id": "vs", "vector_store_metadata": mark}
        world.entity(KIND, "docs", vectorStoreId="vs", provider="openai")
        await world.sync(KIND, "docs")
        assert world.condition(KIND, "docs") == ("False", "Conflict")
        assert "south/team/docs" in world.message(KIND, "docs")
        assert await world.finalize(KIND, "docs")
        assert "vs" in world.rows("vector_stores")

    run(scenario())


EVERYTHING: dict[str, Any] = {
    "vectorStoreId": "vs",
    "provider": "bedrock",
    "name": "Docs",
    "description": "d",
    "metadata": {"kind": "handbook"},
    "credentialRef": {"name": "aws"},
    "params": {"aws_region_name": "eu-central-1", "key": "spec"},
    "paramSecrets": [{"paramName": "key", "secretRef": {"name": "aws", "key": "key"}}],
    "teamRef": {"name": "eng"},
    "userRef": {"name": "bob"},
}


def world_with_credential() -> World:
    world = World()
    world.secret("aws", key="sk-canary-aws")
    world.entity("LiteLLMCredential", "aws", credentialName="aws-eu", apiKeySecretRef={"name": "aws", "key": "key"})
    world.objects["LiteLLMCredential", "aws"]["status"] = {"credentialName": "aws-eu"}
    return world


def test_every_field_of_the_spec_reaches_litellm_or_is_told() -> None:
    async def scenario() -> None:
        world = world_with_credential()
        spelled = {field.alias or name for name, field in LiteLLMVectorStoreSpec.model_fields.items()}
        assert spelled - {"instanceRef"} == EVERYTHING.keys()
        world.entity(KIND, "docs", None, **EVERYTHING)
        await world.sync(KIND, "docs")
        assert world.condition(KIND, "docs") == ("True", "Synced"), world.message(KIND, "docs")
        assert world.condition(KIND, "docs", "FieldsApplied") == ("False", "FieldsIgnored")
        message = world.message(KIND, "docs", "FieldsApplied")
        assert "spec.teamRef" in message
        assert "spec.userRef" in message
        row = dict(world.rows("vector_stores")["vs"])
        mark = row["vector_store_metadata"].pop("palena.ai/owner")
        assert mark["owner"] == "north/team/docs"
        assert row == {
            "vector_store_id": "vs",
            "custom_llm_provider": "bedrock",
            "vector_store_name": "Docs",
            "vector_store_description": "d",
            "vector_store_metadata": {"kind": "handbook"},
            "litellm_credential_name": "aws-eu",
            "litellm_params": {"aws_region_name": "eu-central-1", "key": "sk-canary-aws"},
            "team_id": None,
            "user_id": "default_user_id",
        }

    run(scenario())


def test_a_credential_that_litellm_does_not_have_yet_is_waited_for() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "docs", vectorStoreId="vs", provider="openai", credentialRef={"name": "aws"})
        await world.sync(KIND, "docs")
        assert world.condition(KIND, "docs") == ("False", "ReferenceNotReady")
        assert "LiteLLMCredential aws" in world.message(KIND, "docs")
        assert world.proxy.admin_calls == []

    run(scenario())


def test_what_others_set_outlives_an_edit_and_an_entry_that_is_made_again() -> None:
    async def scenario() -> None:
        world = world_with_credential()
        world.rows("vector_stores")["vs"] = {
            "vector_store_id": "vs",
            "custom_llm_provider": "openai",
            "vector_store_name": "theirs",
            "vector_store_metadata": {"theirs": "x"},
            "litellm_credential_name": "theirs",
        }
        world.entity(KIND, "docs", vectorStoreId="vs", provider="bedrock", metadata={"a": "b"})
        await world.sync(KIND, "docs")
        assert world.condition(KIND, "docs", "Adopted") == ("True", "ExistedBefore")
        row = world.rows("vector_stores")["vs"]
        assert (row["custom_llm_provider"], row["litellm_credential_name"]) == ("bedrock", "theirs")
        world.entity(KIND, "docs", vectorStoreId="vs", provider="bedrock", credentialRef={"name": "aws"})
        await world.sync(KIND, "docs")
        row = world.rows("vector_stores")["vs"]
        assert (row["vector_store_name"], row["litellm_credential_name"]) == ("theirs", "aws-eu")
        assert row["vector_store_metadata"].keys() == {"theirs", "palena.ai/owner"}
        assert await world.finalize(KIND, "docs")
        assert "vs" in world.rows("vector_stores")

    run(scenario())


def test_a_store_of_ours_goes_with_its_object_and_one_that_is_gone_is_no_trouble() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "docs", vectorStoreId="vs", provider="openai")
        await world.sync(KIND, "docs")
        assert await world.finalize(KIND, "docs")
        assert world.rows("vector_stores") == {}
        world.entity(KIND, "docs", vectorStoreId="vs", provider="openai")
        await world.sync(KIND, "docs")
        world.rows("vector_stores").clear()
        assert await world.finalize(KIND, "docs")

    run(scenario())


def test_an_id_that_is_edited_later_changes_nothing_and_is_told() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "docs", vectorStoreId="vs", provider="openai")
        await world.sync(KIND, "docs")
        world.entity(KIND, "docs", vectorStoreId="other", provider="openai")
        await world.sync(KIND, "docs")
        assert list(world.rows("vector_stores")) == ["vs"]
        assert world.condition(KIND, "docs", "IdentityKept") == ("False", "IdChanged")

    run(scenario())
