"""Defaults that the API server fills in inside lists which Metacontroller replaces whole.

Elsewhere an omitted default is harmless, because dynamic apply leaves foreign fields alone. In a list without a merge key
the stored items are compared as they are, so what the server adds there has to be spelled out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from app.hooks.canonical.change import Change
from app.hooks.objects import Object

_Fill = Callable[[Object], Object]


def spell_out(child: Object) -> tuple[Object, list[Change]]:
    """The child with those defaults, and where one was missing. ``child`` itself is left alone."""
    changes: list[Change] = []
    form = child
    for path, fill in _RULES.get(f"{child.get('kind')}.{child.get('apiVersion')}", ()):
        form = _at(form, path, "", fill, changes)
    return form, changes


def _at(value: Any, path: tuple[str, ...], where: str, fill: _Fill, changes: list[Change]) -> Any:
    """``value`` with ``fill`` applied to the objects at ``path``, in which ``*`` stands for every item of a list."""
    if not path:
        return _filled(value, where, fill, changes)
    step, rest = path[0], path[1:]
    if step == "*" and isinstance(value, list):
        items = cast("list[Any]", value)
        form = [_at(item, rest, f"{where}[{index}]", fill, changes) for index, item in enumerate(items)]
        return items if all(new is old for new, old in zip(form, items, strict=True)) else form
    if isinstance(value, dict) and step in value:
        fields = cast("Object", value)
        form = _at(fields[step], rest, f"{where}.{step}" if where else step, fill, changes)
        return fields if form is fields[step] else {**fields, step: form}
    return cast("Any", value)


def _filled(value: Any, where: str, fill: _Fill, changes: list[Change]) -> Any:
    if not isinstance(value, dict):
        return value
    fields = cast("Object", value)
    form = fill(fields)
    if form == fields:
        return fields
    missing = ", ".join(key for key in form if form[key] != fields.get(key))
    changes.append(Change(where, f"must spell out {missing}: the API server fills it in inside a list that is replaced whole"))
    return form


def _protocol(port: Object) -> Object:
    return {"protocol": "TCP"} | port


def _claim_template(template: Object) -> Object:
    spec = {"volumeMode": "Filesystem"} | cast("Object", template.get("spec") or {})
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim"} | template | {"spec": spec, "status": {"phase": "Pending"}}


def _token(source: Object) -> Object:
    return {"expirationSeconds": 3600} | source


def _field_ref(reference: Object) -> Object:
    return {"apiVersion": "v1"} | reference


_SOURCES = ("volumes", "*", "projected", "sources", "*")


def _projected(pod: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], _Fill], ...]:
    return (
        ((*pod, *_SOURCES, "serviceAccountToken"), _token),
        ((*pod, *_SOURCES, "downwardAPI", "items", "*", "fieldRef"), _field_ref),
    )


_POD_TEMPLATE = _projected(("spec", "template", "spec"))

_RULES: dict[str, tuple[tuple[tuple[str, ...], _Fill], ...]] = {
    "NetworkPolicy.networking.k8s.io/v1": (
        (("spec", "ingress", "*", "ports", "*"), _protocol),
        (("spec", "egress", "*", "ports", "*"), _protocol),
    ),
    "StatefulSet.apps/v1": ((("spec", "volumeClaimTemplates", "*"), _claim_template), *_POD_TEMPLATE),
    "Deployment.apps/v1": _POD_TEMPLATE,
    "DaemonSet.apps/v1": _POD_TEMPLATE,
    "Job.batch/v1": _POD_TEMPLATE,
    "CronJob.batch/v1": _projected(("spec", "jobTemplate", "spec", "template", "spec")),
    "Pod.v1": _projected(("spec",)),
}
"""By ``<Kind>.<apiVersion>``: where the objects are, and what is filled in there."""
