"""What of a wanted object a live one does not have. What the live one has besides, filled in by a server or set by others, is
no difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.hooks.field_path import field_path
from app.hooks.merge_keys import merge_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object


def differing_fields(wanted: Any, live: Any, path: str = "") -> Iterator[str]:
    """The paths of the fields, in the order of ``wanted``; ``path`` is that of the values themselves.

    The items of a keyed list are told apart by their keys, ``containers[litellm].image``, and its length and order are free;
    those of another list by their places, and its length counts. An empty object or list is as good as none.
    """
    if isinstance(wanted, dict) and isinstance(live, dict):
        for name, item in cast("Object", wanted).items():
            yield from differing_fields(item, cast("Object", live).get(name), field_path(path, name))
    elif isinstance(wanted, list) and isinstance(live, list):
        yield from _differing_items(cast("list[Any]", wanted), cast("list[Any]", live), path)
    elif wanted != live and not (live is None and wanted in ({}, [])):
        yield path


def _differing_items(wanted: list[Any], live: list[Any], path: str) -> Iterator[str]:
    if (key := merge_key(wanted)) is not None:
        items = [cast("Object", item) for item in live if isinstance(item, dict)]
        present = {item.get(key): item for item in items}
        for item in wanted:
            yield from differing_fields(item, present.get(item[key]), f"{path}[{item[key]}]")
    elif len(wanted) != len(live):
        yield path
    else:
        for index, (item, there) in enumerate(zip(wanted, live, strict=True)):
            yield from differing_fields(item, there, f"{path}[{index}]")
