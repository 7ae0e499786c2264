"""A LiteLLMModel's life at the real proxy: what the spec says is what the router serves, at once and on every release."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from app.litellm.entities.ownership import MARK
from tests.contract.entities import RealWorld, world_at
from tests.contract.peer.provider import COMPLETION_TOKENS, PROMPT_TOKENS
from tests.contract.peer.releases import RELEASES

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.contract.peer.provider import Provider
    from tests.contract.peer.proxy import Proxy

# What is said of health makes no difference to models, and every chat is waited for.
pytestmark = pytest.mark.proxies(*(f"{release.name}-default" for release in RELEASES))

KIND = "LiteLLMModel"
CREDENTIAL = "LiteLLMCredential"
COOLDOWN = 30
"""Seconds for the router to try a deployment again that has failed."""
PROMPT_PRICE, COMPLETION_PRICE, CACHE_PRICE = 2.2e-07, 6.6e-07, 7.0e-09


async def becomes(world: RealWorld, params: Object, **spec: Any) -> None:
    """The model ``m`` is as its spec says, and rests."""
    world.entity(KIND, "m", None, **{"modelName": world.unique("m"), "litellmParams": params, **spec})
    await world.sync(KIND, "m")
    assert world.condition(KIND, "m") == ("True", "Synced"), world.message(KIND, "m")
    before = world.objects[KIND, "m"]["status"]
    assert await world.sync(KIND, "m") == before


async def row(world: RealWorld, name: str = "") -> Object:
    """What LiteLLM shows of it, or of the model of an id."""
    name = name or world.objects[KIND, "m"]["status"]["litellmModelId"]
    (found,) = (await world.ask("GET", f"/v2/model/info?modelId={name}"))[1]["data"]
    return found


async def chat(world: RealWorld, name: str) -> httpx2.Response:
    """One request to the models of that name."""
    async with httpx2.AsyncClient(base_url=world.endpoint, timeout=30) as client:
        body = {"model": name, "messages": [{"role": "user", "content": "hello"}]}
        return await client.post("/chat/completions", json=body, headers={"Authorization": f"Bearer {world.master_key}"})


def at(provider: Provider, **params: Any) -> Object:
    """Parameters of a model at the provider, whose key is in a Secret."""
    key = {"name": "provider", "key": "key"}
    return {"model": "openai/any", "apiBase": provider.api_base, "apiKeySecretRef": key, "maxRetries": 0, **params}


async def test_a_model_serves_what_its_spec_says_from_the_first_edit_to_the_last(proxy: Proxy, provider: Provider) -> None:
    world = world_at(proxy)
    world.secret("provider", key=provider.key)
    prices = {"inputCostPerToken": PROMPT_PRICE, "outputCostPerToken": COMPLETION_PRICE, "cacheReadInputTokenCost": CACHE_PRICE}
    wanted = at(provider, temperature=0.25, dropParams=True, extraHeaders={"x-team": "one"})
    await becomes(
        world, wanted, tags=["a"], modelInfo={"mode": "chat", "baseModel": "azure/gpt-4o", "accessGroups": ["g"], **prices}
    )
    first = await row(world)
    assert first["model_info"]["cache_read_input_token_cost"] == CACHE_PRICE
    assert (first["litellm_params"]["tags"], first["model_info"]["access_groups"]) == (["a"], ["g"])
    answer = await chat(world, world.unique("m"))
    assert answer.status_code == 200, answer.text
    paid = float(answer.headers["x-litellm-response-cost"])
    assert paid == pytest.approx(PROMPT_TOKENS * PROMPT_PRICE + COMPLETION_TOKENS * COMPLETION_PRICE, rel=1e-6)
    assert provider.asked[-1].body["temperature"] == 0.25
    assert provider.asked[-1].headers["x-team"] == "one"

    # A PATCH: name, value and mark, seen by the router at once.
    renamed = world.unique("renamed")
    await becomes(world, at(provider, temperature=0.5, dropParams=True, extraHeaders={"x-team": "two"}), modelName=renamed)
    assert (await chat(world, renamed)).status_code == 200
    assert (provider.asked[-1].body["temperature"], provider.asked[-1].headers["x-team"]) == (0.5, "two")
    assert (await chat(world, world.unique("m"))).status_code in {400, 404}

    # Parameters that go away: a new model under the same id.
    name = first["model_info"]["id"]
    await becomes(world, at(provider), modelName=renamed)
    last = await row(world)
    assert last["model_info"]["id"] == name
    assert last["model_info"][MARK]["owner"] == f"{world.cluster_id}/team/m"
    assert not {"temperature", "drop_params", "extra_headers"} & {key for key, value in last["litellm_params"].items() if value}
    assert (await chat(world, renamed)).status_code == 200
    assert "temperature" not in provider.asked[-1].body

    # Another key of the provider.
    world.secret("provider", key="sk-wrong-0123")
    await world.sync(KIND, "m")
    assert (await chat(world, renamed)).status_code == 401
    world.secret("provider", key=provider.key)
    await world.sync(KIND, "m")
    for _ in range(COOLDOWN):
        if (answer := await chat(world, renamed)).status_code == 200:
            break
        await asyncio.sleep(1)
    assert answer.status_code == 200, answer.text

    assert await world.finalize(KIND, "m")
    assert (await world.ask("GET", f"/v2/model/info?modelId={name}"))[1]["data"] == []


async def test_a_model_by_credential_works_before_its_credential_does_and_goes_back(proxy: Proxy, provider: Provider) -> None:
    world = world_at(proxy)
    world.secret("provider", key=provider.key)
    world.entity(
        CREDENTIAL,
        "shared",
        credentialName=world.unique("shared"),
        apiKeySecretRef={"name": "provider", "key": "key"},
        apiBase=provider.api_base,
    )
    by_credential = {"model": "openai/any", "credentialRef": {"name": "shared"}, "maxRetries": 0}
    for params in (by_credential, at(provider), by_credential):
        await becomes(world, params)
        answer = await chat(world, world.unique("m"))
        assert answer.status_code == 200, answer.text
    name = world.objects[KIND, "m"]["status"]["litellmModelId"]

    # Another credential, of which LiteLLM has not heard.
    world.entity(
        CREDENTIAL,
        "shared",
        credentialName=world.unique("other"),
        apiKeySecretRef={"name": "provider", "key": "key"},
        apiBase=provider.api_base,
    )
    await becomes(world, by_credential)
    assert (await row(world))["litellm_params"]["litellm_credential_name"] == world.unique("other")
    assert world.objects[KIND, "m"]["status"]["litellmModelId"] == name
    assert (await chat(world, world.unique("m"))).status_code == 200
    assert await world.finalize(KIND, "m")


async def test_a_model_that_is_not_ours_is_left_alone_until_the_user_takes_it_over(proxy: Proxy, provider: Provider) -> None:
    world = world_at(proxy)
    world.secret("provider", key=provider.key)
    await becomes(world, at(provider))
    name = world.objects[KIND, "m"]["status"]["litellmModelId"]
    del world.objects[KIND, "m"]["status"]
    await world.ask("POST", "/model/delete", {"id": name})
    theirs = {"model_name": "theirs", "litellm_params": {"model": "openai/theirs"}, "model_info": {"id": name}}
    assert (await world.ask("POST", "/model/new", theirs))[0] == 200
    await world.sync(KIND, "m")
    assert world.condition(KIND, "m") == ("False", "Conflict"), world.message(KIND, "m")
    assert (await row(world, name))["model_name"] == "theirs"

    world.entity(KIND, "m", {"litellm.palena.ai/adopt": "true"}, modelName=world.unique("m"), litellmParams=at(provider))
    await world.sync(KIND, "m")
    assert world.condition(KIND, "m", "Adopted") == ("True", "ExistedBefore")
    assert (await row(world, name))["model_name"] == world.unique("m")
    assert await world.finalize(KIND, "m")
    assert (await world.ask("POST", "/model/delete", {"id": name}))[0] == 200
