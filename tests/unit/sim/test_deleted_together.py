"""An instance and its entities deleted at once, as ``kubectl delete -f folder`` does: in whatever order, LiteLLM is told."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from app.sim.fake_litellm import Behaviour
from tests.unit.sim.scene import ATTACHED, INSTANCE, MANAGED, Scene, placed, scene

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.hooks.objects import Object

KEY = {"apiKeySecretRef": {"name": "provider", "key": "key"}}
FLASH = {"model": "openai/flash", "apiBase": "https://llm.example.com", **KEY}
ENTITIES: list[tuple[str, str, Object]] = [
    ("LiteLLMBudget", "free", {"maxBudget": 5}),
    ("LiteLLMCredential", "openai", {"credentialName": "openai", **KEY}),
    ("LiteLLMModel", "flash", {"modelName": "flash", "litellmParams": FLASH}),
    ("LiteLLMVirtualKey", "ci", {"keyAlias": "ci"}),
]


@asynccontextmanager
async def in_litellm(spec: Object) -> AsyncGenerator[Scene]:
    """An instance with entities that are all in LiteLLM."""
    async with scene() as made:
        items = [placed(kind, name, spec={"instanceRef": {"name": "gw"}, **rest}) for kind, name, rest in ENTITIES]
        await made.simulation.apply([placed(*INSTANCE, spec=spec), *items])
        await made.settle()
        for kind, name in NAMES:
            assert made.condition(kind, name, "Ready")["status"] == "True", made.condition(kind, name, "Ready")
        yield made


NAMES = [(kind, name) for kind, name, _ in ENTITIES]
ORDERS = {
    "the instance first": [INSTANCE, *NAMES],
    "the instance amid": [*NAMES[:2], INSTANCE, *NAMES[2:]],
    "the instance last": [*NAMES, INSTANCE],
}


@pytest.mark.parametrize("spec", [ATTACHED, MANAGED], ids=["attached", "managed"])
@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
async def test_in_any_order_nothing_is_left_in_litellm(spec: Object, order: list[tuple[str, str]]) -> None:
    async with in_litellm(spec) as made:
        assert made.rows()
        await made.delete(order)
        assert await made.gone() < 30
        assert made.rows() == {}
        assert made.left_behind == []


async def test_one_after_the_other_as_kubectl_sends_them_nothing_is_left_either() -> None:
    async with in_litellm(MANAGED) as made:
        for one in ORDERS["the instance first"]:
            await made.delete([one])
            await made.settle(1)
        await made.gone()
        assert made.rows() == {}


async def test_a_master_key_that_is_deleted_first_is_still_known_to_whoever_has_used_it() -> None:
    """Files begin with their Secrets, and a Secret is gone at once."""
    async with in_litellm(ATTACHED) as made:
        for one in (("Secret", "master-key"), ("Secret", "provider"), *ORDERS["the instance first"]):
            await made.delete([one])
            await made.settle(1)
        assert await made.gone() < 30
        assert made.rows() == {}
        assert made.left_behind == []


@pytest.mark.parametrize("spec", [ATTACHED, MANAGED], ids=["attached", "managed"])
@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
async def test_with_a_dead_proxy_it_ends_in_two_minutes_and_tells_what_is_left(
    spec: Object, order: list[tuple[str, str]]
) -> None:
    async with in_litellm(spec) as made:
        made.proxy.behaviour = Behaviour.DEAD
        await made.delete(order)
        assert 110 < await made.gone() < 135
        assert sorted(made.left_behind) == sorted(kind for kind, _ in NAMES)


async def test_while_it_waits_a_gateway_keeps_everything_that_it_runs_on_and_says_what_for() -> None:
    async with in_litellm(MANAGED) as made:
        before = made.there()
        made.proxy.behaviour = Behaviour.DEAD
        await made.delete([INSTANCE, *NAMES])
        await made.settle(60)
        assert made.there() == before
        held = made.condition(*INSTANCE, "DeletionHeld")
        assert held["message"].startswith("LiteLLMBudget objects that name it are deleted in LiteLLM first; it goes at 2030-")
        made.proxy.behaviour = Behaviour.NORMAL
        assert await made.gone() < 30
        assert made.rows() == {}
        await made.settle(1)
        assert made.there() == {("Secret", "master-key"), ("Secret", "provider")}


async def test_entities_that_are_not_deleted_hold_it_for_some_seconds_only() -> None:
    async with in_litellm(ATTACHED) as made:
        await made.delete([INSTANCE])
        await made.settle(5)
        assert "may be deleted as well" in made.condition(*INSTANCE, "DeletionHeld")["message"]
        await made.settle(10)
        assert made.ours() == set(NAMES)
        assert made.condition("LiteLLMBudget", "free", "Ready")["status"] == "False"
        assert made.rows()


async def test_an_instance_without_entities_goes_at_once() -> None:
    async with in_litellm(ATTACHED) as made:
        await made.delete(NAMES)
        await made.settle()
        await made.delete([INSTANCE])
        assert await made.gone() == 0
