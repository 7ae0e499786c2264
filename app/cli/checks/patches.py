"""Operations of ``spec.patches`` that lack what RFC 6902 asks of them; the schema sees to everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.hooks.objects import Object

NEEDED_MEMBER = {"add": "value", "replace": "value", "test": "value", "move": "from", "copy": "from"}
"""What an operation of a JSON Patch must have beside ``op`` and ``path``."""


def patch_errors(item: Object) -> list[str]:
    """What each operation lacks, with its path."""
    errors: list[str] = []
    spec: Object = item.get("spec") or {}
    patches: list[Any] = spec.get("patches") or []
    for position, entry in enumerate(patches):
        operations: list[Object] = entry.get("patch") or []
        for number, operation in enumerate(operations):
            needed = NEEDED_MEMBER.get(str(operation.get("op")))
            if needed and needed not in operation:
                path = f"spec.patches[{position}].patch[{number}].{needed}"
                errors.append(f"{path}: Required value: {operation['op']} needs it (RFC 6902)")
    return errors
