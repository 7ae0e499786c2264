"""Reads the names in a raw spec, which may say anything: what an object relates to is asked before its spec is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard, cast

from app.hooks.names import name_problem
from app.resources.references import OBJECT_NAME

if TYPE_CHECKING:
    from app.hooks.objects import Object


def spec_name(spec: Any, *path: str) -> Any:
    """The ``name`` of the reference at a path of a raw spec; nothing where there is none."""
    for key in (*path, "name"):
        spec = cast("Object", spec).get(key) if isinstance(spec, dict) else None
    return spec


def is_name(name: Any) -> TypeGuard[str]:
    """Whether it is a name that an object can have."""
    return isinstance(name, str) and bool(OBJECT_NAME.fullmatch(name)) and not name_problem("", name)
