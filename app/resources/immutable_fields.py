"""Fields of existing objects that the API server lets nobody change, or that Palena never updates.

An update of them is refused for ever, so it is better not asked for. The rules are Kubernetes' own (the validation of updates of
each kind); a claim is never updated at all, because its rule is OnDelete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.hooks.field_path import field_path
from app.hooks.observed_fields import object_in

if TYPE_CHECKING:
    from app.hooks.objects import Object

_WHOLE = {
    "Deployment": ("spec.selector",),
    "StatefulSet": ("spec.selector", "spec.serviceName", "spec.podManagementPolicy", "spec.volumeClaimTemplates"),
    "Service": ("spec.clusterIP", "spec.clusterIPs"),
    "PersistentVolumeClaim": ("spec",),
    "Secret": ("type",),
}
"""What stays. Where the object says more than what is wanted, the API server has filled it in."""
_CONTENT = ("data", "binaryData", "stringData")
"""What stays of a ConfigMap or Secret that is marked immutable."""


def fixed_field(observed: Object, wanted: Object) -> str:
    """The first field that is wanted otherwise than it is and must stay, ``spec.selector``; empty if there is none."""
    kind = str(observed["kind"])
    for path in _WHOLE.get(kind, ()):
        before, after = _at(observed, path), _at(wanted, path)
        if after is None or after == before or (kind == "Service" and not before):
            continue
        if found := _difference(before, after, path, exact=path == "spec.selector"):
            return found
    if observed.get("immutable") is not True:
        return ""
    changed = (name for name in _CONTENT if name in wanted and wanted[name] != observed.get(name))
    return next((f"{name} (it is immutable)" for name in changed), "")


def _difference(before: Any, after: Any, path: str, *, exact: bool) -> str:
    if isinstance(after, dict) and isinstance(before, dict):
        fields, there = cast("Object", after), cast("Object", before)
        if exact and there.keys() - fields.keys():
            return path
        found = (_difference(there.get(name), item, field_path(path, name), exact=exact) for name, item in fields.items())
        return next((one for one in found if one), "")
    if isinstance(after, list) and isinstance(before, list):
        items, present = cast("list[Any]", after), cast("list[Any]", before)
        if len(items) != len(present):
            return path
        pairs = enumerate(zip(present, items, strict=True))
        return next((one for at, (old, new) in pairs if (one := _difference(old, new, f"{path}[{at}]", exact=exact))), "")
    return "" if before == after else path


def _at(item: Object, path: str) -> Any:
    section, _, field = path.partition(".")
    return object_in(item, section).get(field) if field else item.get(section)
