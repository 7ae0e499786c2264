"""Durations as Kubernetes writes them: ``300s``, ``5m``, ``1h30m``, ``1.5h``."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, Decimal

_UNITS = {
    "ns": Decimal("1e-9"),
    "us": Decimal("1e-6"),
    "µs": Decimal("1e-6"),
    "μs": Decimal("1e-6"),
    "ms": Decimal("1e-3"),
    "s": Decimal(1),
    "m": Decimal(60),
    "h": Decimal(3600),
}
_PART = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_LONGEST = Decimal(2**31 - 1)


class DurationError(ValueError):
    """The text is no duration of this kind; its own text says what is taken."""


def whole_seconds(text: str) -> int:
    """A positive duration in seconds, rounded up. Raises :class:`DurationError`."""
    parts = _PART.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text.removeprefix("+") or len(text) > 64:
        raise DurationError("must be a duration such as 300s or 5m")
    seconds = sum((Decimal(number) * _UNITS[unit] for number, unit in parts), Decimal(0))
    if not 0 < seconds <= _LONGEST:
        raise DurationError("must be more than nothing and less than 68 years")
    return int(seconds.to_integral_value(ROUND_CEILING))
