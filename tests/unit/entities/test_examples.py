"""The examples cover every kind, and bring each in step."""

from __future__ import annotations

import asyncio

import pytest

from app.controllers.entities import ENTITIES
from tests.unit.entities.examples import EXAMPLES, KINDS, put, settled, with_what_it_needs
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run


def test_every_kind_has_an_example() -> None:
    assert {controller.parent.kind for controller in ENTITIES} <= EXAMPLES.keys()


def test_an_example_refers_only_to_examples_before_it() -> None:
    for kind, example in EXAMPLES.items():
        assert set(example.refers) <= set(list(with_what_it_needs(kind))[:-1])


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_and_its_edit_come_in_step_and_stay_silent(kind: str) -> None:
    async def scenario() -> None:
        world = World()
        name = await settled(world, kind)
        rows = set(world.rows(EXAMPLES[kind].table))
        for spec in (EXAMPLES[kind].spec, EXAMPLES[kind].edited):
            put(world, kind, **spec)
            await world.sync(kind, name)
            assert world.condition(kind, name) == ("True", "Synced"), world.message(kind, name)
            await asyncio.sleep(300)
            before = world.objects[kind, name]["status"]
            world.forget_calls()
            assert await world.sync(kind, name) == before
            assert world.proxy.admin_calls == []
            assert set(world.rows(EXAMPLES[kind].table)) == rows

    run(scenario())
