"""The two shapes of a JSON value that have parts, told apart so that type checkers follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    from app.hooks.objects import Object


def is_object(value: Any) -> TypeGuard[Object]:
    """Whether it is a JSON object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether it is a JSON list."""
    return isinstance(value, list)
