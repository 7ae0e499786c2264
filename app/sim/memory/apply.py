"""Server-side apply: merge a configuration into an object, take over what it names, drop what its manager no longer names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.sim.cluster import Conflict
from app.sim.json_values import is_list, is_object
from app.sim.memory.field_path import Steps, field_step, prefixes
from app.sim.memory.field_sets import applied_fields, difference, items_by_step
from app.sim.memory.managed_fields import Manager, Owned, conflict_text, owned_fields

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.memory.shape import Shape


_METADATA: Steps = ("f:metadata",)


@dataclass(frozen=True)
class Applied:
    """The object after the merge, and who owns what then."""

    item: Object
    owned: Owned


def apply(live: Object, config: Object, shape: Shape, writer: Manager, *, force: bool) -> Applied:
    """Raises :class:`Conflict` where the configuration changes a field of another manager and ``force`` is not given.

    A configuration that does not fit the schema raises :class:`~.field_sets.Untyped`.
    """
    wanted = applied_fields(config, shape)
    merged = _merged(live, config, shape)
    owned = owned_fields(live)
    before = owned.get(writer, frozenset[Steps]())
    changed = difference(live, merged, shape)
    others = {one: fields for one, fields in owned.items() if one != writer}
    conflicts = {one: lost for one, fields in others.items() if (lost := fields & changed.claimed)}
    if conflicts and not force:
        raise Conflict(conflict_text(conflicts, live["apiVersion"]))
    owned = {one: fields - changed.claimed - changed.removed for one, fields in others.items()} | {writer: wanted}
    kept = prefixes(frozenset[Steps]().union(*owned.values()))
    return Applied(_pruned(merged, shape, (), prefixes(before) - kept - {_METADATA}), owned)


def first_applied(config: Object, shape: Shape, writer: Manager) -> Applied:
    """An apply that creates the object."""
    return Applied(config, {writer: applied_fields(config, shape)})


def _merged(live: Any, config: Any, shape: Shape) -> Any:
    if is_object(live) and is_object(config) and not shape.atomic:
        result = dict(live)
        for name, value in config.items():
            child = shape.child(name)
            result[name] = _merged(live[name], value, child) if name in live and child is not None else value
        return result
    if is_list(live) and is_list(config):
        ours, theirs = items_by_step(config, shape), items_by_step(live, shape)
        if ours is not None and theirs is not None:
            return _merged_items(theirs, ours, shape)
    return config


def _merged_items(live: dict[str, Any], config: dict[str, Any], shape: Shape) -> list[Any]:
    """The items of both: in the order of the configuration, and foreign ones where they stood between ours."""
    result: list[Any] = []
    item = shape.item()
    theirs, ours = list(live), list(config)
    while theirs or ours:
        if theirs and theirs[0] not in config:
            result.append(live[theirs.pop(0)])
        elif ours and (not theirs or ours[0] not in live or ours[0] == theirs[0]):
            step = ours.pop(0)
            result.append(_merged(live[step], config[step], item) if step in live else config[step])
            if theirs and theirs[0] == step:
                theirs.pop(0)
        else:
            theirs.pop(0)
    return result


def _pruned(value: Any, shape: Shape, path: Steps, dropped: set[Steps]) -> Any:
    """The value without the paths in ``dropped``."""
    if is_object(value) and not shape.atomic:
        result: Object = {}
        for name, one in value.items():
            here = (*path, field_step(name))
            child = shape.child(name)
            if here not in dropped:
                result[name] = one if child is None else _pruned(one, child, here, dropped)
        return result
    if is_list(value) and (items := items_by_step(value, shape)) is not None and len(items) == len(value):
        kept = {step: one for step, one in items.items() if (*path, step) not in dropped}
        return [_pruned(one, shape.item(), (*path, step), dropped) for step, one in kept.items()]
    return value
