"""Kubernetes objects as plain JSON, and the few words Metacontroller adds to them.

Nothing here knows our kinds or performs I/O. Objects are the dictionaries that came over the wire: they are never
copied deeply and never changed in place.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from app.hooks.observed_fields import object_in

Object = dict[str, Any]
"""Any JSON object: a Kubernetes object or a part of one."""

LAST_APPLIED = "metacontroller.k8s.io/last-applied-configuration"
"""Annotation in which dynamic apply keeps the JSON text of what it applied last."""

DECORATOR = "metacontroller.k8s.io/decorator-controller"
"""Annotation that ties an attachment to its DecoratorController."""

CONTROLLER_UID = "controller-uid"
"""Label that ``generateSelector: true`` puts on every child; its value is the parent's uid."""


@dataclass(frozen=True)
class Resource:
    """One served kind: how it is written in manifests, in hook bodies and in URLs."""

    api_version: str
    """``v1`` or ``<group>/<version>``, exactly as the child or related rule spells it."""
    kind: str
    plural: str
    """Lower-case plural, the ``resource`` of Metacontroller's rules."""
    namespaced: bool = True

    @property
    def group(self) -> str:
        """The API group; empty for the core group."""
        return self.api_version.rpartition("/")[0]

    @property
    def version(self) -> str:
        """The API version without its group."""
        return self.api_version.rpartition("/")[2]

    @cached_property
    def key(self) -> str:
        """The outer key of ``children``, ``attachments`` and ``related``: ``<Kind>.<apiVersion>``."""
        return f"{self.kind}.{self.api_version}"


def resource_key(item: Object) -> str:
    """The outer key under which an object is observed: ``<Kind>.<apiVersion>``."""
    return f"{item['kind']}.{item['apiVersion']}"


def object_key(item: Object) -> str:
    """The inner key of version 2 hooks: ``namespace/name``, or ``name`` for a cluster-scoped object."""
    metadata = item["metadata"]
    namespace = metadata.get("namespace")
    return f"{namespace}/{metadata['name']}" if namespace else str(metadata["name"])


def reference(item: Object) -> str:
    """``<Kind> <namespace>/<name>``, for messages."""
    return f"{item['kind']} {object_key(item)}"


def terminating(item: Object) -> bool:
    """Whether the object is being deleted."""
    return bool(item["metadata"].get("deletionTimestamp"))


def annotations_of(item: Object) -> Object:
    """The annotations of an object, whoever wrote them; empty where there are none."""
    return object_in(item["metadata"], "annotations")


def labels_of(item: Object) -> Object:
    """The labels, likewise."""
    return object_in(item["metadata"], "labels")
