"""Which fields an object gives a value to, and which differ between two objects: the ground that field ownership stands on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.sim.json_values import is_list, is_object
from app.sim.memory.field_path import FieldSet, Steps, field_step, key_step, readable, value_step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object
    from app.sim.memory.shape import Shape

_UNOWNED: FieldSet = frozenset(
    {("f:apiVersion",), ("f:kind",), ("f:metadata",)}
    | {
        ("f:metadata", field_step(name))
        for name in (
            "name",
            "namespace",
            "uid",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "generation",
            "resourceVersion",
            "managedFields",
            "selfLink",
        )
    }
)
"""What nobody owns: the identity of the object."""


class Untyped(Exception):
    """The schema can't make sense of a configuration: a field that it does not declare, or two items of one key."""


@dataclass
class Difference:
    """The paths that differ, those within a whole new or vanished part included."""

    added: set[Steps] = field(default_factory=set[Steps])
    modified: set[Steps] = field(default_factory=set[Steps])
    removed: set[Steps] = field(default_factory=set[Steps])

    @property
    def claimed(self) -> FieldSet:
        """What the writer becomes an owner of."""
        return frozenset(self.added | self.modified) - _UNOWNED


def applied_fields(config: Object, shape: Shape) -> FieldSet:
    """What an applied configuration has an opinion on. Raises :class:`Untyped`."""
    return frozenset(_leaves(config, shape, ())) - _UNOWNED


def difference(old: Object, new: Object, shape: Shape) -> Difference:
    """What an update changes."""
    found = Difference()
    _compare(old, new, shape, (), found)
    return found


def items_by_step(items: list[Any], shape: Shape) -> dict[str, Any] | None:
    """The items of a keyed list or set by the step that leads to them; none if the list is atomic."""
    if shape.is_set:
        return {value_step(item): item for item in items}
    if not shape.keys or not all(is_object(item) for item in items):
        return None
    return {key_step(_keys_of(item, shape)): item for item in items}


def _keys_of(item: Object, shape: Shape) -> Object:
    return {name: item.get(name, shape.defaults.get(name)) for name in shape.keys if name in item or name in shape.defaults}


def _leaves(value: Any, shape: Shape, path: Steps) -> Iterator[Steps]:
    if is_object(value) and value and not shape.atomic:
        if shape.entry:
            yield path
        for name, one in value.items():
            here = (*path, field_step(name))
            child = shape.child(name)
            if child is None:
                raise Untyped(f"{readable(here)}: field not declared in schema")
            yield from _leaves(one, child, here)
        return
    if is_list(value) and (items := items_by_step(value, shape)) is not None:
        if len(items) < len(value):
            raise Untyped(f"{readable(path)}: duplicate entries for key {_repeated(value, shape)}")
        for step, one in items.items():
            yield (*path, step)
            if not shape.is_set:
                yield from _leaves(one, shape.item(), (*path, step))
        return
    yield path


def _repeated(items: list[Any], shape: Shape) -> str:
    steps = [value_step(item) if shape.is_set else key_step(_keys_of(item, shape)) for item in items]
    return readable((next(step for step in steps if steps.count(step) > 1),))


def _nodes(value: Any, shape: Shape, path: Steps) -> Iterator[Steps]:
    """Every path in a value, the ones that merely lead further too."""
    yield path
    if is_object(value) and not shape.atomic:
        for name, one in value.items():
            child = shape.child(name)
            if child is not None:
                yield from _nodes(one, child, (*path, field_step(name)))
    elif is_list(value):
        for step, one in (items_by_step(value, shape) or {}).items():
            yield from _nodes(one, shape.item(), (*path, step))


def _compare(old: Any, new: Any, shape: Shape, path: Steps, found: Difference) -> None:
    if old == new:
        return
    if is_object(old) and is_object(new) and not shape.atomic:
        for name in old.keys() | new.keys():
            child = shape.child(name)
            if child is not None:
                _compare_part(name in old, old.get(name), name in new, new.get(name), child, (*path, field_step(name)), found)
        return
    if is_list(old) and is_list(new):
        before, after = items_by_step(old, shape), items_by_step(new, shape)
        if before is not None and after is not None:
            item = shape.item()
            for step in before.keys() | after.keys():
                _compare_part(step in before, before.get(step), step in after, after.get(step), item, (*path, step), found)
            return
    found.modified.add(path)


def _compare_part(was: bool, old: Any, is_now: bool, new: Any, shape: Shape, path: Steps, found: Difference) -> None:
    if was and is_now:
        _compare(old, new, shape, path, found)
    elif is_now:
        found.added.update(_nodes(new, shape, path))
    else:
        found.removed.update(_nodes(old, shape, path))
