"""Equality of JSON values as Metacontroller sees it: types count.

Python holds ``1 == 1.0 == True``. To Metacontroller these are three values, so a child that says ``1.0`` where the API server
stores ``1`` differs on every pass.
"""

from __future__ import annotations

from typing import Any, cast


def identical(left: Any, right: Any) -> bool:
    """Whether two JSON values are equal in type and content, all the way down."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        ours, theirs = cast("dict[str, Any]", left), cast("dict[str, Any]", right)
        return ours.keys() == theirs.keys() and all(identical(value, theirs[key]) for key, value in ours.items())
    if isinstance(left, list):
        items, others = cast("list[Any]", left), cast("list[Any]", right)
        return len(items) == len(others) and all(map(identical, items, others))
    return bool(left == right)
