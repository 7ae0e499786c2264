"""When a parent is synced again: after failures, by request, and by the clock."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.sim.clock import RealClock, VirtualClock
from app.sim.loop import CallFailed
from app.sim.metacontroller.backoff import Backoff
from app.sim.metacontroller.queue import WorkQueue
from tests.sim.stage import CONFIG_MAP, WIDGET, Stage, composite, config_map, desired, refusal, widget


async def test_a_failing_hook_is_asked_again_after_ever_longer_pauses() -> None:
    stage = Stage([composite(resyncPeriodSeconds=1800)], {"widgets/sync": refusal(500)})
    await stage.create(widget())
    await stage.run(22)
    expected = [0.005 * 2**n for n in range(12)]
    assert stage.pauses() == pytest.approx(expected), "5 ms, doubled each time: 13 calls in 22 s"


async def test_the_pause_after_a_failure_never_exceeds_a_thousand_seconds() -> None:
    clock, backoff = VirtualClock(), Backoff[str]()
    pauses = []
    for _ in range(25):
        pauses.append(backoff.next("w", clock.now()))
        await clock.idle(clock.now() + pauses[-1])
    assert pauses[-3:] == [timedelta(seconds=1000)] * 3


async def test_a_success_makes_the_next_failure_the_first_one() -> None:
    stage = Stage([composite()], {"widgets/sync": refusal(503)})
    await stage.create(widget())
    await stage.run(1)
    stage.answers["widgets/sync"] = desired()
    await stage.run(2)
    stage.answers["widgets/sync"] = refusal(503)
    await stage.cluster.merge_patch(WIDGET, "default", "w", {"spec": {"size": 2}})
    calls = await stage.run(0.006)
    assert [round(call.at - calls[0].at, 3) for call in calls] == [0, 0.005]


def test_many_failing_parents_share_ten_retries_a_second_after_the_first_hundred() -> None:
    clock, backoff = VirtualClock(), Backoff[int]()
    pauses = [backoff.next(parent, clock.now()) for parent in range(102)]
    assert pauses[99] == timedelta(milliseconds=5)
    assert pauses[100:] == [timedelta(milliseconds=100), timedelta(milliseconds=200)]


async def test_an_edit_does_not_wait_for_the_backoff() -> None:
    stage = Stage([composite()], {"widgets/sync": refusal(500)})
    await stage.create(widget())
    await stage.run(100)
    stage.answers["widgets/sync"] = desired()
    await stage.cluster.merge_patch(WIDGET, "default", "w", {"metadata": {"labels": {"touched": "1"}}})
    assert len(await stage.run()) == 2, "the edit, and the status that it led to"


@pytest.mark.parametrize("code", [201, 202, 204, 304, 400, 404, 500, 503])
async def test_any_code_but_200_and_429_leaves_children_and_status_as_they_are(code: int) -> None:
    stage = Stage([composite()], {"widgets/sync": desired(config_map(mode="fast"))})
    await stage.create(widget())
    await stage.run()
    before = [await stage.find(WIDGET, "w"), await stage.find(CONFIG_MAP, "settings")]
    stage.answers["widgets/sync"] = refusal(code, body="the reason")
    await stage.cluster.merge_patch(CONFIG_MAP, "default", "settings", {"data": {"mode": "slow"}})
    changed = await stage.find(CONFIG_MAP, "settings")
    await stage.run()
    assert [await stage.find(WIDGET, "w"), await stage.find(CONFIG_MAP, "settings")] == [before[0], changed]
    event = stage.loop.events[-1]
    assert (event.reason, event.regarding) == ("SyncError", "Widget default/w")
    assert f"{code}: the reason" in event.message, "the body of the answer ends up in the Event"


async def test_a_hook_that_can_not_be_reached_is_a_failure_like_any_other() -> None:
    stage = Stage([composite()], {})

    def refuse(_: object) -> None:
        raise CallFailed("connection refused")

    stage.answers["widgets/sync"] = refuse
    await stage.create(widget())
    await stage.run()
    assert "connection refused" in stage.loop.events[-1].message


@pytest.mark.parametrize(
    ("retry_after", "pause", "why"),
    [
        ("2", 2.0, "whole seconds"),
        ("Tue, 01 Jan 2030 00:00:03 GMT", 3.0, "a date, three seconds ahead"),
    ],
)
async def test_429_comes_again_after_retry_after_without_an_event(retry_after: str, pause: float, why: str) -> None:
    answers = iter([refusal(429, headers={"retry-after": retry_after})])
    stage = Stage([composite()], {"widgets/sync": lambda _: next(answers, {"status": {}})})
    await stage.create(widget())
    await stage.run(pause)
    assert stage.pauses()[0] == pause, why
    assert stage.loop.events == []


@pytest.mark.parametrize(
    ("asked", "calls", "why"),
    [
        (1, 10, "every second"),
        (0.5, 20, "fractions count"),
        (0, 0, "0 means never"),
        (-1, 0, "so does less than 0"),
    ],
)
async def test_resync_after_seconds_in_ten_quiet_seconds(asked: float, calls: int, why: str) -> None:
    stage = Stage([composite()], {"widgets/sync": desired(resyncAfterSeconds=asked)})
    await stage.create(widget())
    await stage.run()
    assert len(await stage.run(10)) == calls, why


async def test_all_parents_are_synced_once_in_a_resync_period() -> None:
    stage = Stage([composite(resyncPeriodSeconds=60)], {"widgets/sync": desired()})
    await stage.create(widget("a"), widget("b"))
    await stage.run()
    calls = await stage.run(185)
    assert [(round(call.at), call.request["parent"]["metadata"]["name"]) for call in calls] == [
        (at, name) for at in (60, 120, 180) for name in ("a", "b")
    ]


async def test_the_resync_period_ends_a_long_backoff() -> None:
    stage = Stage([composite(resyncPeriodSeconds=300)], {"widgets/sync": refusal(500)})
    await stage.create(widget())
    await stage.run(1700)
    stage.answers["widgets/sync"] = desired()
    await stage.run(300)
    assert (await stage.find(WIDGET, "w") or {})["status"]["phase"] == "Made"


async def test_with_ignore_status_changes_the_own_status_leads_to_no_second_call() -> None:
    stage = Stage([composite(parentResource={"ignoreStatusChanges": True})], {"widgets/sync": desired()})
    await stage.create(widget())
    assert len(await stage.run()) == 1
    patch = {"metadata": {"labels": {"touched": "1"}}}
    await stage.cluster.merge_patch(WIDGET, "default", "w", patch)
    assert len(await stage.run()) == 1, "a label is no status"


def test_of_two_timers_of_one_parent_the_earlier_counts() -> None:
    clock, queue = VirtualClock(), WorkQueue[str]()
    now = clock.now()
    queue.add_at("w", now + timedelta(seconds=5))
    queue.add_at("w", now + timedelta(seconds=2))
    queue.add_at("w", now + timedelta(seconds=9))
    assert queue.next_due() == now + timedelta(seconds=2)
    queue.add("w")
    assert queue.take() == "w"
    queue.release(now + timedelta(seconds=2))
    assert queue.take() == "w", "being synced meanwhile does not cancel the timer"
    assert queue.next_due() is None


async def test_virtual_time_never_runs_backwards() -> None:
    clock = VirtualClock()
    start = clock.now()
    await clock.idle(start + timedelta(hours=1))
    await clock.idle(start)
    assert clock.now() == start + timedelta(hours=1)


async def test_real_time_idles_no_longer_than_one_poll() -> None:
    clock = RealClock(poll_seconds=0)
    before = clock.now()
    await clock.idle(before + timedelta(hours=1))
    assert clock.now() - before < timedelta(minutes=1), "a change of the cluster doesn't announce itself"
