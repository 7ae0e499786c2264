"""Amounts of money: texts in specs and statuses, numbers in LiteLLM's API."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

_AMOUNT = re.compile(r"\+?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)


class AmountError(ValueError):
    """The text is no amount; its own text says what is taken, and follows the field's name."""


def dollars(text: str) -> float:
    """US dollars as the number that is written in JSON with the same digits. Raises :class:`AmountError`."""
    amount = float(text) if _AMOUNT.fullmatch(text) else math.inf
    if not math.isfinite(amount):
        raise AmountError('must be an amount of US dollars such as "12.50", not below 0')
    return amount


_MOST = 2**53
"""From here on numbers of JSON are not exact, and soon too large for a status."""


def plain(amount: Any) -> str:
    """A number of LiteLLM's as a text without an exponent; ``0`` for what is none."""
    if isinstance(amount, bool) or not isinstance(amount, int | float) or not math.isfinite(amount):
        return "0"
    text = format(Decimal(repr(amount)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def number(amount: Any) -> float | int | None:
    """A number of LiteLLM's as a status holds it: whole ones without a fraction; nothing for what is none."""
    if isinstance(amount, bool) or not isinstance(amount, int | float) or not -_MOST < amount < _MOST:
        return None
    return int(amount) if amount == int(amount) else amount
