"""References to Secrets and ConfigMaps by names and keys that no such object can have.

The schema lets any text pass, the API server refuses the pods. The reference reads the same in the spec, so the user is told
where they wrote it; only one from a patch or another object is told by its place in the pods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from app.hooks.field_path import field_path
from app.hooks.names import data_key_problem, reference_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

_BY_KEY = ("secretKeyRef", "configMapKeyRef")
_WHOLE = {"secretRef": "name", "configMapRef": "name", "secret": "secretName", "configMap": "name"}


class Illegal(NamedTuple):
    """A reference that cannot be."""

    path: str
    """To the object with the name, in the pod template: ``spec.containers[0].env[3].valueFrom.secretKeyRef``."""
    field: str
    """``name``, ``secretName`` or ``key``."""
    problem: str
    name: Any
    key: Any


def illegal_reference(template: Object) -> Illegal | None:
    """The first one in a pod template."""
    return next(_illegal(template.get("spec"), "spec.template.spec"), None)


def where_written(found: Illegal, spec: Object) -> str:
    """The field that is wrong: the spec's, where that holds the same reference, else the pod's."""
    written = next(_written(spec, "spec", found), "")
    field = ("key" if found.field == "key" else "name") if written else found.field
    return field_path(written or found.path, field)


def _illegal(value: Any, path: str) -> Iterator[Illegal]:
    if isinstance(value, list):
        for index, item in enumerate(cast("list[Any]", value)):
            yield from _illegal(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        for name, item in cast("Object", value).items():
            yield from _at(name, item, field_path(path, name))
            yield from _illegal(item, field_path(path, name))


def _at(name: str, item: Any, path: str) -> Iterator[Illegal]:
    if not isinstance(item, dict) or (name not in _BY_KEY and name not in _WHOLE):
        return
    fields = cast("Object", item)
    # In a projected volume a Secret is called by its name.
    at = "name" if name in _BY_KEY or "name" in fields else _WHOLE[name]
    given, key = fields.get(at), fields.get("key")
    if problem := reference_problem(given):
        yield Illegal(path, at, problem, given, key)
    elif name in _BY_KEY and (problem := data_key_problem(key)):
        yield Illegal(path, "key", problem, given, key)


def _written(value: Any, path: str, found: Illegal) -> Iterator[str]:
    """Where a spec has the same reference."""
    if isinstance(value, list):
        for index, item in enumerate(cast("list[Any]", value)):
            yield from _written(item, f"{path}[{index}]", found)
    elif isinstance(value, dict):
        fields = cast("Object", value)
        if fields.get("name") == found.name and (not found.key or fields.get("key") in {found.key, None}):
            yield path
        for name, item in fields.items():
            yield from _written(item, field_path(path, name), found)
