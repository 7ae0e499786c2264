"""What an unquoted text in a YAML file stands for, as kubectl reads it.

kubectl's reader and PyYAML disagree: ``y`` is true, ``1e3`` a number, ``1:30`` and a date are texts, ``0o17`` is 15. What lint
says must hold for the object that kubectl sends.
"""

from __future__ import annotations

import math
import re

Scalar = str | int | float | bool | None

_FIRST_OF_NUMBERS = frozenset("+-.0123456789")
# As many digits as 64 bits can have; longer ones are floats, or texts where a float can't be written so.
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,19}|0[bB][01]{1,64}|0[xX][0-9a-fA-F]{1,16}|0[oO]?[0-7]{1,22})")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_BARE_OCTAL = re.compile(r"[-+]?0[0-7]+")


def _spelled(*words: str) -> list[str]:
    return [spelling for word in words for spelling in (word, word.capitalize(), word.upper())]


_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(_spelled("y", "yes", "true", "on"), True),
    **dict.fromkeys(_spelled("n", "no", "false", "off"), False),
    **dict.fromkeys(["", "~", *_spelled("null")], None),
    **dict.fromkeys([".nan", ".NaN", ".NAN"], math.nan),
    **{f"{sign}.{word}": float(f"{sign}inf") for sign in ("", "+", "-") for word in _spelled("inf")},
}


def plain(text: str) -> Scalar:
    """The value of an unquoted text. It may be one that JSON does not have: an infinity, or none of the numbers."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _FIRST_OF_NUMBERS:
        return text
    digits = text if text[0] == "." else text.replace("_", "")
    if _INTEGER.fullmatch(digits):
        number = int(digits, 8 if _BARE_OCTAL.fullmatch(digits) else 0)
        if abs(number) < 2**64:
            return whole(number)
    if _FLOAT.fullmatch(digits) and math.isfinite(number := float(digits)):
        return whole(number)
    return text


def whole(number: float) -> int | float:
    """A number as the API server holds it: an integer where it is whole and 64 bits hold it, a float otherwise."""
    if isinstance(number, float) and not number.is_integer():
        return number
    return int(number) if -(2**63) <= number < 2**63 else float(number)
