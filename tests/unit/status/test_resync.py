"""Intervals spread out by uid and never shrink."""

from __future__ import annotations

from app.controllers.entities import syncing, unsettled
from app.litellm.probe import Budgets
from app.registry import CONTROLLERS
from app.status import resync


def test_parents_spread_out_and_each_keeps_its_interval() -> None:
    uids = [f"uid-{number}" for number in range(200)]
    intervals = {resync.jittered(resync.READY, uid) for uid in uids}
    assert intervals == set(range(60, 67))
    assert resync.jittered(resync.READY, uids[0]) == resync.jittered(resync.READY, uids[0])


def test_short_intervals_stay_as_they_are() -> None:
    assert resync.jittered(resync.PENDING, "uid") == 2
    assert resync.jittered(resync.NEVER, "uid") == 0


def test_nothing_is_asked_for_that_metacontrollers_own_tick_brings() -> None:
    assert {controller.resync_period_seconds for controller in CONTROLLERS} == {resync.TICK}
    assert resync.jittered(resync.TICK, "uid") == resync.jittered(600, "uid") == 0
    assert resync.jittered(resync.TICK - 1, "uid") >= resync.TICK - 1


def test_no_interval_claims_to_be_longer_than_the_tick() -> None:
    """Each sync of an object that LiteLLM refuses asks LiteLLM again, whoever wanted the sync."""
    assert max(unsettled.REFUSED, syncing.STEADY, resync.MISSING_REFERENCE) <= resync.TICK


def test_a_good_result_has_run_out_when_a_ready_instance_is_synced_again() -> None:
    assert Budgets().good_for == resync.READY * 0.9
