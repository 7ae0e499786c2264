"""A LiteLLMCredential's life at the real proxy, which shows changes of one at once or, before 1.108, within half a minute."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from app.litellm.entities.ownership import MARK
from tests.contract.entities import RealWorld, world_at
from tests.contract.peer.releases import RELEASES

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.contract.peer.proxy import Proxy

# What is said of health makes no difference to credentials.
pytestmark = pytest.mark.proxies(*(f"{release.name}-default" for release in RELEASES))

KIND = "LiteLLMCredential"
KEY = {"name": "provider", "key": "key"}
PATIENCE = 45
"""Seconds for 1.81 to read its database again."""


async def becomes(world: RealWorld, **spec: Any) -> None:
    """The credential ``c`` is as its spec says, and rests."""
    world.entity(KIND, "c", None, **{"credentialName": world.unique("a b/c"), "apiKeySecretRef": KEY, **spec})
    await world.sync(KIND, "c")
    assert world.condition(KIND, "c") == ("True", "Synced"), world.message(KIND, "c")
    before = world.objects[KIND, "c"]["status"]
    assert await world.sync(KIND, "c") == before
    assert before["configured"] is True


async def listed(world: RealWorld) -> Object:
    """What LiteLLM shows of the credential; empty if it is not there."""
    _, answer = await world.ask("GET", "/credentials")
    rows: list[Object] = answer["credentials"]
    nothing: Object = {}
    return next((one for one in rows if one["credential_name"] == world.unique("a b/c")), nothing)


async def shown(world: RealWorld, **values: Any) -> Object:
    """What LiteLLM shows of the credential once it has these values."""
    row: Object = {}
    for _ in range(PATIENCE):
        row = await listed(world)
        if row.get("credential_values") == values:
            break
        await asyncio.sleep(1)
    assert row.get("credential_values") == values
    return row


async def test_a_credential_is_made_changed_cleared_and_deleted(proxy: Proxy) -> None:
    world = world_at(proxy)
    world.secret("provider", key="sk-provider-1")
    await becomes(world, apiBase="https://eu", params={"organization": "o", "nested": {"a": [1]}, "zero": 0})
    row = await shown(world, api_key="sk****-1", api_base="https://eu", organization="o", nested={"a": [1]}, zero=0)
    assert row["credential_info"][MARK]["owner"] == f"{world.cluster_id}/team/c"

    # An edit and, before 1.81 shows it, a removal of what the edit added.
    await becomes(world, apiBase="https://eu", apiVersion="v1", params={"organization": "p"})
    await becomes(world, apiBase="https://us")
    await shown(world, api_key="sk****-1", api_base="https://us")

    world.secret("provider", key="sk-provider-2")
    await world.sync(KIND, "c")
    row = await shown(world, api_key="sk****-2", api_base="https://us")
    assert row["credential_info"][MARK]["fields"] == ["api_base", "api_key"]

    assert await world.finalize(KIND, "c")
    assert await listed(world) == {}


async def test_a_credential_that_was_there_before_is_kept_in_step_and_stays(proxy: Proxy) -> None:
    world = world_at(proxy)
    world.secret("provider", key="sk-provider-1")
    name = world.unique("a b/c")
    theirs = {"credential_name": name, "credential_info": {"theirs": "x"}, "credential_values": {"organization": "o"}}
    assert (await world.ask("POST", "/credentials", theirs))[0] == 200
    await becomes(world)
    assert world.condition(KIND, "c", "Adopted") == ("True", "ExistedBefore")
    row = await shown(world, api_key="sk****-1", organization="o")
    assert row["credential_info"]["theirs"] == "x"
    assert await world.finalize(KIND, "c")
    await shown(world, api_key="sk****-1", organization="o")


async def test_a_credential_of_the_go_operator_goes_with_its_resource(proxy: Proxy) -> None:
    world = world_at(proxy)
    world.secret("provider", key="sk-provider-1")
    name = world.unique("a b/c")
    made = {
        "credential_name": name,
        "credential_info": {"managed_by": "litellm-operator"},
        "credential_values": {"api_key": "sk-old-01"},
    }
    assert (await world.ask("POST", "/credentials", made))[0] == 200
    world.entity(KIND, "c", None, credentialName=name, apiKeySecretRef=KEY)
    world.objects[KIND, "c"]["status"] = {"configured": True}
    await world.sync(KIND, "c")
    assert world.condition(KIND, "c") == ("True", "Synced"), world.message(KIND, "c")
    assert world.condition(KIND, "c", "Adopted") == ("", "")
    await shown(world, api_key="sk****-1")
    assert await world.finalize(KIND, "c")
    assert await listed(world) == {}
