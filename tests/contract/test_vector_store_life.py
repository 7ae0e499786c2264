"""A LiteLLMVectorStore's life at the real proxy. The store itself is at a provider that nobody has to call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.litellm.entities.ownership import MARK
from tests.contract.entities import RealWorld, world_at
from tests.contract.peer.releases import RELEASES

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.contract.peer.proxy import Proxy

# What is said of health makes no difference to vector stores.
pytestmark = pytest.mark.proxies(*(f"{release.name}-default" for release in RELEASES))

KIND = "LiteLLMVectorStore"


async def becomes(world: RealWorld, **spec: Any) -> Object:
    """The store is as its spec says, and rests; what LiteLLM shows of it."""
    world.entity(KIND, "docs", None, **{"vectorStoreId": world.unique("vs/1"), "provider": "openai", **spec})
    status = await world.sync(KIND, "docs")
    assert world.condition(KIND, "docs") == ("True", "Synced"), world.message(KIND, "docs")
    assert await world.sync(KIND, "docs") == status
    return await shown(world)


async def shown(world: RealWorld) -> Object:
    _, answer = await world.ask("POST", "/vector_store/info", {"vector_store_id": world.unique("vs/1")})
    return answer.get("vector_store", {})


async def test_a_store_is_made_changed_cleared_and_deleted(proxy: Proxy) -> None:
    world = world_at(proxy)
    world.secret("provider", key="provider-key-1", other="provider-key-2")
    secret = {"paramName": "api_key", "secretRef": {"name": "provider", "key": "key"}}
    row = await becomes(
        world,
        name="Docs",
        description="d",
        metadata={"kind": "handbook", "n": 1},
        params={"api_base": "http://127.0.0.1:9", "team": "x"},
        paramSecrets=[secret],
        teamRef={"name": "eng"},
    )
    assert row["vector_store_metadata"][MARK]["owner"] == f"{world.cluster_id}/team/docs"
    assert (row["vector_store_name"], row["vector_store_metadata"]["n"]) == ("Docs", 1)
    assert (row["litellm_params"]["api_base"], row["team_id"]) == ("http://127.0.0.1:9", None)
    assert world.condition(KIND, "docs", "FieldsApplied") == ("False", "FieldsIgnored")
    assert ("provider-key-1" in str(row)) == (proxy.release.name == "oldest"), "1.81 shows admins what it keeps"

    row = await becomes(world, provider="bedrock", metadata={"kind": "guide"}, params={"aws_region_name": "eu-central-1"})
    assert (row["custom_llm_provider"], row["vector_store_name"]) == ("bedrock", None)
    assert (row["vector_store_metadata"]["kind"], row["vector_store_metadata"].get("n")) == ("guide", None)
    assert "api_base" not in {name for name, value in row["litellm_params"].items() if value}

    made = row["created_at"]
    row = await becomes(world, provider="bedrock", params={"aws_region_name": "us-east-1"})
    assert (row["litellm_params"]["aws_region_name"], row["created_at"] != made) == ("us-east-1", True)
    await becomes(world, provider="bedrock")
    row = await becomes(world, provider="openai", description="e")
    assert (row["custom_llm_provider"], row["vector_store_description"]) == ("openai", "e")
    assert await world.finalize(KIND, "docs")
    assert await shown(world) == {}


async def test_a_store_that_was_there_before_keeps_what_the_spec_does_not_say(proxy: Proxy) -> None:
    world = world_at(proxy)
    theirs = {
        "vector_store_id": world.unique("vs/1"),
        "custom_llm_provider": "openai",
        "vector_store_name": "theirs",
        "vector_store_metadata": {"theirs": "x"},
        "litellm_params": {"api_base": "http://127.0.0.1:9"},
    }
    assert (await world.ask("POST", "/vector_store/new", theirs))[0] == 200
    row = await becomes(world, description="d")
    assert world.condition(KIND, "docs", "Adopted") == ("True", "ExistedBefore")
    assert (row["vector_store_name"], row["vector_store_metadata"]["theirs"]) == ("theirs", "x")
    assert row["litellm_params"]["api_base"] == "http://127.0.0.1:9"
    assert await world.finalize(KIND, "docs")
    assert (await shown(world))["vector_store_description"] == "d"
