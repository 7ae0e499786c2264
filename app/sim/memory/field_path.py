"""Paths of fields that have owners, and the ``fieldsV1`` text in which ``managedFields`` keeps them.

A path is a tuple of steps: ``f:name`` for a field, ``k:{"name":"x"}`` for an item of a keyed list, ``v:"x"`` for an item of a
set. A set of paths has the leaves (what somebody gave a value) and, with a path of its own, each keyed item and each map that
somebody brought into being.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

Steps = tuple[str, ...]
FieldSet = frozenset[Steps]


def field_step(name: str) -> str:
    """A step to a field of an object."""
    return f"f:{name}"


def key_step(keys: Object) -> str:
    """A step to an item of a keyed list."""
    return f"k:{orjson.dumps(keys, option=orjson.OPT_SORT_KEYS).decode()}"


def value_step(value: Any) -> str:
    """A step to an item of a set."""
    return f"v:{orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()}"


def encoded(fields: FieldSet) -> Object:
    """The ``fieldsV1`` of a set of paths."""
    root: Object = {}
    inner = {path[:length] for path in fields for length in range(1, len(path))}
    for path in sorted(fields):
        node = root
        for step in path:
            node = node.setdefault(step, {})
        if path in inner:
            node["."] = {}
    return _sorted(root)


def decoded(fields: Object) -> FieldSet:
    """The set of paths of a ``fieldsV1``."""
    return frozenset(_paths(fields, ()))


def prefixes(fields: FieldSet) -> set[Steps]:
    """Every path of the set and everything above it."""
    return {path[:length] for path in fields for length in range(1, len(path) + 1)}


def in_order(fields: FieldSet) -> list[Steps]:
    """The paths in the order of the API server's texts: at each level what ends there, then what leads further."""
    return sorted(fields, key=lambda path: [*((True, step) for step in path[:-1]), (False, path[-1])])


def readable(path: Steps) -> str:
    """A path as a conflict names it: ``.spec.containers[name="a"].image``."""
    text = ""
    for step in path:
        kind, _, name = step.partition(":")
        if kind == "f":
            text += f".{name}"
        elif kind == "k":
            text += "[" + ",".join(f"{key}={orjson.dumps(value).decode()}" for key, value in orjson.loads(name).items()) + "]"
        else:
            text += f"[={name}]"
    return text


def _paths(node: Object, above: Steps) -> Iterator[Steps]:
    for step, below in node.items():
        if step == ".":
            yield above
        elif below:
            yield from _paths(below, (*above, step))
        else:
            yield (*above, step)


def _sorted(node: Object) -> Object:
    return {step: _sorted(below) for step, below in sorted(node.items())}
