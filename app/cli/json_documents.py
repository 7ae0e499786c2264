"""The documents of a text in JSON.

JSON is not quite YAML: a character beyond 16 bits is written as two escapes, which no reader of YAML takes.
"""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

from app.cli.document import MAX_DEPTH, Document
from app.cli.yaml_scalars import whole
from app.sim.json_values import is_list, is_object


def json_documents(text: str) -> list[Document] | None:
    """The documents of a text that is JSON; none where it is not, or has what the reader of YAML finds better words for."""
    if not text.lstrip().startswith("{"):
        return None
    found: list[Document] = []
    position = 0
    try:
        while rest := text[position:].lstrip():
            begin = len(text) - len(rest)
            value, position = _JSON.raw_decode(text, begin)
            _check(value, 0)
            found.append(Document(text.count("\n", 0, begin) + 1, value))
    except (ValueError, RecursionError):
        return None
    return found


def _check(value: Any, depth: int) -> None:
    """Raises ValueError for half a character (a UnicodeError is one) and for what is nested too deeply."""
    if depth > MAX_DEPTH:
        raise ValueError
    if isinstance(value, str):
        value.encode()
    elif is_object(value):
        for name, one in value.items():
            name.encode()
            _check(one, depth + 1)
    elif is_list(value):
        for one in value:
            _check(one, depth + 1)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError
    return value


def _float(text: str) -> int | float:
    number = float(text)
    if not isfinite(number):
        raise ValueError
    return whole(number)


def _integer(text: str) -> int | float:
    number = int(text)
    return whole(number) if abs(number) < 2**64 else _float(text)


def _constant(_: str) -> None:
    """NaN and the infinities, which Python would take."""
    raise ValueError


_JSON = json.JSONDecoder(object_pairs_hook=_once, parse_int=_integer, parse_float=_float, parse_constant=_constant)
