"""Every recording of the real Metacontroller, replayed: same exchanges, same writes, same objects at the end."""

from __future__ import annotations

import pytest

from tests.sim.replay import RECORDINGS, Play, load

STRATEGIES = ("dynamic-apply", "server-side-apply")
RECORDED = [(strategy, path.name) for strategy in STRATEGIES for path in sorted((RECORDINGS / "recorded" / strategy).iterdir())]


def test_all_recordings_are_here() -> None:
    assert [sum(strategy == one for one, _ in RECORDED) for strategy in STRATEGIES] == [71, 20]


@pytest.mark.parametrize(("strategy", "name"), RECORDED, ids=[f"{strategy}: {name[:-5]}" for strategy, name in RECORDED])
async def test_the_loop_does_what_metacontroller_did(strategy: str, name: str) -> None:
    scenario, recorded = load(f"scenarios/{name}"), load(f"recorded/{strategy}/{name}")
    played = await Play(scenario, strategy).record()
    for ours, theirs in zip(played["steps"], recorded["steps"], strict=True):
        assert ours == theirs, f"step {theirs['step']}; the scenario pins: {scenario['pins']}"
    assert played["final"] == recorded["final"], scenario["pins"]
    assert played.get("events") == recorded.get("events"), scenario["pins"]
