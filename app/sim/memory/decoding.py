"""What the API server can't even decode: values of another type than the Go field that they are meant for.

Of a custom resource that is its metadata; everything else is its schema's affair. Of built-in kinds only what somebody here
reads is known by type. The texts are those of Go's decoder, which tells the first misfit only; as kubectl, fields go by name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from app.sim.json_values import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

_TEXT, _TEXTS, _FLAG, _COUNT, _UID, _BYTES = "string", "map[string]string", "bool", "int64", "types.UID", "map[string][]uint8"
_META, _SCHEMA = "v1.ObjectMeta", "v1.JSONSchemaProps"

_STRUCTS: dict[str, dict[str, str]] = {
    _META: {
        **dict.fromkeys(["name", "generateName", "namespace", "selfLink", "resourceVersion"], _TEXT),
        **dict.fromkeys(["creationTimestamp", "deletionTimestamp"], _TEXT),
        **dict.fromkeys(["generation", "deletionGracePeriodSeconds"], _COUNT),
        **dict.fromkeys(["labels", "annotations"], _TEXTS),
        "uid": _UID,
        "finalizers": "[]string",
        "ownerReferences": "[]v1.OwnerReference",
        "managedFields": "[]v1.ManagedFieldsEntry",
    },
    "v1.OwnerReference": {
        **dict.fromkeys(["apiVersion", "kind", "name"], _TEXT),
        **dict.fromkeys(["controller", "blockOwnerDeletion"], _FLAG),
        "uid": _UID,
    },
    "v1.ManagedFieldsEntry": {},
    "v1.CustomResourceDefinitionSpec": {
        "group": _TEXT,
        "scope": "v1.ResourceScope",
        "names": "v1.CustomResourceDefinitionNames",
        "versions": "[]v1.CustomResourceDefinitionVersion",
    },
    "v1.CustomResourceDefinitionNames": {
        **dict.fromkeys(["plural", "singular", "kind", "listKind"], _TEXT),
        **dict.fromkeys(["shortNames", "categories"], "[]string"),
    },
    "v1.CustomResourceDefinitionVersion": {
        "name": _TEXT,
        **dict.fromkeys(["served", "storage"], _FLAG),
        "schema": "v1.CustomResourceValidation",
        "subresources": "v1.CustomResourceSubresources",
    },
    "v1.CustomResourceSubresources": {},
    "v1.CustomResourceValidation": {"openAPIV3Schema": _SCHEMA},
    _SCHEMA: {
        **dict.fromkeys(["type", "format", "pattern", "x-kubernetes-list-type", "x-kubernetes-map-type"], _TEXT),
        **dict.fromkeys(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"], _COUNT),
        **dict.fromkeys(["minimum", "maximum", "multipleOf"], "float64"),
        **dict.fromkeys(["exclusiveMinimum", "exclusiveMaximum", "uniqueItems", "nullable"], _FLAG),
        **dict.fromkeys(["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"], _FLAG),
        "x-kubernetes-int-or-string": _FLAG,
        **dict.fromkeys(["required", "x-kubernetes-list-map-keys"], "[]string"),
        "enum": "[]v1.JSON",
        **dict.fromkeys(["items", "not"], _SCHEMA),
        **dict.fromkeys(["allOf", "anyOf", "oneOf"], f"[]{_SCHEMA}"),
        "properties": f"map[string]{_SCHEMA}",
        "additionalProperties": "v1.JSONSchemaPropsOrBool",
        "x-kubernetes-validations": "[]v1.ValidationRule",
    },
    "v1.ValidationRule": dict.fromkeys(["rule", "message", "messageExpression", "reason", "fieldPath"], _TEXT),
}
"""The Go types that are objects, with those fields of which the type matters here."""

_OF_KINDS: dict[str, dict[str, str]] = {
    "ConfigMap": {"data": _TEXTS, "binaryData": _BYTES, "immutable": _FLAG},
    "Secret": {"data": _BYTES, "stringData": _TEXTS, "immutable": _FLAG, "type": "v1.SecretType"},
    "CustomResourceDefinition": {"spec": "v1.CustomResourceDefinitionSpec"},
}
_WITHOUT_SPEC = {
    *("ServiceAccount", "Event", "Endpoints", "ControllerRevision"),
    *("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"),
}

_FOUND: dict[type, str] = {bool: "bool", int: "number", float: "number", str: "string", list: "array", dict: "object"}
_SCALARS: dict[str, tuple[type, ...]] = {
    _FLAG: (bool,),
    _COUNT: (int,),
    "float64": (int, float),
    **dict.fromkeys([_TEXT, _UID, "v1.SecretType", "v1.ResourceScope"], (str,)),
}
"""The types that have no parts, as Python has them."""


def undecodable(item: Object, *, custom: bool) -> str:
    """The refusal of an object that does not fit its Go type, or nothing. ``custom`` is any kind that is not built in."""
    kind, version = item["kind"], item["apiVersion"].rpartition("/")[2]
    metadata: Any = item.get("metadata")
    misfits = _misfits(metadata, _META, "", ()) if custom else _of_kind(item, kind, version)
    text = next(misfits, "")
    return f'{kind} in version "{version}" cannot be handled as a {kind}: {text}' if text else ""


def _of_kind(item: Object, kind: str, version: str) -> Iterator[str]:
    others: dict[str, str] = {}
    if kind not in _WITHOUT_SPEC:
        others = _OF_KINDS.get(kind) or {"spec": f"{version}.{kind}Spec", "status": f"{version}.{kind}Status"}
    for name, go_type in sorted({"metadata": _META, **others}.items()):
        yield from _misfits(item.get(name), go_type, kind, (name,))


def _misfits(value: Any, go_type: str, struct: str, path: tuple[str, ...]) -> Iterator[str]:
    """``struct`` is the Go type that has the field ``path``; without a path the value is decoded on its own."""
    if value is None or go_type == "v1.JSON" or (go_type == "v1.JSONSchemaPropsOrBool" and isinstance(value, bool)):
        return
    if go_type == "[]uint8" and isinstance(value, str):
        yield from _misfits_of_base64(value)
    elif (inner := _inner(go_type, value)) is not None:
        name = go_type.rpartition(".")[2]
        for field, one, one_type in inner:
            yield from _misfits(one, one_type, name if field else struct, (*path, field) if field else path)
    elif not isinstance(value, _SCALARS.get(go_type, ())) or (isinstance(value, bool) and go_type != _FLAG):
        yield _misfit(value, go_type, struct, path)


def _inner(go_type: str, value: Any) -> list[tuple[str, Any, str]] | None:
    """The parts of a value that is a map, list or object as its type has it: field or nothing, part, and the part's type."""
    if go_type.startswith("map[string]"):
        return [("", one, go_type.removeprefix("map[string]")) for one in value.values()] if is_object(value) else None
    if go_type.startswith("[]"):
        return [("", one, go_type.removeprefix("[]")) for one in value] if is_list(value) else None
    if not is_object(value) or go_type in _SCALARS:
        return None
    fields = _STRUCTS.get(_SCHEMA if go_type == "v1.JSONSchemaPropsOrBool" else go_type, {})
    return [(name, value[name], fields[name]) for name in sorted(value) if name in fields]


def _misfit(value: Any, go_type: str, struct: str, path: tuple[str, ...]) -> str:
    found = f"number {value}" if isinstance(value, float) and go_type == _COUNT else _FOUND[type(value)]
    where = f"struct field {struct}.{'.'.join(path)}" if path else "value"
    return f"json: cannot unmarshal {found} into Go {where} of type {go_type}"


_QUANTA = re.compile(r"([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


def _misfits_of_base64(text: str) -> Iterator[str]:
    """Lines may be broken anywhere."""
    text = text.replace("\n", "").replace("\r", "")
    if not _QUANTA.fullmatch(text):
        valid = re.match(r"[A-Za-z0-9+/]*", text)
        length = valid.end() if valid else 0
        yield f"illegal base64 data at input byte {length if length < len(text) else length // 4 * 4}"
