"""Durations in every legal spelling."""

from __future__ import annotations

import pytest

from app.resources.durations import DurationError, whole_seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("300s", 300),
        ("5m", 300),
        ("1h30m", 5400),
        ("1.5h", 5400),
        (".5m", 30),
        ("+1m", 60),
        ("1ms", 1),
        ("1m1ns", 61),
        ("2.s", 2),
    ],
)
def test_a_duration_is_counted_in_whole_seconds_and_never_too_short(text: str, seconds: int) -> None:
    assert whole_seconds(text) == seconds


@pytest.mark.parametrize("text", ["", "0s", "-1s", "1", "1 s", "1d", "s", "1m ", "٣s", "1e3s", "9" * 70 + "s"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(DurationError):
        whole_seconds(text)
