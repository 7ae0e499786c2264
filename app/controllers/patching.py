"""``spec.patches`` on generated children: JSON Patches, applied after rendering and before the guard.

A patch says which of its operations failed and why, in words that quote no value. It may change everything but what makes a
child ours: its identity, its owner, Metacontroller's label, its status; and it neither reads nor writes what a Secret or the
ControllerRevision of a rollback holds.
The outline of a child, upon which its other fields hang, stays too: a pod template without containers is no object to send.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, cast

from jsonpatch import JsonPatch, JsonPatchException, JsonPatchTestFailed
from jsonpointer import JsonPointerException

from app.apis.built_in import schema_problem
from app.hooks.canonical.form import canonicalise
from app.hooks.canonical.stored_form import SYSTEM_METADATA
from app.hooks.objects import CONTROLLER_UID, annotations_of
from app.resources.config_map import CONFIG_FILE
from app.resources.container_resources import check_resources
from app.resources.errors import Unbuildable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.apis.patches import Patch, PatchOperation
    from app.hooks.objects import Object

_IDENTITY = ("/apiVersion", "/kind", "/status", *(f"/metadata/{field}" for field in ("name", "namespace", *SYSTEM_METADATA)))
_CONTENT = {"Secret": ("/data", "/stringData", "/immutable", "/type"), "ControllerRevision": ("/data", "/revision")}
"""What is ours alone, by kind: values that nobody may read, and pods that a rollback brings back as they ran."""
_POD_TEMPLATE = (
    "/spec/template",
    *(f"/spec/template/{field}" for field in ("metadata", "metadata/labels", "spec", "spec/containers")),
)
_OUTLINE = frozenset({"/metadata/labels", "/spec", *_POD_TEMPLATE, "/data", f"/data/{CONFIG_FILE}"})
"""What stays, and not empty, where it is rendered."""
_SELECTING = frozenset({"Deployment", "StatefulSet", "Job"})
"""Workloads, whose selector the API server lets nobody change."""
_OWN_ANNOTATIONS = "litellm.palena.ai/"


class PatchFailed(Exception):
    """A patch that does not apply. The text names the operation and why."""


def patched(child: Object, patches: Sequence[Patch] | None) -> Object:
    """The child with every patch for it applied, in its stored form; itself where there is none. Raises :class:`PatchFailed`."""
    form = child
    for index, patch in enumerate(patches or ()):
        if _is_for(patch, child):
            where = f"spec.patches[{index}]"
            form = _applied(form, patch, where)
            if problem := _fixed(child, form) or _reshaped(child, form, ""):
                raise PatchFailed(f"{where} {problem}")
            if problem := _unsound(canonicalise(form).form):
                raise PatchFailed(f"after {where} {problem}")
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
    for path in touched if kind in _CONTENT else []:
        if path in {"", "/metadata"} or any(_within(path, field) for field in _CONTENT[kind]):
            return f"may not touch {path or 'the whole object'} of a {kind}"
    return ""


def _fixed(child: Object, form: Object) -> str:
    """What was changed and may not be, by whichever path it was reached; empty if nothing."""
    if child["kind"] in _SELECTING and _selector(form) != _selector(child):
        return "may not change /spec/selector"
    before, after = annotations_of(child), annotations_of(form)
    changed = [key for key in before if key.startswith(_OWN_ANNOTATIONS) and after.get(key) != before[key]]
    if changed:
        return f"may not change the annotation {changed[0]}"
    texts = _map(form.get("data")) if child["kind"] == "ConfigMap" else {}
    return next((f"may not make /data/{key} other than a text" for key, text in texts.items() if not isinstance(text, str)), "")


def _unsound(form: Object) -> str:
    """Why the API server would refuse the object, or drop a part of it; empty as far as its schema tells."""
    if problem := schema_problem(form):
        return problem
    if form["kind"] in _SELECTING:
        labels = _map(_map(form["spec"]["template"])["metadata"])["labels"]
        selected = _map(_map(_selector(form)).get("matchLabels"))
        if missing := next((key for key, value in selected.items() if labels.get(key) != value), ""):
            return f"the pods lack the label {missing} by which they are selected"
        return _amounts(form["spec"]["template"]["spec"])
    return ""


def _amounts(pod: Object) -> str:
    """What a container asks for and cannot have; empty if nothing. Types are as in the schema."""
    try:
        for field in ("initContainers", "containers"):
            for index, container in enumerate(cast("list[Object]", pod.get(field) or [])):
                check_resources(container.get("resources") or {}, f"spec.template.spec.{field}[{index}].resources")
    except Unbuildable as error:
        return str(error)
    return ""


def _reshaped(before: Any, after: Any, path: str) -> str:
    """What of the outline is gone, or which object, list or single value became another of the three; empty if nothing."""
    if _shape(before) is not _shape(after):
        return f"may not make {path} other than {_SHAPES[_shape(before)]}"
    if isinstance(before, dict):
        rendered, patched_fields = cast("Object", before), cast("Object", after)
        for key, value in rendered.items():
            place = f"{path}/{key}"
            if place in _OUTLINE and not patched_fields.get(key):
                return f"may not remove {place}"
            if patched_fields.get(key) is not None and (problem := _reshaped(value, patched_fields[key], place)):
                return problem
    elif isinstance(before, list) and before:
        # Items of one list have one schema, so the first tells of all, wherever a patch puts them.
        model = cast("list[Any]", before)[0]
        found = (_reshaped(model, item, f"{path}/{index}") for index, item in enumerate(cast("list[Any]", after)))
        return next((problem for problem in found if problem), "")
    return ""


_SHAPES = {dict: "an object", list: "a list", object: "a single value"}


def _shape(value: Any) -> type:
    return next((shape for shape in (dict, list) if isinstance(value, shape)), object)


def _selector(workload: Object) -> Any:
    return _map(workload.get("spec")).get("selector")


def _map(value: Any) -> Object:
    return cast("Object", value) if isinstance(value, dict) else {}


def _within(path: str, field: str) -> bool:
    return path == field or path.startswith(f"{field}/")
