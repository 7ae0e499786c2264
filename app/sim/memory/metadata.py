"""What the API server writes into ``metadata`` itself, and what it refuses there.

Names, labels and owner references are checked as it checks them; the texts are its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from app.sim.validation.field_error import FieldError, forbidden, invalid, required

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from app.hooks.objects import Object

    from .kinds import ServedKind

_LABEL_NAME = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL_NAME}(\.{_LABEL_NAME})*"
_SUBDOMAIN_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with "
    f"an alphanumeric character (e.g. 'example.com', regex used for validation is '{_SUBDOMAIN}')"
)
_LABEL_TEXT = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an "
    f"alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{_LABEL_NAME}')"
)
_NAMED_BY_LABEL = {"namespaces", "services"}
_NAMED_FREELY = {"roles", "rolebindings", "clusterroles", "clusterrolebindings"}
_LABEL_VALUE = r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?"
_LABEL_VALUE_TEXT = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with "
    f"an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '{_LABEL_VALUE}')"
)
_MAX_ANNOTATIONS_BYTES = 262144

_OWN_FIELDS = (
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
    "managedFields",
    "namespace",
)


def timestamp(moment: datetime) -> str:
    """A time as the API writes it: UTC, whole seconds."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def terminating(item: Object) -> bool:
    """Whether the object has been deleted but something still holds it."""
    return "deletionTimestamp" in item["metadata"]


def begin(item: Object, kind: ServedKind, uid: str, now: datetime) -> None:
    """Give a new object its identity; whatever the client wrote there is overwritten."""
    metadata = item["metadata"]
    for name in _OWN_FIELDS:
        if name != "namespace":
            metadata.pop(name, None)
    metadata["uid"], metadata["creationTimestamp"] = uid, timestamp(now)
    if kind.counts_generations:
        metadata["generation"] = 1


def carry_over(item: Object, live: Object) -> None:
    """Put back what no update may change."""
    metadata, before = item["metadata"], live["metadata"]
    for name in _OWN_FIELDS:
        if name in before:
            metadata[name] = before[name]
        else:
            metadata.pop(name, None)


def tidy(item: Object) -> None:
    """Drop empty maps and lists of the metadata, which the API server does not store, and nulls."""
    metadata = item["metadata"]
    for name in ("labels", "annotations", "finalizers", "ownerReferences", "creationTimestamp", "deletionTimestamp"):
        if name in metadata and not metadata[name]:
            del metadata[name]


def spec_differs(item: Object, live: Object, kind: ServedKind) -> bool:
    """Whether an update moves the generation: everything outside metadata counts, and a status that is no subresource."""
    left_out = {"metadata", "status"} if kind.has_status else {"metadata"}
    if any(item.get(name) != live.get(name) for name in (item.keys() | live.keys()) - left_out):
        return True
    if kind.collection in _ANNOTATIONS_COUNT:
        return item["metadata"].get("annotations") != live["metadata"].get("annotations")
    return False


_ANNOTATIONS_COUNT = {("apps", "deployments")}
"""Kinds whose annotations are copied onward, so that an edit of them moves the generation too."""


def errors(item: Object, kind: ServedKind) -> Iterator[FieldError]:
    """What is wrong with name, labels, annotations and owner references."""
    metadata = item["metadata"]
    yield from _name_errors(metadata.get("name", ""), kind)
    for key, value in (metadata.get("labels") or {}).items():
        if len(value) > 63:
            yield invalid("metadata.labels", value, "must be no more than 63 bytes")
        if not re.fullmatch(_LABEL_VALUE, value, re.ASCII):
            yield invalid("metadata.labels", value, _LABEL_VALUE_TEXT)
        if not key:
            yield invalid("metadata.labels", key, "name part must be non-empty")
    size = sum(len(key.encode()) + len(value.encode()) for key, value in (metadata.get("annotations") or {}).items())
    if size > _MAX_ANNOTATIONS_BYTES:
        yield FieldError("metadata.annotations", f"Too long: may not be more than {_MAX_ANNOTATIONS_BYTES} bytes")
    yield from _owner_errors(metadata.get("ownerReferences") or [])


def _name_errors(name: str, kind: ServedKind) -> Iterator[FieldError]:
    plural = kind.resource.plural
    if not name:
        yield required("metadata.name", "name or generateName is required")
    elif plural in _NAMED_FREELY:
        if "/" in name or "%" in name or name in (".", ".."):
            yield invalid("metadata.name", name, "may not contain '/' or '%'")
    elif plural in _NAMED_BY_LABEL:
        if len(name) > 63:
            yield invalid("metadata.name", name, "must be no more than 63 bytes")
        if not re.fullmatch(_LABEL_NAME, name, re.ASCII):
            yield invalid("metadata.name", name, _LABEL_TEXT)
    else:
        if len(name) > 253:
            yield invalid("metadata.name", name, "must be no more than 253 bytes")
        if not re.fullmatch(_SUBDOMAIN, name, re.ASCII):
            yield invalid("metadata.name", name, _SUBDOMAIN_TEXT)


def _owner_errors(owners: list[Any]) -> Iterator[FieldError]:
    controller = ""
    for position, owner in enumerate(owners):
        path = f"metadata.ownerReferences[{position}]"
        for name in ("apiVersion", "kind", "name", "uid"):
            if not owner.get(name):
                yield required(f"{path}.{name}", "")
        if owner.get("controller"):
            if controller:
                text = f'Only one reference can have Controller set to true. Found "true" in references for {controller} and {_named(owner)}'
                yield invalid("metadata.ownerReferences", owners, text)
            controller = _named(owner)


def _named(owner: Object) -> str:
    return f"{owner.get('kind', '')}/{owner.get('name', '')}"


def finalizer_errors(item: Object, live: Object) -> Iterator[FieldError]:
    """A terminating object may lose finalizers, not gain them."""
    if terminating(live):
        known = set(live["metadata"].get("finalizers", []))
        if added := [name for name in item["metadata"].get("finalizers", []) if name not in known]:
            listed = ", ".join(f'"{name}"' for name in added)
            text = f"no new finalizers can be added if the object is being deleted, found new finalizers []string{{{listed}}}"
            yield forbidden("metadata.finalizers", text)
