"""The demo's managed gateway: its success would mean nothing if a fault were not told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.cli.demo_gateway import ORDER, came_in_order, verdicts
from app.cli.demo_stage import Act
from app.cli.timeline import Step

POD = {"containers": [{"image": "litellm:v1"}]}
NEW_POD = {"containers": [{"image": "litellm:v2"}]}


def act(pod: object = POD, differences: tuple[str, ...] = (), **more: object) -> Act:
    created = [Step(0, f"{kind} ai/team-gateway", "created") for kind in ORDER]
    objects = {"Deployment ai/team-gateway": {"spec": {"template": pod}, **more}}
    return Act(list(differences), created, objects)


GOOD = act()
FAULTS = [
    ("a status that is off", (act(differences=("Ready is absent",)), GOOD, GOOD), {"Ready is absent"}),
    ("pods before their migration", (replace(GOOD, steps=GOOD.steps[::-1]), GOOD, GOOD), {"Secrets came first"}),
    ("pods of the new image", (GOOD, act(NEW_POD), act(NEW_POD)), {"the pods stayed"}),
    ("no pods at all", (replace(GOOD, objects={}), replace(GOOD, objects={}), GOOD), {"the pods stayed", "the flip left"}),
    ("a child that the flip changed", (GOOD, GOOD, act(metadata={"labels": {}})), {"the flip left"}),
    ("a child that the flip removed", (GOOD, GOOD, replace(GOOD, objects={})), {"the flip left"}),
]


def test_nothing_is_told_of_a_good_gateway() -> None:
    assert all(held for held, _ in verdicts(GOOD, GOOD, GOOD))


@pytest.mark.parametrize(("why", "acts", "told"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_fault_is_told(why: str, acts: tuple[Act, Act, Act], told: set[str]) -> None:
    found = [what for held, what in verdicts(*acts) if not held]
    assert all(any(what.startswith(beginning) for what in found) for beginning in told), why


@pytest.mark.parametrize("missing", ORDER)
def test_a_kind_that_never_came_is_out_of_order(missing: str) -> None:
    assert not came_in_order([step for step in GOOD.steps if not step.object.startswith(f"{missing} ")])
