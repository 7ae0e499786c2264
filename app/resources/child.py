"""The frame of every object we build: identity, labels, and the form in which the API server stores it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.hooks.canonical.form import canonicalise
from app.hooks.field_path import field_path
from app.hooks.names import label_problems
from app.hooks.objects import CONTROLLER_UID, DECORATOR, LAST_APPLIED, Object
from app.resources.errors import Unbuildable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.hooks.objects import Resource
    from app.resources.gateway import Gateway


def child(
    resource: Resource,
    gateway: Gateway,
    name: str,
    *,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    **body: Any,
) -> Object:
    """The object in its stored form. Our own labels win over ``labels``; fields of ``body`` follow the metadata."""
    metadata: Object = {"name": name, "namespace": gateway.namespace, "labels": {**(labels or {}), **gateway.labels}}
    if annotations:
        metadata["annotations"] = dict(annotations)
    return canonicalise({"apiVersion": resource.api_version, "kind": resource.kind, "metadata": metadata, **body}).form


def user_labels(given: Mapping[str, str] | None, field: str) -> Mapping[str, str]:
    """Labels that a user gave at ``field``. Raises :class:`Unbuildable` for what the API server or Metacontroller refuses."""
    return _checked("labels", given, field, reserved=(CONTROLLER_UID,))


def user_annotations(given: Mapping[str, str] | None, field: str) -> Mapping[str, str]:
    """Annotations that a user gave at ``field``; raises as :func:`user_labels` does."""
    return _checked("annotations", given, field, reserved=(LAST_APPLIED, DECORATOR))


def _checked(kind: str, given: Mapping[str, str] | None, field: str, reserved: tuple[str, ...]) -> Mapping[str, str]:
    entries = dict(given or {})
    for path, problem in label_problems({kind: entries}):
        raise Unbuildable(field + path.removeprefix(f"metadata.{kind}"), problem)
    for key in reserved:
        if key in entries:
            raise Unbuildable(field_path(field, key), "belongs to Metacontroller")
    return entries
