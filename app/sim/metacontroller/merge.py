"""The three-way merge of dynamic apply: observed, last applied and desired give the object to write.

Pure, without any schema, and nothing given is changed: results share what they can with their inputs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.hooks.merge_keys import merge_key
from app.sim.metacontroller.keyed import by_key, in_order

if TYPE_CHECKING:
    from app.hooks.objects import Object


def merge(observed: Any, last_applied: Any, desired: Any) -> Any:
    """The value to write.

    What is observed decides how: objects are merged field by field, keyed lists item by item, other lists and scalars are
    replaced. Where the others are of another type they count as absent, so an object that should become a scalar only loses
    what was applied before, and a list becomes null.
    """
    if isinstance(observed, dict):
        return merge_objects(cast("Object", observed), _object(last_applied), _object(desired))
    if isinstance(observed, list):
        return _merge_lists(cast("list[Any]", observed), last_applied, desired)
    return desired


def merge_objects(observed: Object, last_applied: Object, desired: Object) -> Object:
    """Fields that were applied and are no longer desired go; desired ones are merged; others stay as they are."""
    kept = {key: value for key, value in observed.items() if key in desired or key not in last_applied}
    return {**kept, **{key: merge(observed.get(key), last_applied.get(key), value) for key, value in desired.items()}}


def _merge_lists(observed: list[Any], last_applied: Any, desired: Any) -> list[Any] | None:
    before, after = _list(last_applied), _list(desired)
    key = merge_key([*observed, *before, *after])
    if key is None:
        return after if isinstance(desired, list) else None
    merged = merge_objects(by_key(observed, key), by_key(before, key), by_key(after, key))
    return in_order(merged, observed, after, key)


def _object(value: Any) -> Object:
    return cast("Object", value) if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
