"""``spec.patches`` on generated children: JSON Patches, applied after rendering and before the guard.

A patch says which of its operations failed and why, in words that quote no value. It may change everything but what makes a
child ours: its identity, its owner, Metacontroller's label, its status; and it neither reads nor writes what a Secret holds.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from jsonpatch import JsonPatch, JsonPatchException, JsonPatchTestFailed
from jsonpointer import JsonPointerException

from app.hooks.canonical.form import canonicalise
from app.hooks.canonical.stored_form import SYSTEM_METADATA
from app.hooks.objects import CONTROLLER_UID

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.apis.patches import Patch, PatchOperation
    from app.hooks.objects import Object

_IDENTITY = ("/apiVersion", "/kind", "/status", *(f"/metadata/{field}" for field in ("name", "namespace", *SYSTEM_METADATA)))
_SECRET = ("/data", "/stringData", "/immutable", "/type")


class PatchFailed(Exception):
    """A patch that does not apply. The text names the operation and why."""


def patched(child: Object, patches: Sequence[Patch] | None) -> Object:
    """The child with every patch for it applied, in its stored form; itself where there is none. Raises :class:`PatchFailed`."""
    form = child
    for index, patch in enumerate(patches or ()):
        if _is_for(patch, child):
            form = _applied(form, patch, f"spec.patches[{index}]")
    if form is child:
        return child
    return canonicalise(form).form


def without_target(patches: Sequence[Patch] | None, children: Iterable[Object]) -> list[str]:
    """Patches that are for none of the children, as sentences."""
    all_children = list(children)
    return [
        f"spec.patches[{index}] is for no generated object ({_target(patch)})"
        for index, patch in enumerate(patches or ())
        if not any(_is_for(patch, child) for child in all_children)
    ]


def _is_for(patch: Patch, child: Object) -> bool:
    target = patch.target
    return target.kind == child["kind"] and target.name in (None, child["metadata"]["name"])


def _target(patch: Patch) -> str:
    return f"{patch.target.kind} {patch.target.name}" if patch.target.name else patch.target.kind


def _applied(child: Object, patch: Patch, where: str) -> Object:
    form: Any = deepcopy(child)
    for index, operation in enumerate(patch.patch):
        place = f"{where}.patch[{index}]"
        if problem := _forbidden(operation, child["kind"]):
            raise PatchFailed(f"{place} {problem}")
        try:
            form = JsonPatch([_wire(operation)]).apply(form, in_place=True)
        except JsonPatchTestFailed:
            raise PatchFailed(f"{place}: the test of {operation.path} does not hold") from None
        except (JsonPatchException, JsonPointerException, TypeError, KeyError, IndexError):
            raise PatchFailed(
                f"{place}: there is nothing at {operation.path or 'the root'} that {operation.op} can be done to"
            ) from None
    return form


def _wire(operation: PatchOperation) -> Object:
    source = {"from": operation.from_} if operation.op in {"move", "copy"} else {}
    value = {"value": deepcopy(operation.value)} if operation.op in {"add", "replace", "test"} else {}
    return {"op": operation.op, "path": operation.path, **source, **value}


def _forbidden(operation: PatchOperation, kind: str) -> str:
    """Why the operation is not allowed; empty if it is."""
    written = [operation.path] if operation.op != "test" else []
    written += [operation.from_ or ""] if operation.op == "move" else []
    touched = [operation.path, *([operation.from_ or ""] if operation.op in {"move", "copy"} else [])]
    for path in written:
        if path in {"", "/metadata"} or any(_within(path, field) for field in _IDENTITY):
            return f"may not change {path or 'the whole object'}"
        if path == "/metadata/labels" or _within(path, f"/metadata/labels/{CONTROLLER_UID}"):
            return f"may not change {path}: labels are changed one by one, Metacontroller's not at all"
    if kind == "Secret":
        for path in touched:
            if path in {"", "/metadata"} or any(_within(path, field) for field in _SECRET):
                return f"may not touch {path or 'the whole object'} of a Secret"
    return ""


def _within(path: str, field: str) -> bool:
    return path == field or path.startswith(f"{field}/")
