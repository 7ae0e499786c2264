"""``objectPermission``: names of our own objects stand for the ids that LiteLLM knows them by."""

from __future__ import annotations

from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

KIND = "LiteLLMCustomer"
PERMISSION = {"mcpServers": ["tools", "literal"], "vectorStores": ["docs"], "accessGroups": ["g"], "agents": ["a"]}


def test_names_become_ids_and_what_is_no_name_of_ours_is_passed_on() -> None:
    async def scenario() -> None:
        world = World()
        world.entity("LiteLLMMCPServer", "tools", url="https://tools.example.com/mcp")
        world.entity("LiteLLMVectorStore", "docs", vectorStoreId="vs-1", provider="openai")
        server = (await world.sync("LiteLLMMCPServer", "tools"))["litellmServerId"]
        await world.sync("LiteLLMVectorStore", "docs")
        world.entity(KIND, "acme", customerId="c-1", objectPermission=PERMISSION)
        await world.sync(KIND, "acme")
        permission = world.rows("customers")["c-1"]["object_permission"]
        assert (permission["mcp_servers"], permission["vector_stores"]) == ([server, "literal"], ["vs-1"])
        assert (permission["mcp_access_groups"], permission["agents"]) == (["g"], ["a"])

    run(scenario())


def test_an_object_that_litellm_does_not_have_yet_is_waited_for() -> None:
    async def scenario() -> None:
        world = World()
        world.entity("LiteLLMMCPServer", "tools", url="https://tools.example.com/mcp")
        world.entity(KIND, "acme", customerId="c-1", objectPermission=PERMISSION)
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme") == ("False", "ReferenceNotReady")
        assert "LiteLLMMCPServer tools (spec.objectPermission.mcpServers)" in world.message(KIND, "acme")
        assert world.proxy.admin_calls == []
        await world.sync("LiteLLMMCPServer", "tools")
        await world.sync(KIND, "acme")
        assert world.condition(KIND, "acme") == ("True", "Synced")

    run(scenario())
