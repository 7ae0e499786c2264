"""LiteLLMMCPServer: a server that is always written in full."""

from __future__ import annotations

import pytest

from app.sim.fake_litellm import FakeLiteLLM
from tests.unit.entities.world import KEY, World
from tests.unit.litellm.virtual_time import run

KIND = "LiteLLMMCPServer"
URL = "https://tools.example.com/mcp"


def test_a_server_is_registered_once_and_then_left_alone() -> None:
    async def scenario() -> None:
        world = World()
        world.secret("tools", token="sk-canary-token", tenant="t-1")
        world.entity(
            KIND,
            "web-tools",
            url=URL,
            authType="bearer_token",
            credentials={"authValueSecretRef": {"name": "tools", "key": "token"}},
            staticHeaders={"x-tenant": "none", "x-a": "b"},
            staticHeaderSecrets=[{"headerName": "x-tenant", "secretRef": {"name": "tools", "key": "tenant"}}],
            allowedTools=["search"],
        )
        first = await world.sync(KIND, "web-tools")
        (row,) = world.rows("mcp_servers").values()
        assert (row["server_name"], row["transport"], row["url"]) == ("web_tools", "http", URL)
        assert row["credentials"] == {"auth_value": "sk-canary-token"}
        assert row["static_headers"] == {"x-tenant": "t-1", "x-a": "b"}
        world.forget_calls()
        assert await world.sync(KIND, "web-tools") == first
        assert world.proxy.admin_calls == []
        assert "canary" not in str(first)

    run(scenario())


@pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])
def test_what_leaves_the_spec_leaves_litellm_on_every_release(version: str) -> None:
    async def scenario() -> None:
        world = World(proxy=FakeLiteLLM(version=version, master_key=KEY))
        world.entity(KIND, "tools", url=URL, description="d", allowedTools=["a"], accessGroups=["g"], allowAllKeys=True)
        await world.sync(KIND, "tools")
        world.entity(KIND, "tools", url=URL, description="d", allowAllKeys=True)
        await world.sync(KIND, "tools")
        (row,) = world.rows("mcp_servers").values()
        assert (row["allowed_tools"], row["mcp_access_groups"], row["description"]) == ([], [], "d")
        assert row["allow_all_keys"] is True
        world.entity(KIND, "tools", url=URL)
        await world.sync(KIND, "tools")
        (row,) = world.rows("mcp_servers").values()
        assert not row.get("description")
        assert not row.get("allow_all_keys")
        assert row["mcp_info"]["palena.ai/owner"]["owner"] == "north/team/tools"

    run(scenario())


def test_a_flag_that_the_spec_never_named_keeps_what_somebody_set() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "tools", url=URL)
        await world.sync(KIND, "tools")
        (row,) = world.rows("mcp_servers").values()
        row["allow_all_keys"] = True
        world.entity(KIND, "tools", url=URL, description="new")
        await world.sync(KIND, "tools")
        assert row["allow_all_keys"] is True

    run(scenario())


def test_a_name_that_another_server_has_is_told_and_retried_slowly() -> None:
    async def scenario() -> None:
        world = World()
        world.rows("mcp_servers")["x"] = {"server_id": "x", "server_name": "tools"}
        world.entity(KIND, "tools", url=URL)
        await world.sync(KIND, "tools")
        assert world.condition(KIND, "tools") == ("False", "NameTaken")
        assert world.answers[-1]["resyncAfterSeconds"] >= 600
        assert list(world.rows("mcp_servers")) == ["x"]

    run(scenario())


def test_a_server_of_ours_goes_with_its_object_and_one_that_is_gone_is_no_trouble() -> None:
    async def scenario() -> None:
        world = World()
        world.entity(KIND, "tools", url=URL)
        await world.sync(KIND, "tools")
        assert await world.finalize(KIND, "tools")
        assert world.rows("mcp_servers") == {}
        world.entity(KIND, "tools", url=URL)
        await world.sync(KIND, "tools")
        world.rows("mcp_servers").clear()
        assert await world.finalize(KIND, "tools")

    run(scenario())
