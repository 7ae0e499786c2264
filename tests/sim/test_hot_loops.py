"""Answers that never come to rest. The real Metacontroller calls hundreds of times a second; the loop says so instead."""

from __future__ import annotations

import itertools

import pytest

from app.sim.loop import PATIENCE, Restless
from tests.sim.stage import CONFIG_MAP, Stage, composite, config_map, decorator, desired, refusal, widget


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ({}, "a missing Retry-After counts as 0"),
        ({"Retry-After": "0"}, "0 is no pause"),
        ({"Retry-After": "0.5"}, "a fraction is not read"),
        ({"Retry-After": "soon"}, "words are not read"),
        ({"Retry-After": "Mon, 31 Dec 2029 23:59:59 GMT"}, "a moment that has passed"),
    ],
)
async def test_429_without_a_usable_retry_after_is_repeated_at_once(header: dict[str, str], why: str) -> None:
    stage = Stage([composite()], {"widgets/sync": refusal(429, headers=header)})
    await stage.create(widget())
    with pytest.raises(Restless, match="again and again"):
        await stage.run()
    assert len(stage.calls) == PATIENCE, why
    assert stage.loop.events == [], "nobody is told"


async def test_a_status_that_moves_on_every_call_calls_again() -> None:
    count = itertools.count()
    stage = Stage([composite()], {"widgets/sync": lambda _: {"status": {"note": str(next(count))}, "children": []}})
    await stage.create(widget())
    with pytest.raises(Restless):
        await stage.run()


async def test_finalized_from_sync_takes_the_finalizer_off_and_puts_it_on_again() -> None:
    stage = Stage([composite(hooks=("sync", "finalize"))], {"widgets/sync": desired(finalized=True)})
    await stage.create(widget())
    with pytest.raises(Restless):
        await stage.run()


async def test_two_composites_on_one_parent_delete_each_others_children() -> None:
    answers = {"one/sync": desired(config_map("first")), "two/sync": desired(config_map("second"))}
    stage = Stage([composite("one"), composite("two")], answers)
    await stage.create(widget())
    with pytest.raises(Restless):
        await stage.run()


async def test_two_decorators_that_want_one_label_fight_for_ever() -> None:
    answers = {f"{name}/sync": {"labels": {"tier": name}, "attachments": []} for name in ("gold", "silver")}
    stage = Stage([decorator("gold"), decorator("silver")], answers)
    await stage.create(widget())
    with pytest.raises(Restless):
        await stage.run()


async def test_a_quiet_parent_is_synced_twice() -> None:
    stage = Stage([composite()], {"widgets/sync": desired(config_map())})
    await stage.create(widget())
    assert len(await stage.run()) == 2
    assert await stage.run() == []
    assert await stage.find(CONFIG_MAP, "settings")
