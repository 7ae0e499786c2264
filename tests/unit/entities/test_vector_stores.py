"""LiteLLMVectorStore: where a provider's store is, under the provider's own id."""

from __future__ import annotations

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
        mark = {"palena.ai/owner": {"owner": "south/team/docs", "uid": "", "fields": []}}
        world.rows("vector_stores")["vs"] = {"vector_store_id": "vs", "vector_store_metadata": mark}
        world.entity(KIND, "docs", vectorStoreId="vs", provider="openai")
        await world.sync(KIND, "docs")
        assert world.condition(KIND, "docs") == ("False", "Conflict")
        assert "south/team/docs" in world.message(KIND, "docs")
        assert await world.finalize(KIND, "docs")
        assert "vs" in world.rows("vector_stores")

    run(scenario())


def test_a_team_that_litellm_does_not_have_yet_is_waited_for() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "docs", vectorStoreId="vs", provider="openai", teamRef={"name": "eng"})
        await world.sync(KIND, "docs")
        assert world.condition(KIND, "docs") == ("False", "ReferenceNotReady")
        assert "LiteLLMTeam eng" in world.message(KIND, "docs")
        assert world.proxy.admin_calls == []

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
