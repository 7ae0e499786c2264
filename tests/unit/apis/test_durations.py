"""Durations of Go, and the interval of config sync."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.apis.durations import go_duration
from app.apis.litellm.instance.config_sync import ConfigSync


@pytest.mark.parametrize(
    ("text", "seconds", "why"),
    [
        ("30s", 30, "the default"),
        ("5m", 300, "a unit"),
        ("1h30m", 5400, "several"),
        ("1.5s", 1.5, "a fraction"),
        (".5s", 0.5, "without a whole part"),
        ("1.s", 1, "without a fraction after the point"),
        ("100ms", 0.1, "a small unit, which begins like minutes"),
        ("2000000us", 2, "in ASCII"),
        ("2000000µs", 2, "with the micro sign"),
        ("+5s", 5, "a sign"),
        ("-5s", -5, "a negative one"),
        ("0", 0, "the only number without a unit"),
        ("5", None, "no unit"),
        ("", None, "nothing"),
        ("s", None, "no number"),
        ("5 s", None, "a blank"),
        ("5sx", None, "a remainder"),
        ("1d", None, "Go has no days"),
        ("٥s", None, "digits of another script"),
        ("3000000h", None, "more nanoseconds than 64 bits hold"),
        ("9" * 400 + "h", None, "more than a float holds"),
    ],
)
def test_a_duration_is_what_go_takes_for_one(text: str, seconds: float | None, why: str) -> None:
    assert go_duration(text) == (None if seconds is None else timedelta(seconds=seconds)), why


@pytest.mark.parametrize(
    ("text", "seconds", "why"),
    [
        ("10s", 10, "the shortest"),
        ("9.9s", 30, "too short"),
        ("-5m", 30, "shorter than nothing"),
        ("often", 30, "no duration"),
        ("24h", 86400, "a long one"),
    ],
)
def test_an_interval_that_is_none_counts_as_half_a_minute(text: str, seconds: float, why: str) -> None:
    assert ConfigSync(enabled=True, interval=text).every == timedelta(seconds=seconds), why
