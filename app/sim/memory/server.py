"""The verbs of the in-memory API server: what a write does to an object, in the API server's order.

A write is: copy, look at what is stored, put back what the client may not change, defaults, pruning, validation, generation,
field owners, store. A write that changes nothing moves nothing. Watching and garbage collection are elsewhere
(:mod:`.cluster`, :mod:`.collector`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from app.sim.cluster import AlreadyExists, Conflict, Forbidden, Invalid, NotFound, Propagation

from . import admission, metadata
from .kinds import CRD_KIND, ServedKind, ServedKinds, custom_kinds
from .store import Store, Stored

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from app.hooks.objects import Object

FOREGROUND, ORPHAN, CRD_CLEANUP = "foregroundDeletion", "orphan", "customresourcecleanup.apiextensions.k8s.io"
_OF_PROPAGATION = {Propagation.FOREGROUND: [FOREGROUND], Propagation.ORPHAN: [ORPHAN], Propagation.BACKGROUND: []}
NAMESPACES = ("", "namespaces")


class ApiServer:
    """Kinds, objects and the rules between them. ``manager`` names the writer for ``managedFields``."""

    def __init__(self, *, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self.kinds = ServedKinds()
        self.store = Store()
        for name in ("default", "kube-system"):
            self.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}, manager="kube-apiserver")

    def find(self, kind: ServedKind, namespace: str, name: str) -> Stored:
        """The stored object, or :class:`NotFound`."""
        stored = self.store.get(kind.collection, namespace if kind.resource.namespaced else "", name)
        if stored is None:
            raise NotFound(f'{kind.qualified_plural} "{name}" not found')
        return stored

    def create(self, item: Object, *, manager: str) -> Stored:
        """POST."""
        item, kind = self._received(item)
        return self._insert(item, kind, manager)

    def update(self, item: Object, *, manager: str, subresource: str = "") -> Stored:
        """PUT of the object or of its status."""
        item, kind = self._received(item)
        stored = self.find(kind, item["metadata"].get("namespace", ""), item["metadata"].get("name", ""))
        version = item["metadata"].get("resourceVersion")
        if not version and kind.schema is not None:
            raise _invalid(kind, item, "metadata.resourceVersion: Invalid value: 0: must be specified for an update")
        return self._replace(stored, item, kind, subresource, manager)

    def merge_patch(
        self, kind: ServedKind, namespace: str, name: str, patch: Object, *, manager: str, subresource: str = ""
    ) -> Stored:
        """PATCH with a JSON merge patch (RFC 7386)."""
        stored = self.find(kind, namespace, name)
        item = orjson.loads(orjson.dumps(_merged(stored.live, patch)))
        item["apiVersion"] = kind.resource.api_version
        return self._replace(stored, item, kind, subresource, manager)

    def delete(self, kind: ServedKind, namespace: str, name: str, *, propagation: Propagation, uid: str = "") -> None:
        """DELETE. What has finalizers, or is given one by the propagation, only gets its deletionTimestamp."""
        stored = self.find(kind, namespace, name)
        live = stored.live
        if uid and uid != live["metadata"]["uid"]:
            text = f"Precondition failed: UID in precondition: {uid}, UID in object meta: {live['metadata']['uid']}"
            raise Conflict(f'Operation cannot be fulfilled on {kind.qualified_plural} "{name}": {text}')
        kept = [name for name in live["metadata"].get("finalizers", []) if name not in (FOREGROUND, ORPHAN)]
        finalizers = kept + _OF_PROPAGATION[propagation]
        item = stored.copied()
        item["metadata"]["finalizers"] = finalizers
        held = bool(finalizers) or kind.collection == NAMESPACES
        if not metadata.terminating(live):
            item["metadata"]["deletionTimestamp"] = metadata.timestamp(self._clock())
            if held and kind.collection != NAMESPACES:
                item["metadata"]["deletionGracePeriodSeconds"] = 0
                if "generation" in live["metadata"]:
                    item["metadata"]["generation"] += 1
            if kind.collection == NAMESPACES:
                item["status"] = {**item.get("status", {}), "phase": "Terminating"}
        metadata.tidy(item)
        if not held:
            self._remove(stored, stored.copied(), kind)
        elif item != live:
            self.store.put(kind.collection, item)

    def _received(self, item: Object) -> tuple[Object, ServedKind]:
        """A copy of what the client sent, and its kind."""
        item = orjson.loads(orjson.dumps(item))
        kind = self.kinds.named(item.get("apiVersion", ""), item.get("kind", ""))
        item.setdefault("metadata", {})
        if not kind.resource.namespaced and item["metadata"].pop("namespace", ""):
            raise _invalid(kind, item, "metadata.namespace: Forbidden: not allowed on this type")
        return item, kind

    def _insert(self, item: Object, kind: ServedKind, manager: str) -> Stored:
        meta = item["metadata"]
        if meta.pop("resourceVersion", ""):
            raise Invalid("resourceVersion should not be set on objects to be created")
        if not meta.get("name") and meta.get("generateName"):
            meta["name"] = f"{meta['generateName']}{self.store.revision + 1:05x}"
        if kind.resource.namespaced:
            self._check_namespace(kind, meta)
        if kind.has_status:
            item.pop("status", None)
        metadata.begin(item, kind, self.store.new_uid(), self._clock())
        admission.admit(item, None, kind)
        if self.store.get(kind.collection, meta.get("namespace", ""), meta["name"]):
            raise AlreadyExists(f'{kind.qualified_plural} "{meta["name"]}" already exists')
        if kind.collection == NAMESPACES:
            item["status"] = {"phase": "Active"}
        if kind.resource.kind == CRD_KIND:
            self._establish(item)
        return self.store.put(kind.collection, item)

    def _replace(self, stored: Stored, item: Object, kind: ServedKind, subresource: str, manager: str) -> Stored:
        live = (
            stored.live if stored.live["apiVersion"] == item["apiVersion"] else {**stored.live, "apiVersion": item["apiVersion"]}
        )
        self._check_preconditions(item, live, kind)
        if subresource == "status":
            item = {**stored.copied(), "status": item["status"]} if "status" in item else _without(stored.copied(), "status")
            item["apiVersion"] = live["apiVersion"]
        elif kind.has_status:
            item = {**item, "status": live["status"]} if "status" in live else _without(item, "status")
        metadata.carry_over(item, live)
        admission.admit(item, live, kind)
        if metadata.spec_differs(item, live, kind) and "generation" in live["metadata"]:
            item["metadata"]["generation"] = live["metadata"]["generation"] + 1
        item["metadata"]["resourceVersion"] = live["metadata"]["resourceVersion"]
        if metadata.terminating(item) and not item["metadata"].get("finalizers") and kind.collection != NAMESPACES:
            return self._remove(stored, item, kind)
        if item == live:
            return stored
        if kind.resource.kind == CRD_KIND:
            self._establish(item)
        return self.store.put(kind.collection, item)

    def _remove(self, stored: Stored, last: Object, kind: ServedKind) -> Stored:
        if kind.resource.kind == CRD_KIND:
            self.kinds.withdraw(last)
        return self.store.remove(stored, last)

    def _check_namespace(self, kind: ServedKind, meta: Object) -> None:
        namespace = meta.get("namespace", "")
        if not namespace:
            raise Invalid("an empty namespace may not be set during creation")
        stored = self.store.get(NAMESPACES, "", namespace)
        if stored is None:
            raise NotFound(f'namespaces "{namespace}" not found')
        if metadata.terminating(stored.live):
            text = f"unable to create new content in namespace {namespace} because it is being terminated"
            raise Forbidden(f'{kind.qualified_plural} "{meta.get("name", "")}" is forbidden: {text}')

    def _check_preconditions(self, item: Object, live: Object, kind: ServedKind) -> None:
        meta, before = item["metadata"], live["metadata"]
        refused = f'Operation cannot be fulfilled on {kind.qualified_plural} "{before["name"]}": '
        if meta.get("uid") and meta["uid"] != before["uid"]:
            raise Conflict(
                f"{refused}Precondition failed: UID in precondition: {meta['uid']}, UID in object meta: {before['uid']}"
            )
        if meta.get("resourceVersion") and meta["resourceVersion"] != before["resourceVersion"]:
            raise Conflict(
                f"{refused}the object has been modified; please apply your changes to the latest version and try again"
            )

    def _establish(self, crd: Object) -> None:
        """Serve the kinds of a CustomResourceDefinition, and say so in its status."""
        self.kinds.withdraw(crd)
        self.kinds.serve(custom_kinds(crd))
        conditions = [{"type": name, "status": "True"} for name in ("NamesAccepted", "Established")]
        crd["status"] = {"acceptedNames": crd["spec"]["names"], "conditions": conditions}


def _invalid(kind: ServedKind, item: Object, text: str) -> Invalid:
    return Invalid(f'{kind.qualified_kind} "{item["metadata"].get("name", "")}" is invalid: {text}')


def _merged(target: Object, patch: Object) -> Object:
    result = dict(target)
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict):
            before = result.get(name)
            result[name] = _merged(before if isinstance(before, dict) else {}, value)
        else:
            result[name] = value
    return result


def _without(item: Object, name: str) -> Object:
    return {key: value for key, value in item.items() if key != name}
