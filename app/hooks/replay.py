"""Children returned as they are, so that nothing is deleted or changed while we cannot or must not render them.

Per child, by what the child itself carries:

1. the last-applied record of dynamic apply: its content, nulls and all. A field that leaves the record is removed from the
   child with everything that others put below it, so not even a null may be dropped;
2. no record, but fields that Metacontroller owns by server-side apply: those fields;
3. neither (adopted, or made before Metacontroller came): its identity. Nothing was applied, so nothing is removed.

Identity alone, where there is a record, would strip the child of everything it has. Replaying holds *our* fields, so it
repairs edits of them: it keeps a child, it does not leave it alone.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

import orjson

from app.hooks.digests import Digests, digest
from app.hooks.errors import AnswerRefused
from app.hooks.managed_fields import applied_fields
from app.hooks.objects import LAST_APPLIED, Object, annotations_of, reference, terminating
from app.hooks.response import Retained

if TYPE_CHECKING:
    from app.hooks.request import Observed

FIELD_MANAGER = "metacontroller"
"""Metacontroller's default field manager of server-side apply."""


_own_records = Digests(limit=65_536)
"""Records that were parsed once and found to be of the child that carries them: they are answered as they are."""


def replay_all(observed: Observed) -> list[Retained]:
    """Every observed child that is not terminating, in the order of its key; ready to be answered as ``retained``."""
    return [replay(child) for child in observed.objects() if not terminating(child)]


def replay(observed: Object) -> Retained:
    """What keeps an observed child as it is."""
    record = annotations_of(observed).get(LAST_APPLIED)
    body = _from_record(record, observed) if isinstance(record, str) else None
    return Retained(observed, body or orjson.dumps(_identified(_owned(observed), observed)))


def _from_record(record: str, observed: Object) -> bytes | None:
    """The record under the identity of ``observed``; nothing if it is no JSON object."""
    body = record.encode()
    metadata = observed["metadata"]
    identity = (observed["apiVersion"], observed["kind"], metadata.get("namespace"), metadata["name"])
    key = digest(orjson.dumps(identity) + body)
    if key in _own_records:
        return body
    try:
        form, strict = orjson.loads(body), True
    except orjson.JSONDecodeError:
        form, strict = _as_go_reads(record, observed), False
    if not isinstance(form, dict):
        return None
    identified = _identified(cast("Object", form), observed)
    if identified != form or not strict:
        return _dumped(identified, observed)
    _own_records.add(key)
    return body


_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")


def _as_go_reads(record: str, observed: Object) -> Any:
    """A record that is no strict JSON. Go takes half of a surrogate pair for the replacement character.

    Nothing for what Go cannot read: Metacontroller then refuses to touch the child, whatever is answered. Raises
    :class:`AnswerRefused` for what only we cannot read: with less than the record the child would be stripped.
    """
    try:
        text = json.dumps(json.loads(record, parse_constant=_no_number), ensure_ascii=False)
        return orjson.loads(_HALF_CHARACTERS.sub("\ufffd", text))
    except RecursionError:
        raise _too_deep(observed) from None
    except ValueError:
        return None


def _no_number(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _dumped(form: Object, observed: Object) -> bytes:
    try:
        return orjson.dumps(form)
    except TypeError:
        raise _too_deep(observed) from None


def _too_deep(observed: Object) -> AnswerRefused:
    return AnswerRefused(
        f"the last-applied record of {reference(observed)} is nested too deeply to be replayed, and without it the child would "
        f"be emptied; correct its annotation {LAST_APPLIED}"
    )


def _owned(observed: Object) -> Object:
    form = applied_fields(observed, FIELD_MANAGER) or {}
    metadata = form.get("metadata")
    if isinstance(metadata, dict):
        # Metacontroller adds its owner reference to what it applies; it was never part of an answer.
        form = {**form, "metadata": {key: value for key, value in cast("Object", metadata).items() if key != "ownerReferences"}}
    return form


def _identified(form: Object, observed: Object) -> Object:
    """``form`` under the identity of ``observed``: a record may have been copied from another object."""
    metadata = form.get("metadata")
    kept: Object = cast("Object", metadata) if isinstance(metadata, dict) else {}
    given = observed["metadata"]
    identity: Object = {key: given[key] for key in ("name", "namespace") if key in given}
    return {**form, "apiVersion": observed["apiVersion"], "kind": observed["kind"], "metadata": {**kept, **identity}}
