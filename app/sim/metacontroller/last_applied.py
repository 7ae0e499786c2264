"""The record that dynamic apply keeps on each child: the JSON text of what was applied last, in an annotation."""

from __future__ import annotations

from typing import cast

import orjson

from app.hooks.objects import LAST_APPLIED, Object
from app.sim.go_json import go_json
from app.sim.metacontroller.errors import SyncError


def last_applied(item: Object) -> Object:
    """What was applied to this child last; empty where there is no record.

    Raises :class:`SyncError` for a record that somebody has broken.
    """
    text = annotations_of(item).get(LAST_APPLIED)
    if not text:
        return {}
    try:
        record = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise SyncError(f"metadata.annotations[{LAST_APPLIED}] is no JSON: {error}") from error
    return cast("Object", record) if isinstance(record, dict) else {}


def with_record(item: Object, applied: Object) -> Object:
    """The item with the record that ``applied`` was applied to it."""
    return with_annotations(item, {**annotations_of(item), LAST_APPLIED: go_json(applied)})


def without_record(item: Object) -> Object:
    """The item without its record; an empty map of annotations may remain."""
    known = annotations_of(item)
    return with_annotations(item, {key: known[key] for key in known if key != LAST_APPLIED}) if LAST_APPLIED in known else item


def annotations_of(item: Object) -> dict[str, str]:
    """The item's annotations; an empty map where it has none."""
    return item.get("metadata", {}).get("annotations") or {}


def with_annotations(item: Object, known: dict[str, str]) -> Object:
    """The item with these annotations instead of its own."""
    return {**item, "metadata": {**item.get("metadata", {}), "annotations": known}}
