"""Children returned as they are, so that nothing is deleted or changed while we cannot or must not render them.

Per child, by what the child itself carries:

1. the last-applied record of dynamic apply: its content;
2. no record, but fields that Metacontroller owns by server-side apply: those fields;
3. neither (adopted, or made before Metacontroller came): its identity. Nothing was applied, so nothing is removed.

Identity alone, where there is a record, would strip the child of everything it has. Replaying holds *our* fields, so it
repairs edits of them: it keeps a child, it does not leave it alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import orjson

from app.hooks.managed_fields import applied_fields
from app.hooks.objects import LAST_APPLIED, Object, terminating

if TYPE_CHECKING:
    from app.hooks.request import Observed

FIELD_MANAGER = "metacontroller"
"""Metacontroller's default field manager of server-side apply."""


def replay_all(observed: Observed) -> list[Object]:
    """Every observed child that is not terminating, in the order of its key; ready to be answered as ``retained``."""
    return [replay(child) for child in observed.objects() if not terminating(child)]


def replay(observed: Object) -> Object:
    """The desired form that keeps an observed child as it is."""
    form = _last_applied(observed)
    if form is None:
        form = applied_fields(observed, FIELD_MANAGER)
    return _identified(form or {}, observed)


def _last_applied(observed: Object) -> Object | None:
    annotations = observed["metadata"].get("annotations")
    record = cast("Object", annotations).get(LAST_APPLIED) if isinstance(annotations, dict) else None
    if not isinstance(record, str):
        return None
    try:
        form = orjson.loads(record)
    except orjson.JSONDecodeError:
        # Metacontroller cannot read it either and refuses to touch the child, whatever we return for it.
        return None
    if not isinstance(form, dict):
        return None
    return cast("Object", without_nulls(form)) if "null" in record else cast("Object", form)


def _identified(form: Object, observed: Object) -> Object:
    """``form`` under the identity of ``observed``, without what Metacontroller adds by itself."""
    metadata = form.get("metadata")
    kept: Object = cast("Object", metadata) if isinstance(metadata, dict) else {}
    given = observed["metadata"]
    identity: Object = {key: given[key] for key in ("name", "namespace") if key in given}
    if "ownerReferences" in kept:
        kept = {key: value for key, value in kept.items() if key != "ownerReferences"}
    annotations = kept.get("annotations")
    if isinstance(annotations, dict) and LAST_APPLIED in annotations:
        kept = kept | {"annotations": {key: value for key, value in cast("Object", annotations).items() if key != LAST_APPLIED}}
    return form | {"apiVersion": observed["apiVersion"], "kind": observed["kind"], "metadata": kept | identity}


def without_nulls(value: Any) -> Any:
    """``value`` without null fields and null items. A null field only says "absent", so its removal changes nothing."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in cast("Object", value).items() if item is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in cast("list[Any]", value) if item is not None]
    return value
