"""The digests on the pod template: new content of a consumed Secret or ConfigMap is a new rollout.

Only what the pod reads counts. An object that is absent differs from one that is empty, a key that nobody reads changes
nothing, and no two contents run together: every part goes in with its length.

What a pod may go without has a digest of its own, and keeps the one that it had when it vanishes: pods that read it go on,
and none is replaced for something that no pod needs.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, cast

import orjson

from app.hooks.observed_fields import text_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from app.hooks.objects import Object
    from app.resources.references import Reference, ReferredKind

SECRET_DIGEST = "litellm.palena.ai/secret-hash"  # noqa: S105 - the name of an annotation
CONFIG_DIGEST = "litellm.palena.ai/config-hash"
OPTIONAL_DIGESTS = "litellm.palena.ai/optional-hashes"
_OPTIONAL_LENGTH = 16

_ABSENT_OBJECT = b"\x00absent object"
_ABSENT_KEY = b"\x00absent key"


def content_digest(kind: ReferredKind, consumed: Iterable[Reference], find: Callable[[str], Object | None]) -> str:
    """The hexadecimal SHA-256 of all that is read of one kind; empty where nothing is. ``find`` looks an object up by name."""
    wanted: dict[str, set[str]] = {}
    for reference in consumed:
        if reference.kind == kind:
            wanted.setdefault(reference.name, set()).add(reference.key)
    if not wanted:
        return ""
    parts: list[bytes] = []
    for name in sorted(wanted):
        parts.append(name.encode())
        item = find(name)
        if item is None:
            parts.append(_ABSENT_OBJECT)
            continue
        content = _content(item)
        for key in sorted(content if "" in wanted[name] else wanted[name]):
            parts += [key.encode(), content[key].encode() if key in content else _ABSENT_KEY]
    return hashlib.sha256(b"".join([len(part).to_bytes(8) + part for part in parts])).hexdigest()


def optional_digests(consumed: Iterable[Reference], find: Callable[[Reference], Object | None]) -> dict[str, str]:
    """The digest of everything optional that is read, by kind, name and key; empty for what is not there."""
    return {"/".join((one.kind, one.name, one.key)).removesuffix("/"): _optional_digest(one, find(one)) for one in consumed}


def remembered(digests: Mapping[str, str], before: Any) -> str:
    """The annotation for optional digests, with what is gone as ``before``, the running pods' one, has it; empty for none."""
    try:
        seen: Any = orjson.loads(before) if isinstance(before, str) else None
    except orjson.JSONDecodeError:
        seen = None
    last = cast("Object", seen) if isinstance(seen, dict) else {}
    known = {key: digest for key, found in digests.items() if (digest := found or last.get(key))}
    return orjson.dumps(known, option=orjson.OPT_SORT_KEYS).decode() if known else ""


def _optional_digest(reference: Reference, item: Object | None) -> str:
    if item is None or (reference.key and reference.key not in _content(item)):
        return ""
    return content_digest(reference.kind, [reference], lambda _: item)[:_OPTIONAL_LENGTH]


def has_value(item: Object, key: str) -> bool:
    """Whether a Secret or ConfigMap has a value under ``key``; without a key, whether it is there at all."""
    return not key or text_in(item.get("data"), key) != "" or text_in(item.get("binaryData"), key) != ""


def _content(item: Object) -> dict[str, str]:
    """Values as they are stored; those of Secrets and of ``binaryData`` stay base64."""
    content: dict[str, str] = {}
    for section in ("data", "binaryData"):
        values: Any = item.get(section)
        if isinstance(values, dict):
            content |= {key: value for key, value in cast("Object", values).items() if isinstance(value, str)}
    return content
