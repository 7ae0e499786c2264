"""Whether Kubernetes takes an entry for an environment variable of a container, and whether two say the same.

The API server judges a pod as a whole, and much later than the spec is read: one variable that is none keeps every pod from
being made, so each is judged before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from app.hooks.canonical.quantities import QuantityError, canonical_quantity
from app.hooks.names import annotation_key_problem, data_key_problem, label_key_problem, reference_problem

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEYED = ("secretKeyRef", "configMapKeyRef")
_POD_FIELD = re.compile(
    r"metadata\.(name|namespace|uid|(?P<of>labels|annotations)\['(?P<key>[^']*)'\])|spec\.(nodeName|serviceAccountName)|status\.(hostIPs?|podIPs?)"
)
_AMOUNT = re.compile(r"(limits|requests)\.(?P<of>cpu|memory|ephemeral-storage|hugepages-.*)")
_BYTES = ("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei")


def variable_problem(variable: Mapping[str, Any]) -> tuple[str, str] | None:
    """Field and problem of an entry that Kubernetes takes for no variable; None for one that it takes."""
    name = variable.get("name")
    if not isinstance(name, str) or not name or not name.isascii() or not name.isprintable() or "=" in name:
        return "name", "must be printable ASCII without '='"
    value: Any = variable.get("value") or ""
    if not isinstance(value, str):
        return "value", "must be a string"
    if "\0" in value:
        return "value", "must have no NUL in it"
    if variable.get("value") and variable.get("valueFrom"):
        return "", "has both a value and a valueFrom"
    source: Any = variable.get("valueFrom")
    if source is not None and not (isinstance(source, dict) and _given(cast("dict[str, Any]", source)) == 1):
        return "valueFrom", "must have one source"
    return _source_problem(cast("dict[str, Any]", source or {}))


def _source_problem(source: Mapping[str, Any]) -> tuple[str, str] | None:
    """The same of where a variable is read: nothing of that name or key can be, or pods have no such field."""
    for kind, fields in source.items():
        path, given = f"valueFrom.{kind}", cast("dict[str, Any]", fields) if isinstance(fields, dict) else {}
        if kind in _KEYED and (found := reference_flaw(given.get("name"), given.get("key"))):
            return f"{path}.{found[0]}", found[1]
        if kind == "fieldRef" and (found := _field_problem(given)):
            return f"{path}.{found[0]}", found[1]
        if kind == "resourceFieldRef" and (found := _amount_problem(given)):
            return f"{path}.{found[0]}", found[1]
    return None


def _field_problem(given: Mapping[str, Any]) -> tuple[str, str] | None:
    if not _is_pod_field(str(given.get("fieldPath"))):
        return "fieldPath", "is no field of a pod that a variable can have"
    return ("apiVersion", "must be v1") if given.get("apiVersion") not in (None, "", "v1") else None


def _amount_problem(given: Mapping[str, Any]) -> tuple[str, str] | None:
    resource = _AMOUNT.fullmatch(str(given.get("resource")))
    if resource is None:
        return "resource", "is no amount that a container has, such as limits.memory"
    units = ("1m", "1") if resource["of"] == "cpu" else _BYTES
    try:
        divisor = canonical_quantity(str(given.get("divisor") or 0))
    except QuantityError as error:
        return "divisor", str(error)
    return None if divisor in ("0", *units) else ("divisor", f"must be one of {', '.join(units)}")


def _is_pod_field(path: str) -> bool:
    found = _POD_FIELD.fullmatch(path)
    if found is None or found["key"] is None:
        return found is not None
    return not (label_key_problem if found["of"] == "labels" else annotation_key_problem)(found["key"])


def reference_flaw(name: object, key: object) -> tuple[str, str] | None:
    """Field and problem of a reference to what no Secret or ConfigMap can be called, or have as a key."""
    if problem := reference_problem(name):
        return "name", problem
    problem = data_key_problem(key)
    return ("key", problem) if problem else None


def _given(fields: Mapping[str, Any]) -> int:
    return sum(item is not None for item in fields.values())


def variable_content(variable: Mapping[str, Any]) -> dict[str, Any]:
    """What is in a variable, so that two can be compared: an empty field is none."""
    return {field: item for field, item in variable.items() if field != "name" and item}
