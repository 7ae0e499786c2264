"""Deletion ends within the grace, whatever is missing, and takes with it what is ours and nothing else.

Every kind is deleted in every combination of what may be wrong: some 280 of them. What it refers to is gone in all.
"""

from __future__ import annotations

import asyncio
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, cast

import pytest

from app.controllers.entities.finalizing import DELETION_POLICY, GRACE
from app.controllers.entities.setting import ADOPT
from app.litellm.entities.customer import own_budget
from app.litellm.entities.ownership import MARK
from app.sim.fake_litellm.proxy import Behaviour
from tests.unit.entities.examples import EXAMPLES, KINDS, in_step, settled
from tests.unit.entities.world import KEY, World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.hooks.objects import Object

NO_PLACE_FOR_A_MARK = {"LiteLLMBudget", "LiteLLMCustomer"}
"""Kinds of which the status alone tells who made them."""

INSTANCES = ("ready", "not ready", "gone")
MASTER_KEYS = ("there", "gone")
PROXIES: dict[str, Callable[[World], None]] = {
    "answers": lambda world: None,
    "is dead": lambda world: setattr(world.proxy, "behaviour", Behaviour.DEAD),
    "rejects the key": lambda world: setattr(world.proxy, "master_key", "sk-another"),
    "has no database": lambda world: setattr(world.proxy, "database_up", False),
}
ROWS = ("there", "gone")
STATUSES = ("kept", "lost")
OWNERS = ("ours", "adopted", "to be left")

TABLES = {example.table for example in EXAMPLES.values()}

LONG_ENOUGH = 20
"""Seconds after which a proxy that did not answer is asked again."""


@dataclass(frozen=True)
class Situation:
    """What is the case when an object is deleted."""

    kind: str
    instance: str
    master_key: str
    proxy: str
    row: str
    status: str
    owner: str

    @property
    def left_alone(self) -> bool:
        """Whether it is known without a call that nothing is to be deleted."""
        return self.owner == "to be left" or (self.owner == "adopted" and self.status == "kept")

    @property
    def can_be_told(self) -> bool:
        """Whether LiteLLM can be told."""
        return self.instance != "gone" and self.master_key == "there" and self.proxy == "answers"

    @property
    def deletes(self) -> bool:
        """Whether the row goes."""
        known = self.status == "kept" or self.kind not in NO_PLACE_FOR_A_MARK
        return self.owner == "ours" and known and self.can_be_told

    @property
    def takes(self) -> str:
        """How long it takes, in words."""
        if self.left_alone or self.instance == "gone" or self.can_be_told:
            return "no time"
        return "the grace"

    @property
    def said(self) -> bool:
        """Whether something may be left that nobody asked to leave, so that it is said and counted."""
        return not self.left_alone and not self.can_be_told


