"""Conditions keep their bytes while the facts stay the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from app.status.conditions import condition_list, observed_conditions
from app.status.instance.reasons import KEY_ACCEPTED, PROXY_NOT_MANAGED, PROXY_NOT_REACHABLE, PROXY_REACHABLE

EARLIER = "2026-01-01T00:00:00Z"
NOW = datetime(2026, 5, 1, 14, 0, tzinfo=timezone(timedelta(hours=2)))


def ready_after(observed: Any, reason: Any = PROXY_REACHABLE) -> dict[str, Any]:
    return condition_list([reason.because("m")], observed_conditions(observed), 3, lambda: NOW)[0]


def observed(**changes: Any) -> dict[str, Any]:
    return {"conditions": [{"type": "Ready", "status": "True", "reason": "Other", "lastTransitionTime": EARLIER, **changes}]}


def test_a_first_condition_has_the_present_time_in_utc() -> None:
    assert ready_after(None) == {
        "type": "Ready",
        "status": "True",
        "reason": "ProxyReachable",
        "message": "m (see docs/reasons/Ready-ProxyReachable.md)",
        "observedGeneration": 3,
        "lastTransitionTime": "2026-05-01T12:00:00Z",
    }


def test_the_time_is_copied_while_the_status_stays_even_if_reason_and_message_change() -> None:
    assert ready_after(observed())["lastTransitionTime"] == EARLIER


def test_the_time_moves_when_the_status_flips() -> None:
    assert ready_after(observed(), PROXY_NOT_REACHABLE)["lastTransitionTime"] == "2026-05-01T12:00:00Z"


@pytest.mark.parametrize(
    ("status", "why"),
    [
        ({}, "no conditions"),
        ("text", "not an object"),
        ({"conditions": "text"}, "not a list"),
        ({"conditions": [None, 7, {"status": "True"}]}, "no condition among them"),
        (observed(lastTransitionTime=None), "no time"),
        (observed(lastTransitionTime="yesterday"), "not a time"),
        (observed(type=["Ready"]), "not a type"),
    ],
)
def test_a_malformed_status_counts_as_none(status: Any, why: str) -> None:
    assert ready_after(status)["lastTransitionTime"] == "2026-05-01T12:00:00Z", why


def test_ready_comes_first_and_the_others_by_type_whatever_the_order_of_deciding() -> None:
    decided = [PROXY_NOT_MANAGED.because(""), PROXY_REACHABLE.because(""), KEY_ACCEPTED.because("")]
    for order in (decided, decided[::-1]):
        types = [item["type"] for item in condition_list(order, {}, 1, lambda: datetime.now(UTC))]
        assert types == ["Ready", "MasterKeyAccepted", "SettingsIgnored"]
