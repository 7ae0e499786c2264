"""What happened between two looks, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.cli.timeline import Tone, conditions, steps

if TYPE_CHECKING:
    from app.hooks.objects import Object


def thing(*shown: tuple[str, str, str, str], **metadata: Any) -> Object:
    fields = ("type", "status", "reason", "message")
    return {
        "apiVersion": "v1",
        "kind": "Thing",
        "metadata": {"name": "t", "namespace": "n", **metadata},
        "status": {"conditions": [dict(zip(fields, one, strict=True)) for one in shown]},
    }


READY = ("Ready", "True", "Up", "It is up.")
BROKEN = ("Ready", "False", "Down", "It is down.")

TABLE = [
    ("it comes", [], [thing()], ["created"]),
    ("it comes with a condition", [], [thing(READY)], ["created", "Ready=True Up"]),
    ("nothing happened", [thing(READY)], [thing(READY)], []),
    ("it turns", [thing(READY)], [thing(BROKEN)], ["Ready=False Down"]),
    ("a condition leaves", [thing(READY)], [thing()], ["Ready is no longer reported"]),
    ("a finalizer holds it", [thing()], [thing(deletionTimestamp="2030-01-01T00:00:00Z")], ["is being deleted"]),
    ("it goes", [thing(READY)], [], ["gone"]),
]


@pytest.mark.parametrize(("why", "before", "after", "told"), TABLE, ids=[row[0] for row in TABLE])
def test_what_changed_between_two_looks_is_told_in_order(
    why: str, before: list[Object], after: list[Object], told: list[str]
) -> None:
    assert [step.what for step in steps(before, after, 1.0)] == told, why


def test_a_step_keeps_the_message_beside_its_headline() -> None:
    (step,) = steps([thing()], [thing(BROKEN)], 1.0)
    assert (step.what, step.message) == ("Ready=False Down", "It is down.")


def test_a_step_reads_as_a_line() -> None:
    (step,) = steps([], [thing()], 1.25)
    assert str(step) == "    1.2s  Thing n/t  created"


def test_ready_comes_first_and_the_others_by_name() -> None:
    shown = conditions(thing(("Zeal", "True", "", ""), READY, ("Age", "True", "", "")))
    assert [condition.type for condition in shown] == ["Ready", "Age", "Zeal"]


TONES = [
    ("true is good", READY, Tone.GOOD),
    ("false is bad", BROKEN, Tone.BAD),
    ("unknown is neither", ("Ready", "Unknown", "ProbePending", ""), Tone.UNKNOWN),
    ("so is one of a gateway that is run", ("SpecWarnings", "True", "SettingsQuestionable", ""), Tone.ATTENTION),
    ("a step on the way is neither", ("DatabaseReady", "False", "MigrationRunning", ""), Tone.UNKNOWN),
    ("what does not come by itself is bad", ("DatabaseReady", "False", "MigrationFailed", ""), Tone.BAD),
    ("a Job that failed is bad news", ("Failed", "True", "BackoffLimitExceeded", ""), Tone.BAD),
    ("a condition that is there to be read is no good news", ("SettingsIgnored", "True", "ProxyNotManaged", ""), Tone.ATTENTION),
    ("the same word as the reason of a fact is good news", ("DatabaseReady", "True", "WorkloadUnmanaged", ""), Tone.GOOD),
]


@pytest.mark.parametrize(("why", "shown", "tone"), TONES, ids=[row[0] for row in TONES])
def test_a_condition_looks_as_good_or_bad_as_its_news_is(why: str, shown: tuple[str, str, str, str], tone: Tone) -> None:
    (condition,) = conditions(thing(shown))
    assert condition.tone is tone, why


def test_an_object_without_status_has_no_conditions() -> None:
    assert conditions({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}) == []
