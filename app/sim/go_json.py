"""JSON as Go's encoder writes it: some of it is kept or compared as text by those who read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from app.sim.json_values import is_list, is_object

if TYPE_CHECKING:
    from app.hooks.objects import Object

_LONGEST = 2**63
"""Floats beyond are written with an exponent."""


def go_json(item: Object) -> str:
    """The object as text, byte for byte: sorted, compact, HTML escaped, no ``1.0``."""
    text = orjson.dumps(_go_numbers(item), option=orjson.OPT_SORT_KEYS).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _go_numbers(value: Any) -> Any:
    if is_object(value):
        return {key: _go_numbers(one) for key, one in value.items()}
    if is_list(value):
        return [_go_numbers(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < _LONGEST else value