class Scene:
    """A world with one object in step, and somebody else's in LiteLLM. It can be put back to how it was."""

    def __init__(self, world: World, kind: str) -> None:
        self.world, self.kind, self.name = world, kind, EXAMPLES[kind].name
        table = EXAMPLES[kind].table
        status = world.objects[kind, self.name]["status"]
        (mine,) = [name for name in world.rows(table) if name in status.values()]
        self.mine = (table, mine)
        # Somebody else's object is as like it as can be.
        world.rows(table)["of-somebody-else"] = unmarked(deepcopy(world.rows(table)[mine]))
        self._objects = deepcopy(world.objects)
        self._tables = deepcopy(world.proxy.database.tables)

    async def put_back(self) -> None:
        """Everything as it was, some time later."""
        world = self.world
        world.objects, world.proxy.database.tables = deepcopy(self._objects), deepcopy(self._tables)
        world.proxy.behaviour, world.proxy.master_key, world.proxy.database_up = Behaviour.NORMAL, KEY, True
        world.left_behind.clear()
        world.forget_calls()
        await asyncio.sleep(LONG_ENOUGH)

    def rows(self) -> set[tuple[str, str]]:
        """Table and id of everything that somebody may have made. Memberships are part of their teams."""
        return {(table, name) for table in TABLES for name in self.world.rows(table)}

    async def play(self, situation: Situation) -> None:
        """One deletion, with what must come of it."""
        await self.put_back()
        world = self.world
        self._arrange(situation)
        before = self.rows()
        assert (self.mine in before) == (situation.row == "there")
        ended = await world.finalize(self.kind, self.name)
        assert ended == (situation.takes == "no time")
        if not ended:
            assert world.condition(self.kind, self.name) == ("False", "DeletionPending")
            await asyncio.sleep(GRACE - 1)
            assert not await world.finalize(self.kind, self.name)
            await asyncio.sleep(1)
            assert await world.finalize(self.kind, self.name)
        if situation.left_alone or situation.instance == "gone":
            assert world.proxy.calls == []
        # The budget of a customer alone goes with the customer.
        mine = {self.mine, ("budgets", own_budget(self.mine[1]))} if self.mine in before else set[tuple[str, str]]()
        assert before - self.rows() == (mine & before if situation.deletes else set())
        assert world.left_behind == [self.kind] * situation.said
        assert [kind for kind, _ in world.objects if kind == self.kind] == []

    def _arrange(self, situation: Situation) -> None:
        world, parent = self.world, self.world.objects[self.kind, self.name]
        kept = {(self.kind, self.name), ("LiteLLMInstance", "gw"), ("Secret", "gw-master-key")}
        owned = {key for key, item in world.objects.items() if item["metadata"].get("ownerReferences")}
        for key in set(world.objects) - kept - owned:
            del world.objects[key]
        if situation.instance == "gone":
            world.remove("LiteLLMInstance", "gw")
        else:
            world.instance(ready=situation.instance == "ready")
        if situation.master_key == "gone":
            world.remove("Secret", "gw-master-key")
        PROXIES[situation.proxy](world)
        if situation.row == "gone":
            table, name = self.mine
            del world.rows(table)[name]
        if situation.status == "lost":
            del parent["status"]
        if situation.owner == "to be left":
            parent["metadata"]["annotations"] = {DELETION_POLICY: "orphan"}


def situations(kind: str, owners: tuple[str, ...]) -> Iterator[Situation]:
    """Every combination."""
    for combination in product(INSTANCES, MASTER_KEYS, PROXIES, ROWS, STATUSES, owners):
        yield Situation(kind, *combination)


def unmarked(row: Object) -> Object:
    """The same without our mark, wherever the kind has it, as somebody else would have made it."""
    found: Object = {}
    for name, value in row.items():
        if name != MARK:
            found[name] = unmarked(cast("Object", value)) if isinstance(value, dict) else value
    return found


async def ours(kind: str) -> World:
    """A world with an object of the kind that we made."""
    world = World()
    await settled(world, kind)
    return world


async def adopted(kind: str) -> World:
    """A world with an object of the kind that was there before us."""
    world = await ours(kind)
    parent: Object = world.objects[kind, EXAMPLES[kind].name]
    table = EXAMPLES[kind].table
    world.proxy.database.tables[table] = {name: unmarked(row) for name, row in world.rows(table).items()}
    del parent["status"]
    parent["metadata"]["annotations"] = {ADOPT: "true"}
    await in_step(world, kind)
    assert world.condition(kind, EXAMPLES[kind].name, "Adopted") == ("True", "ExistedBefore")
    del parent["metadata"]["annotations"]
    return world


@pytest.mark.parametrize("kind", KINDS)
def test_a_deletion_ends_in_time_and_takes_only_what_is_ours(kind: str) -> None:
    async def scenario() -> None:
        for made, owners in ((ours, ("ours", "to be left")), (adopted, ("adopted",))):
            scene = Scene(await made(kind), kind)
            for situation in situations(kind, owners):
                try:
                    await scene.play(situation)
                except AssertionError as error:
                    raise AssertionError(str(situation)) from error

    run(scenario())
