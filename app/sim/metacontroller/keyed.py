"""Lists that are maps at heart: containers, ports, environment variables…

Dynamic apply knows no schema: which lists it merges by key is in :mod:`app.hooks.merge_keys`, how is here. Two ports of one
number and different protocols are one item to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from app.hooks.objects import Object


def by_key(items: list[Object], key: str) -> dict[str, Object]:
    """The items by their key. Of two with one key the later wins."""
    return {key_text(item[key]): item for item in items}


def in_order(merged: dict[str, Object], observed: list[Object], desired: list[Object], key: str) -> list[Object]:
    """The merged items as a list again: those observed in their order, then new ones in the order they were asked for.

    Two observed items of one key both become the merged one.
    """
    known = [key_text(item[key]) for item in observed]
    new = dict.fromkeys(key_text(item[key]) for item in desired)
    return [merged[one] for one in known if one in merged] + [merged[one] for one in new if one not in known]


def key_text(value: Any) -> str:
    """A key's value as text: the number 80 and the string "80" are one key."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, dict):
        # Go prints a map in the order of its keys.
        return str({name: key_text(item) for name, item in sorted(cast("Object", value).items())})
    if isinstance(value, list):
        return str([key_text(item) for item in cast("list[Any]", value)])
    return str(cast("object", value))
