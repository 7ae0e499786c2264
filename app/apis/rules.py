"""Rules between fields: once in CEL for the API server, once in Python for our hooks.

An object may have been stored before its rule existed, so the hooks enforce every rule too, and the CEL engine stays out of the
service. ``tests/cases`` has one table of cases a kind: the CEL text, its Python twin and the real API server are held to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

M = TypeVar("M")


@dataclass(frozen=True)
class Rule(Generic[M]):
    """One entry of ``x-kubernetes-validations``.

    A rule that uses ``matches`` or nested ``all`` needs ``maxLength`` or ``maxItems`` on what it reads: the API server estimates
    its cost and refuses the definition otherwise.
    """

    cel: str
    """The expression; ``self`` is the object the rule is declared on, after defaulting."""
    message: str
    """What the API server and our ``InvalidSpec`` answer when it does not hold."""
    holds: Callable[[M], bool]
    """The twin: the same decision on the checked model."""

    def schema(self) -> dict[str, Any]:
        """The entry as the CustomResourceDefinition has it."""
        return {"rule": self.cel, "message": self.message}
