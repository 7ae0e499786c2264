"""What people reported of models: tiny prices, removed parameters, a 500 that stored, and a proxy that stores nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from app.sim.fake_litellm import Fault
from app.status.resync import TICK
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object

KIND = "LiteLLMModel"
READ = "GET /v2/model/info"
NEW = "POST /model/new"


def pool(world: World, name: str, secret: str, info: Object, **params: Any) -> None:
    """One of several models of the name ``pool``."""
    wanted = {"apiKeySecretRef": {"name": secret, "key": "KEY"}, **params}
    world.entity(KIND, name, modelName="pool", litellmParams=wanted, modelInfo=info)


def of_key(world: World, **params: Any) -> None:
    """The model ``m`` with the key of ``oai``."""
    world.entity(KIND, "m", modelName="gpt", litellmParams={"model": "openai/gpt-4o", "apiKeySecretRef": OAI, **params})


OAI = {"name": "oai", "key": "K"}


def row_of(world: World, name: str) -> Object:
    return world.rows("models")[world.objects[KIND, name]["status"]["litellmModelId"]]


def test_a_pool_with_tiny_prices() -> None:
    async def scenario() -> None:
        world = World()
        world.secret("prov-a", KEY="a-key-0123")
        world.secret("prov-b", KEY="b-key-0123")
        prices = {"inputCostPerToken": 2.2e-07, "cacheReadInputTokenCost": 7.0e-09, "outputCostPerToken": 6.6e-07}
        pool(world, "pool-1", "prov-a", {"mode": "chat", **prices}, model="openai/flash", apiBase="https://a/v1", order=1)
        pool(world, "pool-2", "prov-b", {"inputCostPerToken": 3.0e-06}, model="openai/k3", apiBase="https://b/v1", order=2)
        for name in ("pool-1", "pool-2"):
            await world.sync(KIND, name)
            assert world.condition(KIND, name) == ("True", "Synced")
        first, second = row_of(world, "pool-1"), row_of(world, "pool-2")
        assert first["model_name"] == second["model_name"] == "pool"
        assert first["model_info"]["id"] != second["model_info"]["id"]
        assert first["litellm_params"]["cache_read_input_token_cost"] == 7e-09
        assert isinstance(first["litellm_params"]["cache_read_input_token_cost"], float)
        assert (first["litellm_params"]["order"], second["litellm_params"]["order"]) == (1, 2)
        world.forget_calls()
        for name in ("pool-1", "pool-2"):
            await world.sync(KIND, name)
        assert world.proxy.admin_calls == []
        assert await world.finalize(KIND, "pool-2")
        assert list(world.rows("models")) == [first["model_info"]["id"]]

    run(scenario())


def test_removing_one_parameter() -> None:
    async def scenario() -> None:
        world = World()
        world.secret("oai", K="sk-oai-0123")
        of_key(world, dropParams=True, temperature=0.2)
        await world.sync(KIND, "m")
        name = world.objects[KIND, "m"]["status"]["litellmModelId"]
        # The replacement dies between the deletion and the creation.
        world.proxy.faults.append(Fault(NEW, status=0))
        of_key(world)
        await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("False", "ProxyUnavailable")
        assert world.rows("models") == {}
        await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("True", "Synced")
        assert list(world.rows("models")) == [name]
        assert row_of(world, "m")["model_name"] == "gpt"
        assert row_of(world, "m")["litellm_params"] == {"model": "openai/gpt-4o", "api_key": "sk-oai-0123"}

    run(scenario())


def test_a_deletion_that_another_replica_did_before_is_no_obstacle_to_removing_a_parameter() -> None:
    async def scenario() -> None:
        world = World()
        world.secret("oai", K="sk-oai-0123")
        of_key(world, temperature=0.2)
        await world.sync(KIND, "m")
        world.proxy.faults.append(Fault("POST /model/delete", status=400, text="Model with id=m not found in db", after=True))
        of_key(world)
        await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("True", "Synced"), world.message(KIND, "m")
        assert "temperature" not in row_of(world, "m")["litellm_params"]

    run(scenario())


def test_saved_although_it_said_500() -> None:
    async def scenario() -> None:
        world = World()
        world.secret("oai", K="sk-oai-0123")
        world.proxy.faults += [
            Fault(NEW, status=500, after=True),
            Fault(READ, status=404, text="Model id = m not found on litellm proxy", skip=1, times=2),
        ]
        of_key(world)
        told: list[Object] = []
        for _ in range(3):
            told.append(await world.sync(KIND, "m"))
            await asyncio.sleep(world.comes_back_in)
        reasons = [next(one["reason"] for one in status["conditions"] if one["type"] == "Synced") for status in told]
        assert reasons == ["AwaitingStorage", "AwaitingStorage", "Synced"]
        assert [status["synced"] for status in told] == [False, False, True]
        assert {status["litellmModelId"] for status in told} == {*world.rows("models")}
        assert len(world.rows("models")) == 1
        assert world.proxy.admin_calls.count(NEW) == 1
        assert "awaitedSince" not in told[-1]

    run(scenario())


def test_a_model_whose_creation_was_not_answered_is_found_again_under_the_id_that_was_told_at_once() -> None:
    async def scenario() -> None:
        world = World()
        world.secret("oai", K="sk-oai-0123")
        world.proxy.faults.append(Fault(NEW, status=0, after=True))
        of_key(world)
        first = await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("False", "ProxyUnavailable")
        second = await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("True", "Synced")
        assert [first["litellmModelId"], second["litellmModelId"]] == [*world.rows("models")] * 2
        assert world.proxy.admin_calls.count(NEW) == 1

    run(scenario())


def test_a_500_that_stored_nothing_is_repeated_after_a_minute_and_told_if_it_stays() -> None:
    async def scenario() -> None:
        world = World()
        world.secret("oai", K="sk-oai-0123")
        world.proxy.faults.append(Fault(NEW, status=500, text="cannot encrypt", times=3))
        of_key(world)
        for _ in range(20):
            await world.sync(KIND, "m")
            if world.condition(KIND, "m") == ("False", "SyncFailed"):
                break
            assert world.condition(KIND, "m") == ("False", "AwaitingStorage")
            await asyncio.sleep(world.comes_back_in)
        assert "cannot encrypt" in world.message(KIND, "m")
        assert world.proxy.admin_calls.count(NEW) == 2
        for _ in range(2):
            await asyncio.sleep(world.comes_back_in)
            await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("True", "Synced")
        assert world.proxy.admin_calls.count(NEW) == 4

    run(scenario())


def test_the_proxy_that_does_not_store_models() -> None:
    async def scenario() -> None:
        world = World()
        world.secret("oai", K="sk-oai-0123")
        world.entity(KIND, "other", modelName="other", litellmParams={"model": "ollama/llama"})
        await world.sync(KIND, "other")
        before = world.objects[KIND, "other"]["status"]
        world.proxy.database.loses_models = True
        of_key(world)
        ids: set[str] = set()
        for _ in range(20):
            ids.add((await world.sync(KIND, "m"))["litellmModelId"])
            if world.condition(KIND, "m") == ("False", "NotStored"):
                break
            assert world.condition(KIND, "m") == ("False", "AwaitingStorage")
            await asyncio.sleep(world.comes_back_in)
        assert 60 <= asyncio.get_running_loop().time() <= 70
        assert "store_model_in_db" in world.message(KIND, "m")
        assert world.condition(KIND, "m", "Synced") == ("False", "NotStored")
        assert world.comes_back_in == TICK
        assert world.proxy.admin_calls.count(NEW) == 3
        assert len(ids) == 1
        assert await world.sync(KIND, "other") == before

        # Asked again slowly, and found once the proxy stores models.
        await asyncio.sleep(600)
        status = await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("False", "NotStored")
        assert world.proxy.admin_calls.count(NEW) == 4
        world.proxy.database.loses_models = False
        await asyncio.sleep(600)
        status = await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("True", "Synced")
        assert "awaitedSince" not in status

    run(scenario())


def test_a_spec_that_was_refused_and_mended_is_looked_for_as_a_new_one() -> None:
    async def scenario() -> None:
        world = World()
        world.secret("oai", K="sk-oai-0123")
        world.proxy.faults += [Fault(NEW, status=422, text="no such provider"), Fault(READ, status=404, text="gone", skip=2)]
        of_key(world)
        await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("False", "SyncFailed")
        assert "awaitedSince" not in world.objects[KIND, "m"]["status"]
        await asyncio.sleep(600)
        of_key(world, rpm=1)
        await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("False", "AwaitingStorage")
        await asyncio.sleep(5)
        await world.sync(KIND, "m")
        assert world.condition(KIND, "m") == ("True", "Synced")

    run(scenario())
