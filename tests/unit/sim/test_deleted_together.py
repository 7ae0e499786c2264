"""An instance and its entities deleted at once, as ``kubectl delete -f folder`` does: in whatever order, LiteLLM is told."""

from __future__ import annotations

import base64
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from app.cli.offline import run_everything
from app.controllers.context import Context
from app.hooks import application
from app.litellm.admin.client import AdminClient
from app.litellm.probe import Prober
from app.registry import CONTROLLERS
from app.resources.generated_secrets import MASTER_KEY
from app.sim.callers import HookClient
from app.sim.clock import VirtualClock
from app.sim.fake_litellm import Behaviour, FakeLiteLLM, FakeNetwork
from app.sim.simulated_reader import SimulatedReader
from app.sim.simulation import Simulation

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from datetime import datetime

    from app.hooks.objects import Object
    from app.sim.kubelet import Kubelet

API = "litellm.palena.ai/v1alpha1"
URL = "http://gw.ai.svc:4000"
INSTANCE = ("LiteLLMInstance", "gw")
ATTACHED: Object = {
    "workload": {"managed": False},
    "masterKey": {"secretRef": {"name": "master-key", "key": "key"}},
    "database": {},
}
MANAGED: Object = {"masterKey": {"autoGenerate": True}, "database": {"managed": {"enabled": True}}}
KEY = {"apiKeySecretRef": {"name": "provider", "key": "key"}}
FLASH = {"model": "openai/flash", "apiBase": "https://llm.example.com", **KEY}
ENTITIES: list[tuple[str, str, Object]] = [
    ("LiteLLMBudget", "free", {"maxBudget": 5}),
    ("LiteLLMCredential", "openai", {"credentialName": "openai", **KEY}),
    ("LiteLLMModel", "flash", {"modelName": "flash", "litellmParams": FLASH}),
    ("LiteLLMVirtualKey", "ci", {"keyAlias": "ci"}),
]


def placed(kind: str, name: str, api: str = API, **content: object) -> Object:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": "ai"}, **content}


@dataclass
class Scene:
    """An instance with entities that are all in LiteLLM."""

    proxy: FakeLiteLLM
    clock: VirtualClock
    left_behind: list[str]
    simulation: Simulation = field(init=False)
    seen: Sequence[Object] = ()

    async def look(self, items: Sequence[Object]) -> None:
        self.seen = items

    async def run_pods(self, kubelet: Kubelet, items: Sequence[Object]) -> None:
        """The proxy is started with the key that was made for it."""
        for item in items:
            if item["kind"] == "Secret" and item["metadata"]["name"] == "gw-master-key":
                self.proxy.master_key = base64.b64decode(item["data"][MASTER_KEY]).decode()
        await run_everything(kubelet, items)

    async def settle(self, seconds: float = 30) -> None:
        await self.simulation.converge(seconds=seconds, look=self.look)

    async def delete(self, order: Sequence[tuple[str, str]]) -> datetime:
        await self.simulation.delete([placed(kind, name) for kind, name in order])
        return self.clock.now()

    def there(self) -> set[tuple[str, str]]:
        return {(item["kind"], item["metadata"]["name"]) for item in self.seen}

    def ours(self) -> set[tuple[str, str]]:
        return {(kind, name) for kind, name in self.there() if kind.startswith("LiteLLM")}

    def rows(self) -> dict[str, list[str]]:
        """What LiteLLM has, without its memory of keys that were deleted."""
        tables = self.proxy.database.tables.items()
        return {table: [*rows] for table, rows in tables if rows and table != "deleted keys"}

    def condition(self, kind: str, name: str, type_: str) -> Object:
        (item,) = (one for one in self.seen if (one["kind"], one["metadata"]["name"]) == (kind, name))
        conditions: list[Object] = item["status"]["conditions"]
        return next((one for one in conditions if one["type"] == type_), dict[str, Any]())

    async def gone(self) -> float:
        """Seconds until nothing of ours is there."""
        start = self.clock.now()
        done = await self.simulation.converge(
            seconds=300, look=self.look, until=lambda items: not any(one["kind"].startswith("LiteLLM") for one in items)
        )
        assert done, self.ours()
        return (self.clock.now() - start).total_seconds()


