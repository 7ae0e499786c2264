"""The metadata of an object: what others put there, what the spec says, and the mark. Always written in full.

LiteLLM keeps some fields in there too, and an update of one of them without the metadata loses the mark at 1.81.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from app.litellm.entities.ownership import MARK

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Wanted
    from app.litellm.entities.ownership import Mark

ENTRY = "metadata."
"""Before the name of an entry, where a mark tells which fields were sent."""


def whole(
    wanted: Wanted,
    mark: Mark,
    stored: Any = None,
    dropped: frozenset[str] = frozenset(),
    inside: frozenset[str] = frozenset(),
    *,
    field: str = "metadata",
) -> Object:
    """What is written, given what is stored.

    ``dropped`` are fields that we sent before and that are not wanted any more; ``inside`` those that LiteLLM keeps in there;
    ``field`` is the kind's name for its metadata.
    """
    own: Object = wanted.fields.get(field, {})
    sent = mark.fields | {ENTRY + name for name in own}
    return {**_others(stored, dropped, inside), **own, MARK: replace(mark, fields=sent).written()}


def is_entry(name: str) -> bool:
    """Whether a mark's name of a field is that of an entry."""
    return name.startswith(ENTRY)


def _others(stored: Any, dropped: frozenset[str], inside: frozenset[str]) -> Object:
    gone = {MARK, *(dropped & inside), *(name.removeprefix(ENTRY) for name in dropped if is_entry(name))}
    return {name: value for name, value in cast("Object", stored).items() if name not in gone} if isinstance(stored, dict) else {}
