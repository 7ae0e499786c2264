"""The demo's managed gateway: it holds today, and its success would mean nothing if a fault were not told."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from app.cli.demo_gateway import ORDER, Scene, came_in_order, play_gateway, verdicts
from app.cli.demo_stage import Stage
from app.cli.terminal import THEME
from app.cli.timeline import Step

POD = {"containers": [{"image": "litellm:v1"}]}
NEW_POD = {"containers": [{"image": "litellm:v2"}]}


def scene(pod: object = POD, differences: tuple[str, ...] = (), **more: object) -> Scene:
    created = [Step(0, f"{kind} ai/team-gateway", "created") for kind in ORDER]
    objects = {"Deployment ai/team-gateway": {"spec": {"template": pod}, **more}}
    return Scene(list(differences), created, objects)


GOOD = scene()
FAULTS = [
    ("a status that is off", (scene(differences=("Ready is absent",)), GOOD, GOOD), {"Ready is absent"}),
    ("pods before their migration", (replace(GOOD, steps=GOOD.steps[::-1]), GOOD, GOOD), {"Secrets came first"}),
    ("pods of the new image", (GOOD, scene(NEW_POD), scene(NEW_POD)), {"the pods stayed"}),
    ("no pods at all", (replace(GOOD, objects={}), replace(GOOD, objects={}), GOOD), {"the pods stayed", "the flip left"}),
    ("a child that the flip changed", (GOOD, GOOD, scene(metadata={"labels": {}})), {"the flip left"}),
    ("a child that the flip removed", (GOOD, GOOD, replace(GOOD, objects={})), {"the flip left"}),
]


async def test_every_act_comes_to_what_it_must() -> None:
    target = Console(file=io.StringIO(), width=120, theme=THEME)
    assert await play_gateway(Stage(target))


def test_nothing_is_told_of_a_good_gateway() -> None:
    assert all(held for held, _ in verdicts(GOOD, GOOD, GOOD))


@pytest.mark.parametrize(("why", "scenes", "told"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_fault_is_told(why: str, scenes: tuple[Scene, Scene, Scene], told: set[str]) -> None:
    found = [what for held, what in verdicts(*scenes) if not held]
    assert all(any(what.startswith(beginning) for what in found) for beginning in told), why


@pytest.mark.parametrize("missing", ORDER)
def test_a_kind_that_never_came_is_out_of_order(missing: str) -> None:
    assert not came_in_order([step for step in GOOD.steps if not step.object.startswith(f"{missing} ")])
