"""Lists of names in messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_LIST = 400
"""Characters of a list of names; what to do with them must still fit into the message."""


def shortened(names: Sequence[str]) -> str:
    """The names with commas; a long list is cut and counted."""
    shown = ""
    for count, name in enumerate(names):
        if len(shown) + len(name) > LONGEST_LIST:
            return f"{shown} and {len(names) - count} more"
        shown += f", {name}" if shown else name
    return shown
