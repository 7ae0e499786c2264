"""The record that dynamic apply keeps on each child: the JSON text of what was applied last, in an annotation."""

from __future__ import annotations

from typing import Any, cast

import orjson

from app.hooks.objects import LAST_APPLIED, Object
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
    return with_annotations(item, {**annotations_of(item), LAST_APPLIED: record_text(applied)})


def without_record(item: Object) -> Object:
    """The item without its record; an empty map of annotations may remain."""
    known = annotations_of(item)
    return with_annotations(item, {key: known[key] for key in known if key != LAST_APPLIED}) if LAST_APPLIED in known else item


def record_text(applied: Object) -> str:
    """The text of a record, byte for byte what Go's encoder writes: sorted, compact, HTML escaped, no ``1.0``."""
    text = orjson.dumps(_go_numbers(applied), option=orjson.OPT_SORT_KEYS).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def annotations_of(item: Object) -> dict[str, str]:
    """The item's annotations; an empty map where it has none."""
    return item.get("metadata", {}).get("annotations") or {}


def with_annotations(item: Object, known: dict[str, str]) -> Object:
    """The item with these annotations instead of its own."""
    return {**item, "metadata": {**item.get("metadata", {}), "annotations": known}}


def _go_numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _go_numbers(one) for key, one in cast("Object", value).items()}
    if isinstance(value, list):
        return [_go_numbers(one) for one in cast("list[Any]", value)]
    return int(value) if isinstance(value, float) and value.is_integer() else value
