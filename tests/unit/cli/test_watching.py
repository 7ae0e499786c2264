"""How a convergence is watched: a picture that fits its terminal, lines that wrap between words."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from app.cli.options import Output
from app.cli.terminal import THEME
from app.cli.timeline import Step
from app.cli.watching import Lines, Picture, Watcher, display

if TYPE_CHECKING:
    from app.hooks.objects import Object


def terminal(width: int, height: int) -> Console:
    return Console(file=io.StringIO(), width=width, height=height, force_terminal=True, color_system=None, theme=THEME)


def written(target: Console) -> str:
    assert isinstance(target.file, io.StringIO)
    return target.file.getvalue()


def gateway(name: str) -> Object:
    ready = {"type": "Ready", "status": "True", "reason": "Up", "message": "it answers"}
    metadata = {"name": name, "namespace": "ai", "uid": name}
    return {"apiVersion": "v1", "kind": "Gateway", "metadata": metadata, "status": {"conditions": [ready]}}


@pytest.fixture(autouse=True)
def no_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Picture, "PACE_SECONDS", 0.0)


async def watched(target: Console, *items: Object) -> tuple[str, str]:
    """What is on the terminal while it moves, and what is added when it is left."""
    watcher = Watcher(lambda: datetime(2030, 1, 1, tzinfo=UTC))
    with display(target, Output.TEXT) as watcher.display:
        await watcher.look(items)
        moving = written(target)
    return moving, written(target).removeprefix(moving)


async def test_a_picture_that_fits_shows_every_condition() -> None:
    moving, _ = await watched(terminal(120, 24), gateway("a"), gateway("b"))
    assert moving.count("it answers") == 2


async def test_a_picture_that_does_not_fit_has_a_line_an_object_while_it_moves_and_is_whole_in_the_end() -> None:
    moving, left = await watched(terminal(120, 5), gateway("a"), gateway("b"))
    assert "Gateway a  ✔ Up" in moving
    assert "Gateway b  ✔ Up" in moving
    assert "it answers" not in moving
    assert left.count("it answers") == 2


async def test_objects_are_shown_in_the_order_in_which_they_came() -> None:
    watcher = Watcher(lambda: datetime(2030, 1, 1, tzinfo=UTC))
    await watcher.look([gateway("z")])
    await watcher.look([gateway("a"), gateway("z")])
    assert [item["metadata"]["name"] for item in watcher.seen] == ["z", "a"]
    await watcher.look([gateway("a")])
    assert [f"{step.object} {step.what}" for step in watcher.steps if step.what in {"created", "gone"}] == [
        "Gateway ai/z created",
        "Gateway ai/a created",
        "Gateway ai/z gone",
    ]


async def test_a_long_line_hangs_below_its_text_on_a_terminal() -> None:
    target = terminal(40, 24)
    await Lines(target).show([Step(1.0, "Gateway ai/gateway", "Ready=True ProxyReachable")], [])
    assert [row.rstrip() for row in written(target).splitlines()] == [
        "·     1.0s  Gateway ai/gateway",
        "            Ready=True ProxyReachable",
    ]


async def test_a_line_is_not_repeated_where_only_the_message_is_another() -> None:
    target = Console(file=io.StringIO(), width=120, theme=THEME)
    turns = ["Ready=False Down", "Ready=False Down", "Ready is no longer reported", "Ready=False Down", "Ready=True Up"]
    shown = Lines(target)
    for number, what in enumerate(turns):
        message = f"for the {number}. time" if "=" in what else ""
        await shown.show([Step(number, "Gateway ai/a", what, message)], [])
    assert [line.split("  ")[-1] for line in written(target).splitlines()] == [turns[0], *turns[2:]]
