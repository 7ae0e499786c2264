"""LiteLLMMCPServer: a server that is always written in full."""

from __future__ import annotations

from typing import Any

import pytest

from app.apis.litellm.mcp_server import LiteLLMMCPServerSpec
from app.sim.fake_litellm import FakeLiteLLM
from app.status.resync import TICK
from tests.unit.entities.world import KEY, World
from tests.unit.litellm.virtual_time import run

KIND = "LiteLLMMCPServer"
URL = "https://tools.example.com/mcp"


EVERYTHING: dict[str, Any] = {
    "serverName": "web",
    "alias": "w",
    "description": "d",
    "url": URL,
    "transport": "sse",
    "specPath": "https://tools.example.com/openapi.json",
    "authType": "oauth2",
    "credentials": {
        "clientIdSecretRef": {"name": "tools", "key": "id"},
        "clientSecretSecretRef": {"name": "tools", "key": "secret"},
        "scopes": ["read"],
    },
    "oauth2": {
        "flow": "client_credentials",
        "authorizationURL": "https://a.example.com",
        "tokenURL": "https://t.example.com",
        "registrationURL": "https://r.example.com",
    },
    "extraHeaders": ["x-trace"],
    "staticHeaders": {"x-a": "b"},
    "staticHeaderSecrets": [{"headerName": "x-key", "prefix": "Key ", "secretRef": {"name": "tools", "key": "id"}}],
    "allowedTools": ["search"],
    "toolNameToDisplayName": {"search": "Search"},
    "toolNameToDescription": {"search": "Finds"},
    "accessGroups": ["research"],
    "instructions": "i",
    "allowAllKeys": True,
    "availableOnPublicInternet": False,
    "mcpInfo": {"logo_url": "https://l.example.com"},
}


def test_every_field_of_the_spec_reaches_litellm() -> None:
    async def scenario() -> None:
        world = World()
        world.secret("tools", id="the-id", secret="the-secret")
        spelled = {field.alias or name for name, field in LiteLLMMCPServerSpec.model_fields.items()}
        assert spelled - {"instanceRef"} == EVERYTHING.keys()
        world.entity(KIND, "tools", None, **EVERYTHING)
        status = await world.sync(KIND, "tools")
        assert world.condition(KIND, "tools") == ("True", "Synced"), world.message(KIND, "tools")
        (row,) = world.rows("mcp_servers").values()
        mark = row["mcp_info"].pop("palena.ai/owner")
        assert mark["owner"] == "north/team/tools"
        assert row == {
            "server_id": status["litellmServerId"],
            "server_name": "web",
            "alias": "w",
            "description": "d",
            "url": URL,
            "transport": "sse",
            "spec_path": "https://tools.example.com/openapi.json",
            "auth_type": "oauth2",
            "credentials": {"client_id": "the-id", "client_secret": "the-secret", "scopes": ["read"]},
            "oauth2_flow": "client_credentials",
            "authorization_url": "https://a.example.com",
            "token_url": "https://t.example.com",
            "registration_url": "https://r.example.com",
            "extra_headers": ["x-trace"],
            "static_headers": {"x-a": "b", "x-key": "Key the-id"},
            "allowed_tools": ["search"],
            "tool_name_to_display_name": {"search": "Search"},
            "tool_name_to_description": {"search": "Finds"},
            "mcp_access_groups": ["research"],
            "instructions": "i",
            "allow_all_keys": True,
            "available_on_public_internet": False,
            "mcp_info": {"logo_url": "https://l.example.com"},
        }

    run(scenario())


@pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])
def test_a_credential_that_leaves_the_spec_leaves_litellm_and_a_new_value_gets_there(version: str) -> None:
    async def scenario() -> None:
        world = World(proxy=FakeLiteLLM(version=version, master_key=KEY))
        world.secret("tools", id="the-id", secret="the-secret")
        credentials = EVERYTHING["credentials"]
        world.entity(KIND, "tools", url=URL, authType="oauth2", credentials=credentials)
        await world.sync(KIND, "tools")
        world.secret("tools", id="the-id", secret="another")
        await world.sync(KIND, "tools")
        (row,) = world.rows("mcp_servers").values()
        assert row["credentials"] == {"client_id": "the-id", "client_secret": "another", "scopes": ["read"]}
        less = {"clientIdSecretRef": credentials["clientIdSecretRef"]}
        world.entity(KIND, "tools", url=URL, authType="oauth2", credentials=less)
        await world.sync(KIND, "tools")
        (row,) = world.rows("mcp_servers").values()
        assert row["credentials"] == {"client_id": "the-id"}
        world.forget_calls()
        world.entity(KIND, "tools", url=URL, authType="oauth2", credentials=less, description="d")
        await world.sync(KIND, "tools")
        assert world.proxy.admin_calls == ["GET /v1/mcp/server", "PUT /v1/mcp/server"]

    run(scenario())


@pytest.mark.parametrize(("version", "ignored"), [("1.81.14", ("False", "FieldsIgnored")), ("1.110.2", ("", ""))])
def test_what_the_release_does_not_know_is_told(version: str, ignored: tuple[str, str]) -> None:
    async def scenario() -> None:
        world = World(proxy=FakeLiteLLM(version=version, master_key=KEY))
        world.entity(KIND, "tools", url=URL, instructions="i", toolNameToDisplayName={"a": "A"})
        await world.sync(KIND, "tools")
        assert world.condition(KIND, "tools") == ("True", "Synced")
        assert world.condition(KIND, "tools", "FieldsApplied") == ignored
        if ignored[1]:
            assert "instructions" in world.message(KIND, "tools", "FieldsApplied")

    run(scenario())


@pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])
def test_what_others_set_outlives_an_edit_and_a_server_that_is_made_again(version: str) -> None:
    async def scenario() -> None:
        world = World(proxy=FakeLiteLLM(version=version, master_key=KEY))
        theirs = {"alias": "t", "allow_all_keys": True, "mcp_access_groups": ["g"], "static_headers": {"x": "y"}}
        world.entity(KIND, "tools", url=URL, description="d")
        await world.sync(KIND, "tools")
        (row,) = world.rows("mcp_servers").values()
        row |= theirs
        row["mcp_info"]["logo_url"] = "https://l.example.com"
        for spec in ({"description": "e"}, {}):
            world.entity(KIND, "tools", None, url=URL, **spec)
            await world.sync(KIND, "tools")
            (row,) = world.rows("mcp_servers").values()
            assert {name: row[name] for name in theirs} == theirs
            assert row.get("description") == spec.get("description")
            assert row["mcp_info"].keys() == {"logo_url", "palena.ai/owner"}

    run(scenario())


def test_a_server_of_somebody_else_is_left_alone_until_the_user_says_so() -> None:
    async def scenario() -> None:
        world = World()
        item = world.entity(KIND, "tools", url=URL)
        await world.sync(KIND, "tools")
        (row,) = world.rows("mcp_servers").values()
        del row["mcp_info"]["palena.ai/owner"]
        item["status"] = {}
        await world.sync(KIND, "tools")
        assert world.condition(KIND, "tools") == ("False", "Conflict")
        world.entity(KIND, "tools", {"litellm.palena.ai/adopt": "true"}, url=URL, description="ours")
        await world.sync(KIND, "tools")
        assert world.condition(KIND, "tools", "Adopted") == ("True", "ExistedBefore")
        assert await world.finalize(KIND, "tools")
        (row,) = world.rows("mcp_servers").values()
        assert row["description"] == "ours"

    run(scenario())


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
        assert world.comes_back_in == TICK
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
