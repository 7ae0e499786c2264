"""Operations of ``spec.patches`` that lack what RFC 6902 asks of them; the schema sees to everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.sim.json_values import is_list, is_object

if TYPE_CHECKING:
    from app.hooks.objects import Object

NEEDED_MEMBER = {"add": "value", "replace": "value", "test": "value", "move": "from", "copy": "from"}
"""What an operation of a JSON Patch must have beside ``op`` and ``path``."""


def patch_errors(item: Object) -> list[str]:
    """What each operation lacks, with its path. What is no operation at all, the schema refuses."""
    errors: list[str] = []
    for position, entry in enumerate(_list_in(item.get("spec"), "patches")):
        for number, operation in enumerate(_list_in(entry, "patch")):
            needed = NEEDED_MEMBER.get(str(operation.get("op"))) if is_object(operation) else None
            if needed and needed not in operation:
                path = f"spec.patches[{position}].patch[{number}].{needed}"
                errors.append(f"{path}: Required value: {operation['op']} needs it (RFC 6902)")
    return errors


def _list_in(value: Any, name: str) -> list[Any]:
    found = value.get(name) if is_object(value) else None
    return found if is_list(found) else []
