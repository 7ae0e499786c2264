"""Durations as Go writes them: ``1h30m``, ``1.5s``."""

from __future__ import annotations

import re
from datetime import timedelta

_PARTS = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_MICROSECONDS = {"ns": 1e-3, "us": 1.0, "µs": 1.0, "μs": 1.0, "ms": 1e3, "s": 1e6, "m": 6e7, "h": 3.6e9}
_LONGEST = 2**63 / 1e3
"""Microseconds: Go counts nanoseconds in 64 bits."""


def go_duration(text: str) -> timedelta | None:
    """The duration; nothing for what Go's ``time.ParseDuration`` does not take."""
    unsigned = text[1:] if text[:1] in {"+", "-"} else text
    if unsigned == "0":
        return timedelta(0)
    parts = _PARTS.findall(unsigned)
    if not parts or "".join(map("".join, parts)) != unsigned:
        return None
    microseconds = sum(float(number) * _MICROSECONDS[unit] for number, unit in parts)
    if microseconds >= _LONGEST:
        return None
    return timedelta(microseconds=-microseconds if text.startswith("-") else microseconds)
