"""Whatever call fails and whenever the process dies, resyncs alone lead where the undisturbed way leads: to the same rows.

Each kind's example is made, edited and deleted once for every call that this takes, with that call failing before or after
its effect, or with the process ending there, so that neither status nor children of that sync come to be. What only a key can
go through is in ``test_virtual_key_faults.py``.
"""

from __future__ import annotations

import asyncio
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from app.controllers.entities.finalizing import AGAIN, GRACE
from app.sim.fake_litellm import FakeLiteLLM, Fault
from tests.unit.entities.examples import EXAMPLES, KINDS, in_step, put, settled
from tests.unit.entities.world import KEY, World
from tests.unit.litellm.virtual_time import now, run

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from app.hooks.objects import Object

RELEASES = ("1.81.14", "1.110.2")
NO_PLACE_FOR_A_MARK = {"LiteLLMBudget", "LiteLLMCustomer"}
"""Kinds that only the status knows for ours: what nobody could write down there counts as somebody else's."""

PATIENCE = 150
"""Virtual seconds within which an object is in step after one fault: one that LiteLLM may have is looked for a minute."""


@dataclass(frozen=True)
class Disturbance:
    """What goes wrong at a call."""

    status: int = 0
    """The answer; 0 for a connection that breaks."""
    after: bool = False
    """Whether the call has its effect all the same."""
    dies: bool = False
    """Whether the process ends there: later calls are not made, and nobody gets the hook's answer."""

    def at(self, call: int) -> list[Fault]:
        """It, at the call of that number."""
        first = Fault(status=self.status, skip=call, after=self.after)
        return [first, Fault(status=0, skip=call, times=99)] if self.dies else [first]

    def __str__(self) -> str:
        what = "death" if self.dies else f"answer {self.status}" if self.status else "no answer"
        return f"{what} {'after' if self.after else 'before'} the effect"


DISTURBANCES = [
    Disturbance(status=status, after=after, dies=dies)
    for after in (False, True)
    for status, dies in ((0, False), (500, False), (0, True))
]


class Scene:
    """A world that can be put back to how it was."""

    def __init__(self, world: World, kind: str) -> None:
        self.world, self.kind, self.name = world, kind, EXAMPLES[kind].name
        self._objects = deepcopy(world.objects)
        self._tables = deepcopy(world.proxy.database.tables)

    async def put_back(self) -> None:
        """Everything as it was, so much later that a proxy which did not answer is asked again."""
        self.world.objects, self.world.proxy.database.tables = deepcopy(self._objects), deepcopy(self._tables)
        await asyncio.sleep(GRACE)

    async def disturbed(self, hook: str, disturbance: Disturbance, call: int) -> bool:
        """One hook, disturbed at that call; whether it came that far."""
        world = self.world
        world.forget_calls()
        world.proxy.faults = disturbance.at(call)
        if hook == "finalize":
            marked = world.now().strftime("%Y-%m-%dT%H:%M:%SZ")
            world.objects[self.kind, self.name]["metadata"]["deletionTimestamp"] = marked
        if disturbance.dies:
            await world.call_in_vain(hook, self.kind, self.name)
        elif hook == "finalize":
            await world.finalize(self.kind, self.name)
        else:
            await world.sync(self.kind, self.name)
        world.proxy.faults = []
        return len(world.proxy.calls) > call

    async def come_in_step(self) -> None:
        """As many resyncs as it takes, each when the one before asked for it, and one that has nothing to do any more."""
        world = self.world
        late = now() + PATIENCE
        await world.sync(self.kind, self.name)
        while world.condition(self.kind, self.name) != ("True", "Synced") and now() < late:
            await asyncio.sleep(world.comes_back_in)
            await world.sync(self.kind, self.name)
        assert world.condition(self.kind, self.name) == ("True", "Synced"), world.message(self.kind, self.name)
        world.forget_calls()
        await world.sync(self.kind, self.name)
        assert world.proxy.admin_calls == []

    def is_ours(self) -> bool:
        """Whether it is known that we made the object, so that it goes with its custom resource."""
        return "adopted" not in self.world.objects[self.kind, self.name]["status"]

    def stored(self) -> dict[str, list[Object]]:
        """Everything that LiteLLM has, but for the hashes of keys, which are others each time."""
        tables = self.world.proxy.database.tables
        return {name: [_comparable(row) for row in rows.values()] for name, rows in tables.items() if rows}


def _comparable(row: Object) -> Object:
    """What is off or empty is as if it was not there: an update says so of more fields than a creation."""
    told = {name: value for name, value in row.items() if value is not False and value not in (None, "", [], {})}
    return {name: value for name, value in told.items() if name not in {"token", "key_name"}}


async def nothing(world: World, kind: str) -> None:
    """The object is new."""
    for one in EXAMPLES[kind].refers:
        await settled(world, one)
    put(world, kind)


async def edited(world: World, kind: str) -> None:
    """The object was in step and its spec is another one now."""
    await settled(world, kind)
    put(world, kind, **EXAMPLES[kind].edited)


BEGINNINGS: dict[str, Callable[[World, str], Awaitable[None]]] = {"new": nothing, "edited": edited}


@pytest.fixture(autouse=True)
def _quick_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's password is hashed some hundred times here."""
    monkeypatch.setattr("app.controllers.entities.password._ROUNDS", 4)


def world_of(version: str) -> World:
    return World(proxy=FakeLiteLLM(version=version, master_key=KEY))


@pytest.mark.parametrize("version", RELEASES)
@pytest.mark.parametrize("beginning", BEGINNINGS)
@pytest.mark.parametrize("kind", KINDS)
def test_any_call_may_fail_and_the_process_may_die_at_any(kind: str, beginning: str, version: str) -> None:
    async def scenario() -> None:
        world = world_of(version)
        await BEGINNINGS[beginning](world, kind)
        scene = Scene(world, kind)
        await scene.come_in_step()
        undisturbed = scene.stored()
        for disturbance in DISTURBANCES:
            call = 0
            while True:
                await scene.put_back()
                if not await scene.disturbed("sync", disturbance, call):
                    break
                await scene.come_in_step()
                assert scene.stored() == undisturbed, f"{disturbance} of call {call}"
                if not (disturbance.dies and kind in NO_PLACE_FOR_A_MARK):
                    assert scene.is_ours(), f"{disturbance} of call {call}"
                call += 1
            assert call >= 2 or (kind, beginning) == ("LiteLLMVirtualKey", "new")

    run(scenario())


@pytest.mark.parametrize("version", RELEASES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_deletion_that_is_disturbed_ends_all_the_same_and_leaves_nothing(kind: str, version: str) -> None:
    async def scenario() -> None:
        world = world_of(version)
        for one in EXAMPLES[kind].refers:
            await settled(world, one)
        table = EXAMPLES[kind].table
        before = set(world.rows(table))
        put(world, kind)
        await in_step(world, kind)
        scene = Scene(world, kind)
        for disturbance in DISTURBANCES:
            call = 0
            while True:
                await scene.put_back()
                if not await scene.disturbed("finalize", disturbance, call):
                    break
                if (kind, scene.name) in world.objects:
                    await asyncio.sleep(AGAIN)
                    assert await world.finalize(kind, scene.name)
                assert set(world.rows(table)) == before, f"{disturbance} of call {call}"
                assert world.left_behind == []
                call += 1
            assert call >= 2

    run(scenario())
