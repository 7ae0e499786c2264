"""Whatever fails and whenever the process dies: one key has the alias, its value is in the Secret, and the spend is kept.

Each situation is played to its end once for every call that it makes, with that call failing before or after its effect, or
with the process ending there, so that neither status nor children of that sync come to be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.litellm.entities.virtual_key import token_of
from app.sim.fake_litellm import Fault
from tests.unit.entities.test_virtual_keys import KIND, SECRET, keys, only, put, settled, value, wish
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

SPENT = 4.5
RELEASES = ("1.81.14", "1.110.2")


def world_of(version: str) -> World:
    world = World()
    world.proxy.version = version
    return world


async def first(world: World) -> None:
    """A value that is stored and that LiteLLM was not told of."""
    wish(world, tpmLimit=1)
    await world.sync(KIND, "app")


async def lost(world: World) -> None:
    """A key whose Secret was deleted, with a new value stored."""
    (await settled(world, tpmLimit=1))["spend"] = SPENT
    world.remove("Secret", SECRET)
    await world.sync(KIND, "app")


async def chosen(world: World) -> None:
    """A key that gets a value from a user, and another alias at the same time."""
    (await settled(world, keyAlias="Old"))["spend"] = SPENT
    put(world, api_key="sk-of-my-own-choice", dashed="sk-of-my-own-choice")
    wish(world, tpmLimit=1)


async def edited(world: World) -> None:
    """A key that is edited."""
    (await settled(world, keyAlias="Old", models=["a"]))["spend"] = SPENT
    wish(world, tpmLimit=1)


async def renamed(world: World) -> None:
    """A key whose Secret was lost and is to have another name."""
    (await settled(world, keySecretName="old"))["spend"] = SPENT
    world.remove("Secret", "old")
    wish(world, tpmLimit=1)
    await world.sync(KIND, "app")


SITUATIONS: dict[str, tuple[Callable[[World], Awaitable[None]], float]] = {
    "first": (first, 0.0),
    "lost": (lost, SPENT),
    "chosen": (chosen, SPENT),
    "edited": (edited, SPENT),
    "renamed": (renamed, SPENT),
}


async def dying(world: World, calls: int, *, after: bool) -> bool:
    """A sync whose process ends at that call, before or after it has its effect; whether it came that far."""
    world.forget_calls()
    world.proxy.faults = [Fault(status=0, skip=calls, after=after), Fault(status=0, skip=calls, times=99)]
    await world.call_in_vain("sync", KIND, "app")
    world.proxy.faults = []
    kept_to_the_invariant(world)
    return len(world.proxy.admin_calls) > calls


async def failing(world: World, calls: int, *, after: bool, status: int) -> bool:
    """A sync in which that call fails; whether there was such a call."""
    world.forget_calls()
    world.proxy.faults = [Fault(status=status, skip=calls, after=after)]
    await world.sync(KIND, "app")
    world.proxy.faults = []
    kept_to_the_invariant(world)
    return len(world.proxy.admin_calls) > calls


def kept_to_the_invariant(world: World) -> None:
    """What holds at every moment: an alias has one key, and no key is open whose value is in no Secret and has no alias."""
    aliases = [row["key_alias"] for row in keys(world).values()]
    assert len(set(aliases)) == len(aliases) <= 2
    assert all(row["blocked"] or row["key_alias"] in ("App", "Old") for row in keys(world).values())


async def in_the_end(world: World, spend: float) -> None:
    """A few syncs without faults settle it."""
    for _ in range(4):
        await world.sync(KIND, "app")
        kept_to_the_invariant(world)
    assert world.condition(KIND, "app") == ("True", "Synced"), world.message(KIND, "app")
    made = value(world, world.objects[KIND, "app"]["status"]["keySecretRef"]["name"])
    assert list(keys(world)) == [token_of(made)]
    row = only(world)
    assert (row["key_alias"], row["spend"], row["tpm_limit"], bool(row["blocked"])) == ("App", spend, 1, False)
    before = world.objects[KIND, "app"]["status"]
    world.forget_calls()
    assert await world.sync(KIND, "app") == before
    assert world.proxy.admin_calls == []


@pytest.mark.parametrize("version", RELEASES)
@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_any_call_may_fail(situation: str, version: str, after: bool) -> None:
    async def scenario() -> None:
        prepare, spend = SITUATIONS[situation]
        for status in (0, 500):
            calls = 0
            while True:
                world = world_of(version)
                await prepare(world)
                if not await failing(world, calls, after=after, status=status):
                    break
                await in_the_end(world, spend)
                calls += 1
            assert calls >= 2

    run(scenario())


@pytest.mark.parametrize("version", RELEASES)
@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_the_process_may_die_at_any_call(situation: str, version: str, after: bool) -> None:
    async def scenario() -> None:
        prepare, spend = SITUATIONS[situation]
        calls = 0
        while True:
            world = world_of(version)
            await prepare(world)
            if not await dying(world, calls, after=after):
                break
            await in_the_end(world, spend)
            calls += 1
        assert calls >= 2

    run(scenario())


@pytest.mark.parametrize("version", RELEASES)
@pytest.mark.parametrize("status_lost", [False, True], ids=["with-status", "without-status"])
def test_the_secret_may_be_lost_again_while_one_key_takes_anothers_place(version: str, status_lost: bool) -> None:
    async def scenario() -> None:
        calls = 0
        while True:
            world = world_of(version)
            await lost(world)
            if not await dying(world, calls, after=True):
                break
            world.remove("Secret", SECRET)
            if status_lost:
                del world.objects[KIND, "app"]["status"]
            await world.sync(KIND, "app")
            again = 0
            while await dying(world, again, after=True):
                again += 1
            await in_the_end(world, SPENT)
            calls += 1
        assert calls >= 6

    run(scenario())


@pytest.mark.parametrize("version", RELEASES)
def test_a_deletion_in_the_midst_of_it_leaves_no_key(version: str) -> None:
    async def scenario() -> None:
        calls = 0
        while True:
            world = world_of(version)
            await lost(world)
            if not await dying(world, calls, after=True):
                break
            assert await world.finalize(KIND, "app")
            assert keys(world) == {}
            calls += 1
        assert calls >= 6

    run(scenario())
