"""Words that several messages share."""

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


def ignored_words(variables: Sequence[str]) -> str:
    """What is said of a guardrail's variables that the gateway has otherwise."""
    whose = "what its LiteLLMInstance, or an earlier entry, sets counts"
    return f"sets {shortened(variables)}, which the proxy has otherwise: {whose}, so set each in one place only"
