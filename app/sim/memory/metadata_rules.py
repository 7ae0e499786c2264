"""What the API server refuses in ``metadata``: names, labels, annotations, owner references, finalizers.

The texts are its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from app.hooks.objects import terminating
from app.sim.validation.field_error import FieldError, Path, forbidden, invalid, required, too_long

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object
    from app.sim.memory.kinds import ServedKind

_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_KEY_NAME = r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_VALUE = rf"({_KEY_NAME})?"


def _rule(words: str, examples: str, pattern: str) -> str:
    return f"{words} ({examples}, regex used for validation is '{pattern}')"


_BOTH_ENDS = "must start and end with an alphanumeric character"
_SUBDOMAIN_TEXT = _rule(
    f"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and {_BOTH_ENDS}",
    "e.g. 'example.com'",
    _SUBDOMAIN,
)
_LABEL_TEXT = _rule(
    f"a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and {_BOTH_ENDS}",
    "e.g. 'my-name',  or '123-abc'",
    _LABEL,
)
_LABEL_VALUE_TEXT = _rule(
    f"a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and {_BOTH_ENDS}",
    "e.g. 'MyValue',  or 'my_value',  or '12345'",
    _LABEL_VALUE,
)
_KEY_NAME_TEXT = _rule(
    f"name part must consist of alphanumeric characters, '-', '_' or '.', and {_BOTH_ENDS}",
    "e.g. 'MyName',  or 'my.name',  or '123-abc'",
    _KEY_NAME,
)
_NAMED_BY_LABEL = {"namespaces", "services"}
_NAMED_FREELY = {"roles", "rolebindings", "clusterroles", "clusterrolebindings"}
_MAX_ANNOTATIONS = 262144


def metadata_errors(item: Object, kind: ServedKind) -> Iterator[FieldError]:
    """What is wrong with the metadata of an object, new or changed."""
    metadata = item["metadata"]
    yield from _name_errors(metadata.get("name", ""), kind)
    labels: dict[str, str] = metadata.get("labels", {})
    for key, value in labels.items():
        path = ("metadata", "labels")
        yield from _key_errors(path, key)
        if len(value) > 63:
            yield invalid(path, value, "must be no more than 63 bytes")
        if not _matches(_LABEL_VALUE, value):
            yield invalid(path, value, _LABEL_VALUE_TEXT)
    annotations: dict[str, str] = metadata.get("annotations", {})
    for key in annotations:
        yield from _key_errors(("metadata", "annotations"), key.lower())
    if sum(len(key.encode()) + len(value.encode()) for key, value in annotations.items()) > _MAX_ANNOTATIONS:
        yield too_long(("metadata", "annotations"), _MAX_ANNOTATIONS)
    yield from _owner_errors(metadata.get("ownerReferences", []))


def update_errors(item: Object, live: Object) -> Iterator[FieldError]:
    """What an update may not do: a terminating object may lose finalizers, not gain them."""
    if terminating(live):
        known = set(live["metadata"].get("finalizers", []))
        if added := [name for name in item["metadata"].get("finalizers", []) if name not in known]:
            listed = ", ".join(f'"{name}"' for name in added)
            text = f"no new finalizers can be added if the object is being deleted, found new finalizers []string{{{listed}}}"
            yield forbidden(("metadata", "finalizers"), text)


def _name_errors(name: str, kind: ServedKind) -> Iterator[FieldError]:
    path = ("metadata", "name")
    if not name:
        yield required(path, "name or generateName is required")
    elif kind.resource.plural in _NAMED_FREELY:
        if "/" in name or "%" in name or name in (".", ".."):
            yield invalid(path, name, "may not contain '/' or '%'")
    else:
        by_label = kind.resource.plural in _NAMED_BY_LABEL
        limit = 63 if by_label else 253
        if len(name) > limit:
            yield invalid(path, name, f"must be no more than {limit} bytes")
        if not _matches(_LABEL if by_label else _SUBDOMAIN, name):
            yield invalid(path, name, _LABEL_TEXT if by_label else _SUBDOMAIN_TEXT)


def _key_errors(path: Path, key: str) -> Iterator[FieldError]:
    prefix, slash, name = key.rpartition("/")
    if slash and not prefix:
        yield invalid(path, key, "prefix part must be non-empty")
    elif slash and not _matches(_SUBDOMAIN, prefix):
        yield invalid(path, key, f"prefix part {_SUBDOMAIN_TEXT}")
    if not name:
        yield invalid(path, key, "name part must be non-empty")
    elif len(name) > 63:
        yield invalid(path, key, "name part must be no more than 63 bytes")
    if not _matches(_KEY_NAME, name):
        yield invalid(path, key, _KEY_NAME_TEXT)


def _owner_errors(owners: list[Any]) -> Iterator[FieldError]:
    path: Path = ("metadata", "ownerReferences")
    controller = ""
    for owner in owners:
        for name in ("apiVersion", "kind", "name", "uid"):
            if not owner.get(name):
                yield invalid((*path, name), "", "must not be empty")
        if owner.get("controller"):
            this = f"{owner.get('kind', '')}/{owner.get('name', '')}"
            if controller:
                where = f"references for {controller} and {this}"
                yield invalid(path, owners, f'Only one reference can have Controller set to true. Found "true" in {where}')
            controller = this


def _matches(pattern: str, text: str) -> bool:
    return re.fullmatch(pattern, text, re.ASCII) is not None
