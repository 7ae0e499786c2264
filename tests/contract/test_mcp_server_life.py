"""A LiteLLMMCPServer's life at the real proxy. Nothing listens where the servers are: nobody has to call them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.litellm.entities.ownership import MARK
from tests.contract.entities import RealWorld, world_at
from tests.contract.peer.releases import RELEASES

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.contract.peer.proxy import Proxy

# What is said of health makes no difference to MCP servers.
pytestmark = pytest.mark.proxies(*(f"{release.name}-default" for release in RELEASES))

KIND = "LiteLLMMCPServer"
URL = "http://127.0.0.1:9/mcp"
FLAGS = ("allow_all_keys", "available_on_public_internet")


async def becomes(world: RealWorld, **spec: Any) -> Object:
    """The server is as its spec says, and rests; what LiteLLM shows of it."""
    world.entity(KIND, "tools", None, **{"serverName": f"s{world.cluster_id}", "url": URL, **spec})
    status = await world.sync(KIND, "tools")
    assert world.condition(KIND, "tools") == ("True", "Synced"), world.message(KIND, "tools")
    assert await world.sync(KIND, "tools") == status
    return await shown(world)


async def shown(world: RealWorld) -> Object:
    _, rows = await world.ask("GET", "/v1/mcp/server")
    nothing: Object = {}
    return next((row for row in rows if row["server_name"] == f"s{world.cluster_id}"), nothing)


async def test_a_server_is_made_changed_cleared_and_deleted(proxy: Proxy) -> None:
    oldest = proxy.release.name == "oldest"
    world = world_at(proxy)
    world.secret("tools", id="the-id", secret="the-secret", token="the-token")
    oauth: Object = {
        "clientIdSecretRef": {"name": "tools", "key": "id"},
        "clientSecretSecretRef": {"name": "tools", "key": "secret"},
        "scopes": ["read"],
    }
    row = await becomes(
        world,
        alias=f"a{world.cluster_id}",
        description="d",
        transport="sse",
        authType="oauth2",
        credentials=oauth,
        oauth2={"flow": "client_credentials", "authorizationURL": "http://127.0.0.1:9/a", "tokenURL": "http://127.0.0.1:9/t"},
        extraHeaders=["x-trace"],
        staticHeaders={"x-a": "b"},
        allowedTools=["search"],
        toolNameToDisplayName={"search": "Search"},
        accessGroups=["research"],
        instructions="i",
        allowAllKeys=True,
        availableOnPublicInternet=True,
        mcpInfo={"logo_url": "http://127.0.0.1:9/logo"},
    )
    assert row["mcp_info"][MARK]["owner"] == f"{world.cluster_id}/team/tools"
    assert (row["alias"], row["description"], row["transport"]) == (f"a{world.cluster_id}", "d", "sse")
    assert (row["auth_type"], row["token_url"], row["allowed_tools"]) == ("oauth2", "http://127.0.0.1:9/t", ["search"])
    assert (row["static_headers"], row["mcp_access_groups"]) == ({"x-a": "b"}, ["research"])
    assert [row[name] for name in FLAGS] == [True, True]
    assert row.get("instructions") == (None if oldest else "i")
    assert world.condition(KIND, "tools", "FieldsApplied") == (("False", "FieldsIgnored") if oldest else ("", ""))

    # Scopes, which newer releases keep when they are left out.
    row = await becomes(world, description="d", authType="oauth2", credentials={name: oauth[name] for name in list(oauth)[:2]})
    assert row["credentials"] in (None, {})
    assert [row[name] for name in FLAGS] == [False, not oldest]

    token = {"authValueSecretRef": {"name": "tools", "key": "token"}}
    row = await becomes(world, authType="bearer_token", credentials=token, allowedTools=["search"])
    assert (row["auth_type"], row["description"], row["allowed_tools"]) == ("bearer_token", None, ["search"])
    row = await becomes(world)
    assert (row["auth_type"], row["allowed_tools"], row["alias"]) == (None, [], f"s{world.cluster_id}")
    assert await world.finalize(KIND, "tools")
    assert await shown(world) == {}


async def test_a_server_that_was_there_before_keeps_what_the_spec_does_not_say(proxy: Proxy) -> None:
    world = world_at(proxy)
    row = await becomes(world)
    theirs: Object = {
        "server_id": row["server_id"],
        "server_name": row["server_name"],
        "alias": f"t{world.cluster_id}",
        "transport": "http",
        "url": URL,
        "allow_all_keys": True,
        "mcp_access_groups": ["theirs"],
        "mcp_info": {"logo_url": "http://127.0.0.1:9/logo"},
    }
    assert (await world.ask("PUT", "/v1/mcp/server", theirs))[0] == 202
    del world.objects[KIND, "tools"]["status"]
    world.entity(KIND, "tools", serverName=row["server_name"], url=URL, description="d")
    await world.sync(KIND, "tools")
    assert world.condition(KIND, "tools") == ("False", "Conflict")
    world.objects[KIND, "tools"]["metadata"]["annotations"] = {"litellm.palena.ai/adopt": "true"}
    row = await becomes(world, description="d")
    assert world.condition(KIND, "tools", "Adopted") == ("True", "ExistedBefore")
    assert (row["description"], row["alias"], row["allow_all_keys"]) == ("d", theirs["alias"], True)
    assert (row["mcp_access_groups"], row["mcp_info"]["logo_url"]) == (["theirs"], theirs["mcp_info"]["logo_url"])
    assert await world.finalize(KIND, "tools")
    assert (await shown(world))["server_id"] == row["server_id"]
    assert (await world.ask("DELETE", f"/v1/mcp/server/{row['server_id']}"))[0] == 202
