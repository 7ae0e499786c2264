"""``metadata.managedFields``: who owns which fields, and how a write moves ownership."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.sim.memory.field_path import FieldSet, decoded, encoded, in_order, readable
from app.sim.memory.field_sets import difference

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.hooks.objects import Object
    from app.sim.memory.field_sets import Difference
    from app.sim.memory.shape import Shape

APPLY, UPDATE = "Apply", "Update"


@dataclass(frozen=True, slots=True)
class Manager:
    """One writer in one role. The same name may own fields by applying and, apart from that, by updating."""

    name: str
    operation: str
    subresource: str = ""


Owned = dict[Manager, FieldSet]


def owned_fields(item: Object) -> Owned:
    """Who owns what, as the object says."""
    return {_manager(entry): decoded(entry["fieldsV1"]) for entry in item["metadata"].get("managedFields", [])}


def after_update(live: Object | None, item: Object, shape: Shape, writer: Manager) -> Owned:
    """Who owns what after a plain write: the writer what it changed, nobody any more what is gone."""
    changed = difference(live or {}, item, shape)
    owned = _without({} if live is None else owned_fields(live), changed, but=writer)
    mine = (owned.get(writer, frozenset()) | changed.claimed) - changed.removed
    return {**owned, writer: mine}


def _without(owned: Owned, changed: Difference, *, but: Manager) -> Owned:
    gone = changed.claimed | changed.removed
    return {manager: fields if manager == but else fields - gone for manager, fields in owned.items()}


def write(item: Object, owned: Owned, live: Object | None, now: str) -> None:
    """Put the owners into the object. The time of an entry moves only with its fields."""
    before = {} if live is None else {_manager(entry): entry for entry in live["metadata"].get("managedFields", [])}
    entries: list[Object] = []
    for manager, fields in owned.items():
        if not fields:
            continue
        entry: Object = {
            "manager": manager.name,
            "operation": manager.operation,
            "apiVersion": item["apiVersion"],
            "time": now,
            "fieldsType": "FieldsV1",
            "fieldsV1": encoded(fields),
        }
        if manager.subresource:
            entry["subresource"] = manager.subresource
        earlier = before.get(manager, {})
        entries.append(earlier if earlier.get("fieldsV1") == entry["fieldsV1"] else entry)
    if entries:
        item["metadata"]["managedFields"] = sorted(
            entries, key=lambda entry: (entry["operation"], entry["time"], entry["manager"])
        )
    else:
        item["metadata"].pop("managedFields", None)


def conflict_text(conflicts: Mapping[Manager, FieldSet], api_version: str) -> str:
    """The refusal of an apply that would take fields from other managers."""
    count = sum(len(fields) for fields in conflicts.values())
    if count == 1:
        manager, fields = next(iter(conflicts.items()))
        return f"Apply failed with 1 conflict: conflict with {_described(manager, api_version)}: {readable(next(iter(fields)))}"
    lines: list[str] = []
    for manager, fields in sorted(conflicts.items(), key=lambda one: one[0].name):
        lines.append(f"conflicts with {_described(manager, api_version)}:")
        lines += [f"- {readable(path)}" for path in in_order(fields)]
    return f"Apply failed with {count} conflicts: " + "\n".join(lines)


def _described(manager: Manager, api_version: str) -> str:
    using = f" using {api_version}" if manager.operation == UPDATE else ""
    return f'"{manager.name}"{_subresource(manager)}{using}'


def _subresource(manager: Manager) -> str:
    return f' with subresource "{manager.subresource}"' if manager.subresource else ""


def _manager(entry: Object) -> Manager:
    return Manager(entry["manager"], entry["operation"], entry.get("subresource", ""))