@asynccontextmanager
async def scene(spec: Object) -> AsyncGenerator[Scene]:
    clock, proxy, left_behind = VirtualClock(), FakeLiteLLM(master_key="sk-master-0123456789"), list[str]()
    made, network = Scene(proxy, clock, left_behind), FakeNetwork({URL: proxy})
    prober = Prober(lambda _: network, lambda: clock.now().timestamp())
    context = Context(
        now=clock.now,
        prober=prober,
        admin=AdminClient(lambda _: network, lambda: clock.now().timestamp(), prober.doubt),
        reader=SimulatedReader(lambda: made.simulation.cluster),
        left_behind=left_behind.append,
    )
    async with HookClient.in_process(application(CONTROLLERS, context)) as call:
        made.simulation = Simulation(call, clock=clock, run_pods=made.run_pods)
        await made.simulation.apply(
            [
                placed("Secret", "master-key", "v1", stringData={"key": "sk-master-0123456789"}),
                placed("Secret", "provider", "v1", stringData={"key": "a provider's"}),
                placed(*INSTANCE, spec=spec),
                *(placed(kind, name, spec={"instanceRef": {"name": "gw"}, **rest}) for kind, name, rest in ENTITIES),
            ]
        )
        await made.settle()
        for kind, name, _ in ENTITIES:
            assert made.condition(kind, name, "Ready")["status"] == "True", made.condition(kind, name, "Ready")
        yield made
        await context.aclose()


NAMES = [(kind, name) for kind, name, _ in ENTITIES]
ORDERS = {
    "the instance first": [INSTANCE, *NAMES],
    "the instance amid": [*NAMES[:2], INSTANCE, *NAMES[2:]],
    "the instance last": [*NAMES, INSTANCE],
}


@pytest.mark.parametrize("spec", [ATTACHED, MANAGED], ids=["attached", "managed"])
@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
async def test_in_any_order_nothing_is_left_in_litellm(spec: Object, order: list[tuple[str, str]]) -> None:
    async with scene(spec) as made:
        assert made.rows()
        await made.delete(order)
        assert await made.gone() < 30
        assert made.rows() == {}
        assert made.left_behind == []


async def test_one_after_the_other_as_kubectl_sends_them_nothing_is_left_either() -> None:
    async with scene(MANAGED) as made:
        for one in ORDERS["the instance first"]:
            await made.delete([one])
            await made.settle(1)
        await made.gone()
        assert made.rows() == {}


@pytest.mark.parametrize("spec", [ATTACHED, MANAGED], ids=["attached", "managed"])
@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
async def test_with_a_dead_proxy_it_ends_in_two_minutes_and_tells_what_is_left(
    spec: Object, order: list[tuple[str, str]]
) -> None:
    async with scene(spec) as made:
        made.proxy.behaviour = Behaviour.DEAD
        await made.delete(order)
        assert 110 < await made.gone() < 135
        assert sorted(made.left_behind) == sorted(kind for kind, _ in NAMES)


async def test_while_it_waits_a_gateway_keeps_everything_that_it_runs_on_and_says_what_for() -> None:
    async with scene(MANAGED) as made:
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
    async with scene(ATTACHED) as made:
        await made.delete([INSTANCE])
        await made.settle(5)
        assert "may be deleted as well" in made.condition(*INSTANCE, "DeletionHeld")["message"]
        await made.settle(10)
        assert made.ours() == set(NAMES)
        assert made.condition("LiteLLMBudget", "free", "Ready")["status"] == "False"
        assert made.rows()


async def test_an_instance_without_entities_goes_at_once() -> None:
    async with scene(ATTACHED) as made:
        await made.delete(NAMES)
        await made.settle()
        await made.delete([INSTANCE])
        assert await made.gone() == 0
