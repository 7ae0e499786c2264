"""The verbs of the in-memory API server: what a write does to an object, in the API server's order.

A write is: copy, look at what is stored, put back what the client may not change, nulls and defaults and pruning, validation,
generation, field owners, store. A write that changes nothing moves nothing. Who is told, and the garbage collector, are
elsewhere (:mod:`.cluster`, :mod:`.collector`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from app.hooks.objects import terminating
from app.sim.cluster import AlreadyExists, ApiError, Conflict, Forbidden, Invalid, NotFound, Propagation
from app.sim.json_values import is_object
from app.sim.memory import admission, metadata
from app.sim.memory.apply import apply, first_applied
from app.sim.memory.decoding import undecodable
from app.sim.memory.field_sets import Untyped
from app.sim.memory.kinds import CRD_KIND, ServedKind, ServedKinds, custom_kinds
from app.sim.memory.managed_fields import APPLY, UPDATE, Manager, Owned, after_update, owned_fields, write
from app.sim.memory.metadata import NAMESPACES
from app.sim.memory.store import Store, Stored

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from app.hooks.objects import Object
    from app.sim.cel import Engine

FOREGROUND, ORPHAN = "foregroundDeletion", "orphan"
"""The finalizers that the garbage collector takes off."""

_A_FLOAT = re.compile(rb"\d(\.|e)\d|\de[-+]")
"""Only such a JSON text may have a float in it."""

_OF_PROPAGATION = {Propagation.FOREGROUND: [FOREGROUND], Propagation.ORPHAN: [ORPHAN], Propagation.BACKGROUND: []}


@dataclass(frozen=True)
class _Write:
    """Who writes, and how."""

    manager: Manager
    owned: Owned | None = None
    """The field owners that server-side apply has worked out; none for any other write."""
    dry_run: bool = False

    def owners(self, live: Object | None, item: Object, kind: ServedKind) -> Owned:
        """Who owns which field once this is written."""
        if self.owned is not None:
            return self.owned
        if live is not None and item == live:
            return owned_fields(live)
        return after_update(live, item, kind.shape, self.manager)


class ApiServer:
    """Kinds, objects and the rules between them. ``engine`` evaluates CEL rules."""

    def __init__(self, *, clock: Callable[[], datetime], engine: Engine) -> None:
        self._clock = clock
        self._engine = engine
        self.kinds = ServedKinds()
        self.store = Store()
        self.webhooks: list[Callable[[Object], str]] = []
        """Validating admission webhooks: each says why it denies an object, or nothing."""
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
        if item["metadata"].pop("resourceVersion", ""):
            raise ApiError("resourceVersion should not be set on objects to be created")
        item["metadata"].pop("managedFields", None)
        return self._insert(item, kind, _Write(Manager(manager, UPDATE)))

    def update(self, item: Object, *, manager: str, subresource: str = "") -> Stored:
        """PUT of the object or of its status."""
        item, kind = self._received(item)
        name = item["metadata"].get("name", "")
        stored = self.find(kind, item["metadata"].get("namespace", ""), name)
        if kind.schema is not None and not item["metadata"].get("resourceVersion"):
            text = "metadata.resourceVersion: Invalid value: 0: must be specified for an update"
            raise Invalid(f'{kind.qualified_plural} "{name}" is invalid: {text}')
        return self._replace(stored, item, kind, _Write(Manager(manager, UPDATE, subresource)))

    def merge_patch(
        self, kind: ServedKind, namespace: str, name: str, patch: Object, *, manager: str, subresource: str = ""
    ) -> Stored:
        """PATCH with a JSON merge patch (RFC 7386)."""
        stored = self.find(kind, namespace, name)
        item, _ = self._received({**_patched(stored.live, patch), "apiVersion": kind.resource.api_version})
        return self._replace(stored, item, kind, _Write(Manager(manager, UPDATE, subresource)))

    def apply(self, item: Object, *, manager: str, force: bool, dry_run: bool) -> Stored:
        """Server-side apply."""
        config, kind = self._received(item)
        meta = config["metadata"]
        if "managedFields" in meta:
            raise _bad_request("metadata.managedFields must be nil")
        if kind.has_status:
            config.pop("status", None)
        namespace, name, writer = meta.get("namespace", ""), meta.get("name", ""), Manager(manager, APPLY)
        stored = self.store.get(kind.collection, namespace, name)
        if stored is None and meta.get("uid"):
            text = f"uid mismatch: the provided object specified uid {meta['uid']}, and no existing object was found"
            raise Conflict(f'Operation cannot be fulfilled on {kind.qualified_plural} "{name}": {text}')
        try:
            if stored is None:
                applied = first_applied(config, kind.shape, writer)
            else:
                live: Object = {**stored.live, "apiVersion": kind.resource.api_version}
                applied = apply(live, config, kind.shape, writer, force=force)
        except Untyped as error:
            described = f"{namespace}/{name}; {kind.resource.api_version}, Kind={kind.resource.kind}"
            raise ApiError(f"failed to create typed patch object ({described}): {error}") from error
        request = _Write(writer, applied.owned, dry_run)
        item = _copied(applied.item)
        return self._insert(item, kind, request) if stored is None else self._replace(stored, item, kind, request)

    def delete(self, kind: ServedKind, namespace: str, name: str, *, propagation: Propagation, uid: str = "") -> None:
        """DELETE. What has finalizers, or is given one by the propagation, only gets its deletionTimestamp."""
        stored = self.find(kind, namespace, name)
        live = stored.live
        if uid and uid != live["metadata"]["uid"]:
            text = f"the UID in the precondition ({uid}) does not match the UID in record ({live['metadata']['uid']})"
            text += ". The object might have been deleted and then recreated"
            raise Conflict(f'Operation cannot be fulfilled on {kind.resource.kind} "{name}": {text}')
        item = stored.copied()
        kept = [one for one in live["metadata"].get("finalizers", []) if one not in (FOREGROUND, ORPHAN)]
        item["metadata"]["finalizers"] = finalizers = kept + _OF_PROPAGATION[propagation]
        if not finalizers and kind.collection != NAMESPACES:
            self.remove(stored, stored.copied())
            return
        metadata.tidy(item)
        if not terminating(live):
            metadata.mark_deleted(item, self._clock())
        if kind.collection == NAMESPACES:
            item["status"] = {**item["status"], "phase": "Terminating"}
        if item != live:
            self.store.put(kind.collection, item)

    def remove(self, stored: Stored, last: Object) -> Stored:
        """Take an object out of the store, finalizers or not; ``last`` is what watchers see of it."""
        if last["kind"] == CRD_KIND:
            self.kinds.withdraw(last)
            for instance in self.store.list(_defined(last)):
                self.store.remove(instance, instance.copied())
        return self.store.remove(stored, last)

    def _received(self, item: Object) -> tuple[Object, ServedKind]:
        """A copy of what the client sent, and its kind."""
        item = _copied(item)
        kind = self.kinds.named(item.get("apiVersion", ""), item.get("kind", ""))
        if text := undecodable(item, custom=kind.schema is not None):
            raise _bad_request(text)
        meta: Object = item.get("metadata") or {}
        item["metadata"] = meta
        if not kind.resource.namespaced and meta.pop("namespace", ""):
            text = "metadata.namespace: Forbidden: not allowed on this type"
            raise Invalid(f'{kind.qualified_kind} "{meta.get("name", "")}" is invalid: {text}')
        return item, kind

    def _insert(self, item: Object, kind: ServedKind, request: _Write) -> Stored:
        meta = item["metadata"]
        if not meta.get("name") and meta.get("generateName"):
            meta["name"] = f"{meta['generateName']}{self.store.revision + 1:05x}"
        if kind.resource.namespaced:
            self._check_namespace(kind, meta)
        if kind.has_status:
            item.pop("status", None)
        metadata.begin(item, kind, self.store.new_uid(), self._clock())
        admission.complete(item, kind, keep_nulls=request.owned is not None)
        admission.check(item, None, kind)
        self._admit(item)
        if taken := self.store.get(kind.collection, meta.get("namespace", ""), meta["name"]):
            deleted = "object is being deleted: " if terminating(taken.live) else ""
            raise AlreadyExists(f'{deleted}{kind.qualified_plural} "{meta["name"]}" already exists')
        write(item, request.owners(None, item, kind), None, metadata.timestamp(self._clock()))
        return self._stored(item, kind, request)

    def _replace(self, stored: Stored, item: Object, kind: ServedKind, request: _Write) -> Stored:
        live: Object = {**stored.live, "apiVersion": kind.resource.api_version}
        _check_preconditions(item["metadata"], live["metadata"], kind)
        if subresource := request.manager.subresource:
            if not kind.has_status:
                raise NotFound(f'{kind.qualified_plural} "{live["metadata"]["name"]}" not found')
            item = _with_field({**stored.copied(), "apiVersion": live["apiVersion"]}, item, subresource)
        elif kind.has_status:
            item = _with_field(item, live, "status")
        metadata.carry_over(item, live)
        admission.complete(item, kind, keep_nulls=request.owned is not None)
        admission.check(item, live, kind)
        if not request.manager.subresource and item != live:
            self._admit(item)
        if metadata.moves_generation(item, live, kind):
            item["metadata"]["generation"] = live["metadata"]["generation"] + 1
        item["metadata"]["resourceVersion"] = live["metadata"]["resourceVersion"]
        write(item, request.owners(live, item, kind), live, metadata.timestamp(self._clock()))
        if terminating(item) and not item["metadata"].get("finalizers") and kind.collection != NAMESPACES and not request.dry_run:
            return self.remove(stored, item)
        return stored if item == stored.live else self._stored(item, kind, request)

    def _stored(self, item: Object, kind: ServedKind, request: _Write) -> Stored:
        if request.dry_run:
            return Stored(kind.collection, item, orjson.dumps(item))
        if kind.resource.kind == CRD_KIND:
            self._establish(item)
        return self.store.put(kind.collection, item)

    def _admit(self, item: Object) -> None:
        for webhook in self.webhooks:
            if why := webhook(item):
                raise Forbidden(f"admission webhook denied the request: {why}")

    def _establish(self, crd: Object) -> None:
        """Serve the kinds of a CustomResourceDefinition, and say so in its status."""
        self.kinds.withdraw(crd)
        self.kinds.serve(custom_kinds(crd, self._engine))
        conditions = [{"type": name, "status": "True"} for name in ("NamesAccepted", "Established")]
        crd["status"] = {"acceptedNames": crd["spec"]["names"], "conditions": conditions}

    def _check_namespace(self, kind: ServedKind, meta: Object) -> None:
        namespace = meta.get("namespace", "")
        if not namespace:
            raise _bad_request("an empty namespace may not be set during creation")
        stored = self.store.get(NAMESPACES, "", namespace)
        if stored is None:
            raise NotFound(f'namespaces "{namespace}" not found')
        if terminating(stored.live):
            text = f"unable to create new content in namespace {namespace} because it is being terminated"
            raise Forbidden(f'{kind.qualified_plural} "{meta.get("name", "")}" is forbidden: {text}')


def _check_preconditions(meta: Object, before: Object, kind: ServedKind) -> None:
    refused = f'Operation cannot be fulfilled on {kind.qualified_plural} "{before["name"]}": '
    if meta.get("uid") and meta["uid"] != before["uid"]:
        raise Conflict(f"{refused}Precondition failed: UID in precondition: {meta['uid']}, UID in object meta: {before['uid']}")
    if meta.get("resourceVersion") and meta["resourceVersion"] != before["resourceVersion"]:
        raise Conflict(f"{refused}the object has been modified; please apply your changes to the latest version and try again")


def _copied(item: Object) -> Object:
    text = orjson.dumps(item)
    copy: Object = orjson.loads(text)
    return admission.whole_numbers(copy) if _A_FLOAT.search(text) else copy


def _patched(target: Object, patch: Object) -> Object:
    result = dict(target)
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif is_object(value):
            before = result.get(name)
            result[name] = _patched(before if is_object(before) else {}, value)
        else:
            result[name] = value
    return result


def _with_field(item: Object, source: Object, name: str) -> Object:
    """The item with one top-level field as it is in ``source``, absent if it is absent there."""
    rest = {key: value for key, value in item.items() if key != name}
    return {**rest, name: source[name]} if name in source else rest


def _defined(crd: Object) -> tuple[str, str]:
    return crd["spec"]["group"], crd["spec"]["names"]["plural"]


def _bad_request(text: str) -> Invalid:
    error = Invalid(text)
    error.status, error.reason = 400, "BadRequest"
    return error
