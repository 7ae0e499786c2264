"""``objectPermission`` at the real proxy: names of our own objects open what these describe, and LiteLLM itself goes by ids."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from tests.contract.entities import RealWorld, world_at
from tests.contract.peer.releases import RELEASES

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.contract.peer.proxy import Proxy

# What is said of health makes no difference to permissions.
pytestmark = pytest.mark.proxies(*(f"{release.name}-default" for release in RELEASES))

KEY = "LiteLLMVirtualKey"
URL = "http://127.0.0.1:9/mcp"
DENIED = 401
PATIENCE = 45
"""Seconds."""


async def world_with_objects(proxy: Proxy) -> RealWorld:
    """An MCP server and a vector store that may be used, and one of each that may not."""
    world = world_at(proxy)
    for name in ("tools", "others"):
        groups = {"accessGroups": [world.unique("group")]} if name == "tools" else {}
        world.entity("LiteLLMMCPServer", name, None, serverName=f"{name}{world.cluster_id}", url=URL, **groups)
        await world.sync("LiteLLMMCPServer", name)
        assert world.condition("LiteLLMMCPServer", name) == ("True", "Synced")
    for name in ("docs", "secrets"):
        params = {"api_base": "http://127.0.0.1:9", "api_key": "nobody-asks"}
        store = world.unique(name)
        world.entity("LiteLLMVectorStore", name, None, vectorStoreId=store, provider="openai", name=f"{name}x", params=params)
        await world.sync("LiteLLMVectorStore", name)
        assert world.condition("LiteLLMVectorStore", name) == ("True", "Synced")
    return world


async def key_with(world: RealWorld, permission: Any) -> str:
    """The value of a LiteLLMVirtualKey with that permission."""
    world.entity(KEY, "app", None, keyAlias=world.unique("app"), objectPermission=permission)
    for _ in range(2):
        await world.sync(KEY, "app")
    assert world.condition(KEY, "app") == ("True", "Synced"), world.message(KEY, "app")
    return base64.b64decode(world.objects["Secret", "app-key"]["data"]["api_key"]).decode()


async def made_by_hand(world: RealWorld, permission: Any) -> str:
    """The value of a key with that permission as LiteLLM is told it."""
    status, answer = await world.ask("POST", "/key/generate", {"object_permission": permission})
    assert status == 200
    return answer["key"]


async def servers(world: RealWorld, key: str) -> set[str]:
    """The names of the world's MCP servers that the key may use."""
    _, rows = await _asked(world, key, "GET", "/v1/mcp/server")
    listed = {row["server_id"] for row in rows}
    return {name for name in ("tools", "others") if server_id(world, name) in listed}


async def searched(world: RealWorld, key: str, store: str) -> int:
    """The status of a search, which comes to no provider."""
    return (await _asked(world, key, "POST", f"/v1/vector_stores/{world.unique(store)}/search", {"query": "q"}))[0]


async def is_denied(world: RealWorld, key: str, store: str) -> bool:
    """Whether a search comes to be denied. Before 1.110 permissions count once the registry of stores is loaded."""
    for _ in range(PATIENCE):
        if await searched(world, key, store) == DENIED:
            return True
        await asyncio.sleep(1)
    return False


async def _asked(world: RealWorld, key: str, verb: str, target: str, body: Any = None) -> tuple[int, Any]:
    async with httpx2.AsyncClient(base_url=world.endpoint, timeout=20) as client:
        answer = await client.request(verb, target, json=body, headers={"Authorization": f"Bearer {key}"})
    return answer.status_code, answer.json()


def server_id(world: RealWorld, name: str) -> str:
    return world.objects["LiteLLMMCPServer", name]["status"]["litellmServerId"]


async def test_names_of_our_objects_open_these_and_no_others(proxy: Proxy) -> None:
    world = await world_with_objects(proxy)
    key = await key_with(world, {"mcpServers": ["tools"], "vectorStores": ["docs"]})
    assert await servers(world, key) == {"tools"}
    assert await is_denied(world, key, "secrets")
    assert await searched(world, key, "docs") != DENIED


async def test_ids_that_are_no_names_of_ours_are_passed_on(proxy: Proxy) -> None:
    world = await world_with_objects(proxy)
    key = await key_with(world, {"mcpServers": [server_id(world, "others")], "vectorStores": [world.unique("secrets")]})
    assert await servers(world, key) == {"others"}
    assert await is_denied(world, key, "docs")


async def test_groups_open_servers_by_name(proxy: Proxy) -> None:
    world = await world_with_objects(proxy)
    key = await key_with(world, {"accessGroups": [world.unique("group")]})
    assert await servers(world, key) == {"tools"}


async def test_without_a_list_no_server_and_every_store_is_open(proxy: Proxy) -> None:
    world = await world_with_objects(proxy)
    key = await key_with(world, None)
    assert await servers(world, key) == set()
    assert await searched(world, key, "secrets") != DENIED


async def test_litellm_goes_by_ids(proxy: Proxy) -> None:
    """Names of MCP servers are known to newer releases alone, those of vector stores and agents to none."""
    world = await world_with_objects(proxy)
    by_name = await made_by_hand(world, {"mcp_servers": [f"tools{world.cluster_id}"], "vector_stores": ["docsx"]})
    assert await servers(world, by_name) == (set[str]() if proxy.release.name == "oldest" else {"tools"})
    assert await is_denied(world, by_name, "docs")


async def test_agents_are_known_by_their_ids(proxy: Proxy) -> None:
    world = world_at(proxy)
    name = world.unique("agent")
    card: Object = {
        "name": name,
        "description": "d",
        "url": "http://127.0.0.1:9",
        "version": "1",
        "protocolVersion": "1.0",
        "capabilities": {},
        "defaultInputModes": ["text"],
        "defaultOutputModes": ["text"],
        "skills": [],
    }
    status, agent = await world.ask("POST", "/v1/agents", {"agent_name": name, "agent_card_params": card, "litellm_params": {}})
    assert status == 200
    for listed, seen in ((agent["agent_id"], {agent["agent_id"]}), (name, set[str]())):
        key = await made_by_hand(world, {"agents": [listed]})
        _, agents = await _asked(world, key, "GET", "/v1/agents")
        assert {one["agent_id"] for one in agents} == seen
    _, agents = await _asked(world, await made_by_hand(world, {}), "GET", "/v1/agents")
    assert (agent["agent_id"] in {one["agent_id"] for one in agents}) == (proxy.release.name == "oldest")
    key = await key_with(world, {"agents": [agent["agent_id"]]})
    _, agents = await _asked(world, key, "GET", "/v1/agents")
    assert {one["agent_id"] for one in agents} == {agent["agent_id"]}
    assert (await world.ask("DELETE", f"/v1/agents/{agent['agent_id']}"))[0] == 200
