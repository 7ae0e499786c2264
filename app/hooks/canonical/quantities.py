"""Kubernetes quantities in the one form the API server stores.

``1000m`` is stored as ``1`` and ``1024Mi`` as ``1Gi``; a child that says it otherwise differs from the stored object on
every sync. The rules are those of ``resource.Quantity``: the family of the suffix stays (binary, decimal, exponent), the
largest suffix that keeps the number whole is taken, and a binary quantity that is small or no whole number turns decimal.
Nothing is finer than a nano, and nothing in a map of resources, such as limits, than a milli: the rest is rounded up.
"""

from __future__ import annotations

import re
from decimal import ROUND_UP, Context, Decimal
from functools import lru_cache

_BINARY = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_DECIMAL = {-9: "n", -6: "u", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E"}
_EXPONENTS = {suffix: exponent for exponent, suffix in _DECIMAL.items()}
_FORM = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?", re.ASCII)
NANO = Decimal("1e-9")
MILLI = Decimal("1e-3")
_LONGEST = 30
_EXACT = Context(prec=200)


class QuantityError(ValueError):
    """The text is no quantity."""


# By type too: to Python 1.0 and True are one key, and the answer would depend on who asked first.
@lru_cache(maxsize=1024, typed=True)
def canonical_quantity(value: str | int | float, finest: Decimal = NANO) -> str:
    """The stored form of a quantity; raises :class:`QuantityError` for anything that is none.

    ``finest`` is :data:`MILLI` for those in a map of resources.
    """
    number, suffix = _parsed(value)
    rounded = number.quantize(finest, ROUND_UP, _EXACT)
    if suffix in _BINARY and suffix:
        return _binary(rounded)
    return _decimal(rounded, exponent_form=suffix not in _EXPONENTS)


def amount(value: str | int | float) -> Decimal:
    """How much a quantity is; raises :class:`QuantityError` for anything that is none."""
    return _parsed(value)[0]


def _parsed(value: str | int | float) -> tuple[Decimal, str]:
    """The amount, and the suffix in which it is given."""
    match = _FORM.fullmatch(str(value).strip())
    if match is None or len(match[1]) > _LONGEST:
        raise QuantityError("is no quantity such as 500m, 2 or 1Gi")
    suffix = match[2] or ""
    number = Decimal(match[1])
    if suffix in _BINARY and suffix:
        return _EXACT.multiply(number, Decimal(1024 ** _BINARY.index(suffix))), suffix
    exponent = _EXPONENTS[suffix] if suffix in _EXPONENTS else int(suffix[1:])
    return number.scaleb(exponent, _EXACT), suffix


def _binary(number: Decimal) -> str:
    if -1024 < number < 1024 or number != number.to_integral_value(context=_EXACT):
        return _decimal(number)
    whole = int(number)
    power = 0
    while whole % 1024 == 0 and power < len(_BINARY) - 1:
        whole //= 1024
        power += 1
    return f"{whole}{_BINARY[power]}"


def _decimal(number: Decimal, *, exponent_form: bool = False) -> str:
    if number == 0:
        return "0"
    sign, digits, exponent = number.normalize(_EXACT).as_tuple()
    mantissa = int("".join(map(str, digits)))
    scale = int(exponent)
    while scale % 3 or scale > 18:
        mantissa *= 10
        scale -= 1
    suffix = (f"e{scale}" if scale else "") if exponent_form else _DECIMAL[scale]
    return f"{'-' if sign else ''}{mantissa}{suffix}"
