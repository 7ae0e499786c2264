"""Whatever stands at the proxy's address and answers in JSON of other shapes: no hook fails, no key and no object is lost."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import pytest

from app.controllers.entities.finalizing import GRACE
from app.sim.fake_litellm import FakeLiteLLM
from tests.unit.entities.examples import EXAMPLES, KINDS, in_step, put, settled, with_what_it_needs
from tests.unit.entities.world import KEY, World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hooks.objects import Object
    from app.sim.fake_litellm.proxy import Call

GARBLED: dict[str, Callable[[Any], Any]] = {
    "nothing": lambda _: None,
    "a text": lambda _: "surprise",
    "a number": lambda _: 7,
    "an empty object": lambda _: {},
    "an empty list": lambda _: [],
    "a list of no objects": lambda _: [None, 3, "x", []],
    "itself in a list": lambda answer: [answer],
    "rows among what is none": lambda answer: _lists(answer, lambda rows: [None, "x", 3, [], *rows]),
    "texts for lists": lambda answer: _lists(answer, lambda _: "abc"),
    "numbers for lists": lambda answer: _lists(answer, lambda _: 3),
    "lists for values": lambda answer: _values(answer, lambda value: [value]),
    "objects for values": lambda answer: _values(answer, lambda value: {"a": value}),
    "texts for values": lambda answer: _values(answer, str),
    "huge numbers": lambda answer: _values(answer, lambda value: 1e308 if isinstance(value, int | float) else value),
}


def _lists(answer: Any, change: Callable[[list[Any]], Any]) -> Any:
    if isinstance(answer, dict):
        return {name: _lists(value, change) for name, value in cast("Object", answer).items()}
    return change([_lists(value, change) for value in cast("list[Any]", answer)]) if isinstance(answer, list) else answer


def _values(answer: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(answer, dict):
        return {name: _values(value, change) for name, value in cast("Object", answer).items()}
    return [_values(value, change) for value in cast("list[Any]", answer)] if isinstance(answer, list) else change(answer)


@dataclass(kw_only=True)
class GarbledLiteLLM(FakeLiteLLM):
    """A proxy whose answers come in other shapes while ``garble`` is set; calls have their effect."""

    garble: Callable[[Any], Any] | None = None

    def _admin(self, call: Call, raw_path: str) -> tuple[int, object]:
        status, answer = super()._admin(call, raw_path)
        return status, self.garble(answer) if self.garble and status < 300 else answer


def owned(world: World, kind: str, name: str) -> list[str]:
    """The names of the Secrets that an object owns."""
    uid = world.objects[kind, name]["metadata"]["uid"]
    own = (item for item in world.objects.values() if item["metadata"].get("ownerReferences", [{}])[0].get("uid") == uid)
    return [item["metadata"]["name"] for item in own]


@pytest.mark.parametrize("garble", GARBLED.values(), ids=GARBLED)
@pytest.mark.parametrize("kind", KINDS)
def test_no_garbled_answer_fails_a_hook_or_loses_anything(kind: str, garble: Callable[[Any], Any]) -> None:
    async def scenario() -> None:
        proxy = GarbledLiteLLM(master_key=KEY)
        world = World(proxy=proxy)
        name = EXAMPLES[kind].name
        for one in with_what_it_needs(kind):
            put(world, one)
            if one != kind:
                await in_step(world, one)
        for spec in (EXAMPLES[kind].spec, EXAMPLES[kind].edited):
            put(world, kind, **spec)
            proxy.garble = garble
            for _ in range(2):
                children = len(owned(world, kind, name))
                await world.sync(kind, name)
                assert len(owned(world, kind, name)) >= children
            proxy.garble = None
            for _ in range(3):
                await asyncio.sleep(600)
                await world.sync(kind, name)
            assert world.condition(kind, name) == ("True", "Synced"), world.message(kind, name)

    run(scenario())


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_of_something_else_is_not_taken_for_an_absence_when_an_object_is_deleted(kind: str) -> None:
    async def scenario() -> None:
        proxy = GarbledLiteLLM(master_key=KEY)
        world = World(proxy=proxy)
        name = await settled(world, kind)
        proxy.garble = GARBLED["an empty object"]
        assert not await world.finalize(kind, name)
        assert await world.finalize(kind, name, seconds_ago=GRACE + 1) is False, "the mark was set before"
        proxy.garble = None
        rows = len(world.rows(EXAMPLES[kind].table))
        await asyncio.sleep(30)
        assert await world.finalize(kind, name)
        assert len(world.rows(EXAMPLES[kind].table)) == rows - 1
        assert world.left_behind == []

    run(scenario())


MEMBERS = {
    "LiteLLMTeam": {"members": [{"email": "lead@example.com"}, {"email": "dev@example.com"}]},
    "LiteLLMUser": {"teams": [{"teamRef": {"name": "eng"}, "role": "user", "maxBudgetInTeam": 3}]},
    "LiteLLMOrganization": {"members": [{"email": "bob@example.com"}]},
}
"""What each kind's edit asks of members."""


def _members(answer: Any, members: Any) -> Any:
    """The answer with other members, wherever it has some."""
    if isinstance(answer, list):
        return [_members(one, members) for one in cast("list[Any]", answer)]
    if not isinstance(answer, dict):
        return answer
    named = ("members", "members_with_roles")
    return {name: members if name in named else _members(one, members) for name, one in cast("Object", answer).items()}


@pytest.mark.parametrize("members", [None, {}, "abc", 3, [None], ["x"], [{}], [{"user_id": 7, "role": "user"}]], ids=str)
@pytest.mark.parametrize("kind", MEMBERS)
def test_members_that_cannot_be_read_are_not_taken_for_none(kind: str, members: Any) -> None:
    """Who seems to be missing would be added, and whom somebody else put there would go out of the status."""

    async def scenario() -> None:
        proxy = GarbledLiteLLM(master_key=KEY)
        world = World(proxy=proxy)
        name = await settled(world, kind)
        before = world.objects[kind, name]["status"]
        put(world, kind, **EXAMPLES[kind].spec | MEMBERS[kind])
        proxy.garble = lambda answer: _members(answer, members)
        world.forget_calls()
        status = await world.sync(kind, name)
        assert [call for call in world.proxy.admin_calls if "member" in call] == []
        assert world.condition(kind, name)[0] == "False"
        assert "without a list of its members" in world.message(kind, name)
        for field in ("crdMembers", "totalMemberCount", "memberCount"):
            assert status.get(field) == before.get(field)
        proxy.garble = None
        if kind == "LiteLLMOrganization":
            put(world, "LiteLLMTeam")
            put(world, "LiteLLMUser")
            await world.sync("LiteLLMTeam", "eng")
            await world.sync("LiteLLMUser", "bob")
        await world.sync(kind, name)
        assert world.condition(kind, name) == ("True", "Synced"), world.message(kind, name)

    run(scenario())
