"""A simulated cluster with all our controllers, and one proxy behind the address of the instance ``gw``."""

from __future__ import annotations

import base64
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.cli.offline import run_everything
from app.controllers.context import Context
from app.hooks import application
from app.litellm.admin.client import AdminClient
from app.litellm.probe import Prober
from app.registry import CONTROLLERS
from app.resources.generated_secrets import MASTER_KEY
from app.sim.callers import HookClient
from app.sim.clock import VirtualClock
from app.sim.fake_litellm import FakeLiteLLM, FakeNetwork
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


def placed(kind: str, name: str, api: str = API, **content: object) -> Object:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": "ai"}, **content}


@dataclass
class Scene:
    """What is there, and what a user does."""

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
        items = [placed(kind, name, "v1" if kind == "Secret" else API) for kind, name in order]
        await self.simulation.delete(items)
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
async def scene() -> AsyncGenerator[Scene]:
    """Nothing yet but the Secrets that a user has."""
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
            ]
        )
        yield made
        await context.aclose()
