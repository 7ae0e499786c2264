"""A LiteLLMVirtualKey's life at the real proxy: its value opens a model, and stays one key through everything."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from app.litellm.entities.virtual_key import token_of
from tests.contract.entities import RealWorld, world_at
from tests.contract.peer.provider import COMPLETION_TOKENS, PROMPT_TOKENS
from tests.contract.peer.releases import RELEASES

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.contract.peer.provider import Provider
    from tests.contract.peer.proxy import Proxy

# What is said of health makes no difference to keys, and every chat is waited for.
pytestmark = pytest.mark.proxies(*(f"{release.name}-default" for release in RELEASES))

KIND = "LiteLLMVirtualKey"
SECRET = "app-key"
PRICE = 0.001
"""US dollars a token."""
COST = PRICE * (PROMPT_TOKENS + COMPLETION_TOKENS)
"""Of one chat."""


@dataclass
class Life:
    """One key in its own world."""

    world: RealWorld
    alias: str

    def value(self) -> str:
        return base64.b64decode(self.world.objects["Secret", SECRET]["data"]["api_key"]).decode()

    async def becomes(self, **spec: Any) -> None:
        """An edit, and the syncs until it is in LiteLLM."""
        self.world.entity(KIND, "app", None, **{"keyAlias": self.alias, **spec})
        await self.settles()

    async def settles(self) -> None:
        for _ in range(2):
            await self.world.sync(KIND, "app")
        assert self.world.condition(KIND, "app") == ("True", "Synced"), self.world.message(KIND, "app")
        before = self.world.objects[KIND, "app"]["status"]
        assert await self.world.sync(KIND, "app") == before

    async def row(self) -> Object:
        """What LiteLLM has under the value in the Secret, which no other key shares the alias with."""
        _, listed = await self.world.ask("GET", f"/key/list?key_alias={self.alias}")
        assert listed["keys"] == [token_of(self.value())]
        status, answer = await self.world.ask("GET", f"/key/info?key={token_of(self.value())}")
        assert status == 200
        return answer["info"]

    async def chat(self, value: str = "") -> str:
        """What is answered to a chat with the key: the status, and words."""
        async with httpx2.AsyncClient(base_url=self.world.endpoint, timeout=20) as client:
            answer = await client.post(
                "/v1/chat/completions",
                json={"model": self.model, "messages": [{"role": "user", "content": "hello"}]},
                headers={"Authorization": f"Bearer {value or self.value()}"},
            )
        return f"{answer.status_code} {answer.text}"

    async def chats(self, words: str, value: str = "") -> None:
        """A chat comes to be answered with that within the time that replicas may take to hear of a change."""
        found = ""
        for _ in range(30):
            if words in (found := await self.chat(value)):
                return
            await asyncio.sleep(1)
        raise AssertionError(f"a chat is answered with {found} and not with {words}")

    async def spent(self, least: float) -> float:
        """The spend of the key, once it is so much."""
        spend = 0.0
        for _ in range(30):
            if (spend := (await self.row())["spend"]) >= least * 0.999:
                return spend
            await asyncio.sleep(1)
        raise AssertionError(f"{spend} was spent and not {least}")

    @property
    def model(self) -> str:
        return self.world.unique("gpt")

    async def offer(self, provider: Provider) -> None:
        """A model with a price that the key may use."""
        status, answer = await self.world.ask(
            "POST",
            "/model/new",
            {
                "model_name": self.model,
                "litellm_params": {
                    "model": "openai/gpt-test",
                    "api_base": provider.api_base,
                    "api_key": provider.key,
                    "input_cost_per_token": PRICE,
                    "output_cost_per_token": PRICE,
                },
            },
        )
        assert status == 200, answer


def life_at(proxy: Proxy) -> Life:
    world = world_at(proxy)
    return Life(world, world.unique("app"))


async def test_a_key_is_used_blocked_and_exhausted_and_its_spend_survives_every_change(proxy: Proxy, provider: Provider) -> None:
    life = life_at(proxy)
    await life.offer(provider)
    await life.becomes(models=[life.model])
    await life.chats("200 ")
    spend = await life.spent(COST)
    await life.becomes(models=[life.model], blocked=True, tpmLimit=100_000)
    await life.chats("401 ")
    assert life.world.objects[KIND, "app"]["status"]["isActive"] is False
    assert (await life.row())["spend"] == spend
    await life.becomes(models=[life.model], maxBudget="100")
    await life.chats("200 ")
    spend = await life.spent(spend + COST)
    first = life.value()
    life.world.remove("Secret", SECRET)
    await life.settles()
    assert life.value() != first
    assert (await life.row())["spend"] == spend
    assert not (await life.row())["blocked"]
    await life.chats("200 ")
    await life.chats("401 ", first)
    await life.spent(spend + COST)
    await life.becomes(models=[life.model], maxBudget=f"{spend / 2:.6f}")
    await life.chats("udget has been exceeded")
    assert await life.world.finalize(KIND, "app")
    assert (await life.world.ask("GET", f"/key/list?key_alias={life.alias}"))[1]["keys"] == []


async def test_every_field_is_changed_and_cleared(proxy: Proxy) -> None:
    life = life_at(proxy)
    full: Object = {
        "maxBudget": "0.1",
        "budgetDuration": "30d",
        "expiresAt": "2099-01-01T00:00:00Z",
        "tpmLimit": 0,
        "rpmLimit": 2,
        "softBudget": 0.05,
        "modelRpmLimit": {"gpt": 3},
        "modelTpmLimit": {"gpt": 4},
        "metadata": {"owner": "me"},
        "objectPermission": {"accessGroups": ["g"], "vectorStores": ["v"], "agents": ["a"]},
        "maxParallelRequests": 5,
    }
    await life.becomes(**full)
    row = await life.row()
    assert {name: row[name] for name in ("max_budget", "budget_duration", "tpm_limit", "rpm_limit", "max_parallel_requests")} == {
        "max_budget": 0.1,
        "budget_duration": "30d",
        "tpm_limit": 0,
        "rpm_limit": 2,
        "max_parallel_requests": 5,
    }
    assert row["expires"].startswith(("2099-01-01T00:00:0", "2098-12-31T23:59:5"))
    assert row["litellm_budget_table"]["soft_budget"] == 0.05
    assert row["metadata"].items() >= {"owner": "me", "model_rpm_limit": {"gpt": 3}, "model_tpm_limit": {"gpt": 4}}.items()
    permission = row["object_permission"]
    granted = {"mcp_access_groups": ["g"], "vector_stores": ["v"], "agents": ["a"]}
    assert {name: permission[name] for name in granted} == granted

    await life.becomes(**{**full, "softBudget": 0.07, "expiresAt": "2098-01-01T00:00:00Z"})
    changed = await life.row()
    assert changed["litellm_budget_table"]["soft_budget"] == 0.07
    assert changed["expires"].startswith(("2098-01-01T00:00:0", "2097-12-31T23:59:5"))

    life.alias = life.world.unique("other")
    await life.becomes()
    row = await life.row()
    oldest = proxy.release.name == "oldest"
    assert row["budget_duration"] == ("30d" if oldest else None)
    assert (life.world.condition(KIND, "app", "FieldsCleared") == ("False", "CannotClear")) is oldest
    cleared = ("max_budget", "tpm_limit", "rpm_limit", "max_parallel_requests", "expires", "team_id", "user_id")
    assert {name: row[name] for name in cleared} == dict.fromkeys(cleared)
    assert row["metadata"].keys() == {"palena.ai/owner"}
    assert row["litellm_budget_table"]["soft_budget"] is None
    assert not any(row["object_permission"][name] for name in granted)
    assert await life.world.finalize(KIND, "app")


async def test_a_soft_budget_that_comes_later_is_set_or_told(proxy: Proxy) -> None:
    life = life_at(proxy)
    await life.becomes()
    await life.becomes(softBudget=3)
    row = await life.row()
    told = life.world.condition(KIND, "app", "FieldsApplied") == ("False", "FieldsIgnored")
    assert told is (proxy.release.name == "oldest")
    assert told or row["litellm_budget_table"]["soft_budget"] == 3
    assert await life.world.finalize(KIND, "app")


async def test_an_expiry_in_the_past_ends_the_key(proxy: Proxy, provider: Provider) -> None:
    life = life_at(proxy)
    await life.offer(provider)
    await life.becomes(models=[life.model])
    await life.chats("200 ")
    life.world.entity(KIND, "app", keyAlias=life.alias, models=[life.model], expiresAt="2020-01-01T00:00:00Z")
    await life.world.sync(KIND, "app")
    assert life.world.condition(KIND, "app") == ("False", "Expired"), life.world.message(KIND, "app")
    await life.chats("Expired Key")
    await life.becomes(models=[life.model])
    await life.chats("200 ")
    assert await life.world.finalize(KIND, "app")


async def test_a_team_moves_its_key_and_takes_it_along(proxy: Proxy) -> None:
    life = life_at(proxy)
    team, user = life.world.unique("t"), life.world.unique("u")
    assert (await life.world.ask("POST", "/team/new", {"team_id": team}))[0] == 200
    assert (await life.world.ask("POST", "/user/new", {"user_id": user, "auto_create_key": False}))[0] == 200
    await life.becomes()
    life.world.entity("LiteLLMTeam", "eng", teamAlias="eng")["status"] = {"litellmTeamId": team}
    life.world.entity("LiteLLMUser", "bob", userId=user)["status"] = {"litellmUserId": user}
    await life.becomes(teamRef={"name": "eng"}, userRef={"name": "bob"})
    row = await life.row()
    assert (row["team_id"], row["user_id"]) == (team, user)
    assert (await life.world.ask("POST", "/user/delete", {"user_ids": [user]}))[0] == 200
    before = life.value()
    await life.becomes(teamRef={"name": "eng"})
    assert life.value() == before
    assert ((await life.row())["team_id"], (await life.row())["user_id"]) == (team, None)
    assert await life.world.finalize(KIND, "app")


async def test_an_alias_that_is_taken_waits_under_its_own_name(proxy: Proxy) -> None:
    life = life_at(proxy)
    assert (await life.world.ask("POST", "/key/generate", {"key_alias": life.alias}))[0] == 200
    life.world.entity(KIND, "app", keyAlias=life.alias, softBudget=3)
    await life.world.sync(KIND, "app")
    await life.world.sync(KIND, "app")
    assert life.world.condition(KIND, "app") == ("False", "NameTaken"), life.world.message(KIND, "app")
    assert (await life.world.ask("POST", "/key/delete", {"key_aliases": [life.alias]}))[0] == 200
    await life.settles()
    assert (await life.row())["litellm_budget_table"]["soft_budget"] == 3
    assert await life.world.finalize(KIND, "app")


async def test_without_a_licence_the_rest_of_the_key_is_made(proxy: Proxy) -> None:
    life = life_at(proxy)
    life.world.entity(KIND, "app", keyAlias=life.alias, guardrails=["mask"], modelMaxBudget={"gpt": "1"}, tpmLimit=3)
    await life.world.sync(KIND, "app")
    await life.world.sync(KIND, "app")
    assert life.world.condition(KIND, "app") == ("False", "EnterpriseLicenseRequired"), life.world.message(KIND, "app")
    assert (await life.row())["tpm_limit"] == 3
    assert await life.world.finalize(KIND, "app")
