"""The demo compares: a status that is off in any way is told, or its success would mean nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.cli.demo_outcome import Outcome

if TYPE_CHECKING:
    from app.hooks.objects import Object

OUTCOME = Outcome(
    object="LiteLLMInstance ai/gw",
    status={"ready": True, "version": "1.2"},
    conditions={"Ready": ("True", "Up")},
    says={"Ready": "answers"},
)
READY = {"type": "Ready", "status": "True", "reason": "Up", "message": "it answers"}


def item(*conditions: Object, **status: Any) -> Object:
    return {"status": {"ready": True, "version": "1.2", "conditions": list(conditions), **status}}


TABLE = [
    ("all is as it must be", item(READY), []),
    (
        "nothing is known yet",
        {},
        ["status.ready is False, not True", "status.version is '', not '1.2'", "Ready is absent, not True=Up"],
    ),
    ("a flag is wrong", item(READY, ready=False), ["status.ready is False, not True"]),
    ("a version is made up", item(READY, version="9"), ["status.version is '9', not '1.2'"]),
    ("a reason is another", item({**READY, "reason": "Down"}), ["Ready is True=Down, not True=Up"]),
    ("a condition too many", item(READY, {**READY, "type": "Zeal"}), ["Zeal is True=Up, not absent"]),
    ("a message without the point", item({**READY, "message": "?"}), ["Ready does not mention 'answers'"]),
]


@pytest.mark.parametrize(("why", "live", "found"), TABLE, ids=[row[0] for row in TABLE])
def test_whatever_is_off_is_told(why: str, live: Object, found: list[str]) -> None:
    assert OUTCOME.differences(live) == found, why
