"""Gateways that come up in a cluster in memory: what Metacontroller asks of the hook from the first sync to rest.

The hooks are the real ones in this process, pods run and Jobs succeed.
"""

from __future__ import annotations

import base64
from contextlib import AsyncExitStack
from itertools import count
from typing import TYPE_CHECKING, Any

import orjson

from app.cli.offline import ImaginedProxies, run_everything
from app.controllers.context import Context
from app.hooks import application
from app.litellm.probe import Prober
from app.registry import ADD_ONS, CONTROLLERS
from app.resources.references import references
from app.sim.callers import HookClient
from app.sim.clock import VirtualClock
from app.sim.simulation import Simulation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.hooks.objects import Object
    from app.sim.loop import Exchange

_SYNC = "/hooks/litellminstances/sync"
_SECONDS = 300.0
"""Of the cluster's time: long enough for a few syncs at rest."""

_CONTENT = {
    "handler.py": "def handle(user): ...\n",
    "uri": "postgresql://litellm:secret@gateway-db-rw:5432/app",
}
"""Values that are not just any text, by key."""


async def life_of(gateway: Object, *, complete: bool = True) -> list[tuple[Object, Object]]:
    """Request and answer of each sync until the gateway is at rest; the last ones are those of every later sync.

    ``complete`` says whether everything is there that the spec refers to: then it is ready, else it waits. Keys and passwords
    that are made up are the same in every life.
    """
    syncs: list[tuple[Object, Object]] = []

    def note(exchange: Exchange) -> None:
        assert exchange.reply is not None
        assert exchange.reply.code == 200, exchange.reply.body
        if exchange.url.partition("?")[0].endswith(_SYNC):
            # As it went over the wire: the simulated cluster goes on changing its objects.
            syncs.append((orjson.loads(orjson.dumps(exchange.request)), orjson.loads(exchange.reply.body)))

    async with AsyncExitStack() as stack:
        clock = VirtualClock()
        context = _context(clock)
        stack.push_async_callback(context.aclose)
        call = await stack.enter_async_context(HookClient.in_process(application(CONTROLLERS, context)))
        simulation = Simulation(call, clock=clock, on_exchange=note, run_pods=run_everything)
        await simulation.apply([*(_referred_to(gateway) if complete else ()), gateway])
        await simulation.converge(seconds=_SECONDS, look=_look)
    status = syncs[-1][1]["status"]
    assert status["ready"] is complete, status
    assert syncs[-1][1] == syncs[-2][1], "the gateway is not at rest"
    return syncs


def _context(clock: VirtualClock) -> Context:
    drops = count(1)
    return Context(
        now=clock.now,
        prober=Prober(lambda _: ImaginedProxies(), lambda: clock.now().timestamp()),
        entropy=lambda size: next(drops).to_bytes(size),
        optional_apis=frozenset(add_on.optional_api for add_on in ADD_ONS),
    )


async def _look(_: Sequence[Object]) -> None:
    """Nobody watches."""


def _referred_to(gateway: Object) -> Iterator[Object]:
    """Every Secret and ConfigMap that the spec names, with a value under each key that it names."""
    wanted: dict[tuple[str, str], dict[str, str]] = {}
    for one in references(gateway["spec"], "spec"):
        key = one.key or "value"
        wanted.setdefault((one.kind, one.name), {})[key] = _CONTENT.get(key, f"{one.name} {key}")
        if one.kind == "ConfigMap":
            wanted[one.kind, one.name]["handler.py"] = _CONTENT["handler.py"]
    for (kind, name), values in wanted.items():
        metadata: Any = {"name": name, "namespace": gateway["metadata"]["namespace"]}
        item: Object = {"apiVersion": "v1", "kind": kind, "metadata": metadata}
        if kind == "Secret":
            data = {key: base64.b64encode(value.encode()).decode() for key, value in values.items()}
            yield {**item, "type": "Opaque", "data": data}
        else:
            yield {**item, "data": values}
