"""Which lists Metacontroller's dynamic apply merges item by item, and by which key.

A list counts as keyed when every item is an object and all of them share one of these fields; the first field in this
order wins, whatever the kind. Everything else is replaced whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

MERGE_KEYS = ("containerPort", "port", "mountPath", "name", "uid", "ip", "path")


def merge_key(items: Iterable[Any]) -> str | None:
    """The field that identifies the items, or nothing when the list is replaced whole. An empty list has no key."""
    listed = list(items)
    if not listed or not all(isinstance(item, dict) for item in listed):
        return None
    return next((key for key in MERGE_KEYS if all(key in item for item in listed)), None)
