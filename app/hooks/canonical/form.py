"""A desired child in the form in which the API server will store it.

What a user wrote may be legal and still not what is stored (``cpu: 1000m``, an empty environment value, a null from a
patch). Metacontroller would write such a child on every sync, so it is rewritten first. The same walk serves the guard:
a child is canonical when there is nothing to change. What should be a quantity and is none is told apart: no form of it is
ever stored.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from app.hooks.canonical.change import Change
from app.hooks.canonical.list_defaults import spell_out
from app.hooks.canonical.quantities import MILLI, NANO, QuantityError, canonical_quantity
from app.hooks.canonical.stored_form import (
    DROPPED_WHEN_BLANK,
    DROPPED_WHEN_EMPTY,
    DROPPED_WHEN_FALSE,
    DROPPED_WHEN_ZERO,
    KEPT_EMPTY,
    OPAQUE_MAPS,
    QUANTITIES,
    QUANTITY_MAPS,
    built_in,
)
from app.hooks.field_path import field_path
from app.hooks.merge_keys import merge_key

if TYPE_CHECKING:
    from decimal import Decimal

    from app.hooks.objects import Object

_DROPPED = object()


class Canonical(NamedTuple):
    """A child in its stored form."""

    form: Object
    changes: list[Change]
    """What was changed for it."""
    unreadable: list[Change]
    """What was left as it is and will be refused by the API server."""


def canonicalise(child: Object) -> Canonical:
    """The child in its stored form. ``child`` itself is left alone."""
    walk = _Walk(tables=built_in(str(child.get("apiVersion", ""))))
    form = walk.map(child, "")
    if child.get("kind") == "Secret" and child.get("apiVersion") == "v1":
        form = walk.secret(form)
    form, spelled_out = spell_out(form)
    return Canonical(form, walk.changes + spelled_out, walk.unreadable)


class _Walk:
    """One pass over a child. Containers are copied only where something in them changes."""

    def __init__(self, *, tables: bool) -> None:
        self._tables = tables
        self.changes: list[Change] = []
        self.unreadable: list[Change] = []

    def map(self, value: Object, path: str, *, opaque: bool = False) -> Object:
        form: Object = {}
        changed = False
        for key, item in value.items():
            stored = self._field(key, item, field_path(path, key), opaque=opaque)
            changed = changed or stored is not item
            if stored is not _DROPPED:
                form[key] = stored
        return form if changed else value

    def _field(self, key: str, value: Any, path: str, *, opaque: bool) -> Any:
        tables = self._tables and not opaque
        if tables and key in QUANTITY_MAPS and isinstance(value, dict):
            value, opaque = self._quantities(cast("Object", value), path), True
        if tables and key in QUANTITIES and isinstance(value, str | int | float):
            return self._quantity(value, path)
        stored = (
            self.list(key, cast("list[Any]", value), path) if isinstance(value, list) else self._item(key, value, path, opaque)
        )
        if tables and stored is not _DROPPED and self._left_out(key, stored):
            return self._drop(path, "is empty, so the API server leaves it out")
        return stored

    def _item(self, key: str, value: Any, path: str, opaque: bool) -> Any:
        if value is None:
            return self._drop(path, "is null")
        if isinstance(value, dict):
            return self.map(cast("Object", value), path, opaque=opaque or key in OPAQUE_MAPS)
        if isinstance(value, float) and value.is_integer():
            return self._change(path, "must be written as an integer", int(value))
        return value

    def list(self, key: str, items: list[Any], path: str) -> Any:
        kept = [
            (index, item, stored)
            for index, item in enumerate(items)
            if (stored := self._list_item(key, item, f"{path}[{index}]")) is not _DROPPED
        ]
        form = [stored for _, _, stored in kept]
        if self._tables:
            form = self._without_repeats(key, form, path)
        if len(form) == len(items) and all(stored is item for stored, item in zip(form, items, strict=True)):
            return items
        return form

    def _list_item(self, key: str, item: Any, path: str) -> Any:
        if isinstance(item, list):
            return self.list("", cast("list[Any]", item), path)
        stored: Any = self._item("", item, path, opaque=False)
        if self._tables and key == "env" and isinstance(stored, dict) and stored.get("value") == "":  # pyright: ignore[reportUnknownMemberType]
            without = {name: value for name, value in cast("Object", stored).items() if name != "value"}
            return self._change(f"{path}.value", "is empty, so the API server leaves it out", without)
        return cast("Any", stored)

    def _without_repeats(self, key: str, items: list[Any], path: str) -> list[Any]:
        """Without items that a later one replaces: equal ones, and variables of one name, of which the last one counts."""
        identity = merge_key(items)
        if identity is None or len({str(item[identity]) for item in items}) == len(items):
            return items
        later: list[Any] = []
        for index in range(len(items) - 1, -1, -1):
            item = items[index]
            repeats = [other for other in later if other[identity] == item[identity]]
            if repeats and (key == "env" or item in repeats):
                self._change(f"{path}[{index}]", f"repeats the {identity} of a later item", None)
            else:
                later.append(item)
        return later[::-1]

    def _left_out(self, key: str, value: Any) -> bool:
        if value is False:
            return key in DROPPED_WHEN_FALSE
        if isinstance(value, int):
            return value == 0 and key in DROPPED_WHEN_ZERO
        if isinstance(value, str):
            return not value and key in DROPPED_WHEN_BLANK
        return value in ({}, []) and key in DROPPED_WHEN_EMPTY and key not in KEPT_EMPTY

    def _quantities(self, value: Object, path: str) -> Object:
        form = {
            key: self._quantity(item, field_path(path, key), MILLI) if isinstance(item, str | int | float) else item
            for key, item in value.items()
        }
        return value if all(form[key] is value[key] for key in value) else form

    def _quantity(self, value: Any, path: str, finest: Decimal = NANO) -> Any:
        try:
            form = canonical_quantity(value, finest)
        except QuantityError as error:
            self.unreadable.append(Change(path, str(error)))
            return value
        return value if form == value else self._change(path, f"must be written {form!r}", form)

    def secret(self, form: Object) -> Object:
        """``stringData`` is written once and never stored: its values belong into ``data``."""
        clear = form.get("stringData")
        if not isinstance(clear, dict):
            return form
        encoded = {key: b64encode(str(value).encode()).decode() for key, value in cast("Object", clear).items()}
        self._change("stringData", "is never stored; its values belong into data", None)
        data = cast("Object", form.get("data") or {}) | encoded
        return {key: value for key, value in form.items() if key != "stringData"} | {"data": data}

    def _drop(self, path: str, problem: str) -> Any:
        return self._change(path, problem, _DROPPED)

    def _change(self, path: str, problem: str, form: Any) -> Any:
        self.changes.append(Change(path, problem))
        return form
