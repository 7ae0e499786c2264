"""What the pods read: whether it is there, and its digests for the pod template.

Most of it comes with the request, as children and related objects. What guardrails refer to is two references away and is
read from the cluster; a failure to read is no sign that something is gone, so the digest on the running pods then stays.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from app.kube.reader import ReaderOff, ReadFailed
from app.resources import names
from app.resources.content_digests import CONFIG_DIGEST, SECRET_DIGEST, content_digest, has_value, optional_digests
from app.resources.kinds import CONFIG_MAP, SECRET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from app.apis.litellm.instance import LiteLLMInstanceSpec
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest
    from app.kube.reader import Reader
    from app.resources.references import Reference

    _Find = Callable[[str, str], Object | None]


@dataclass(frozen=True, slots=True)
class SecondHop:
    """Secrets that the request cannot bring."""

    found: Mapping[str, Object | None] = field(default_factory=dict[str, "Object | None"])
    """By name; nothing for one that does not exist."""
    unreadable: Mapping[str, str] = field(default_factory=dict[str, str])
    """Why a Secret could not be read, by name."""
    off: bool = False
    """Whether there is no cluster to read from, now or later."""

    def misses(self, reference: Reference) -> bool:
        """Whether it is a Secret of which nothing is known, not even that it is there."""
        return reference.kind == SECRET.kind and reference.name in self.unreadable


@dataclass(frozen=True, slots=True)
class Consumed:
    """What is known of everything that the pods read."""

    missing: tuple[str, ...]
    """What is not there and has to be, with the field that names it."""
    annotations: Mapping[str, str]
    """The digests, by annotation of the pod template."""
    optional: Mapping[str, str]
    """Digests of what the pods may go without, empty for what is not there or could not be read."""
    complete: bool
    """Whether the digest of Secrets covers every one; if not, that of the running pods stays."""


async def second_hop(
    request: SyncRequest, references: Iterable[Reference], mentioned: Iterable[Reference], reader: Reader
) -> SecondHop:
    """The Secrets that guardrails refer to and the request cannot bring.

    It brings what ``mentioned`` is by the spec: of that, nothing in the request means that there is nothing.
    """
    far = {one.name for one in references if one.kind == SECRET.kind}
    if not far:
        return SecondHop()
    asked = {one.name for one in mentioned if one.kind == SECRET.kind}
    wanted = sorted(name for name in far - asked if _of(request, SECRET.kind, name) is None)
    if not wanted:
        return SecondHop()
    outcomes = await asyncio.gather(*(_read(reader, request.namespace, name) for name in wanted))
    found = {name: outcome for name, outcome in zip(wanted, outcomes, strict=True) if not isinstance(outcome, ReadFailed)}
    failed = {name: outcome for name, outcome in zip(wanted, outcomes, strict=True) if isinstance(outcome, ReadFailed)}
    off = any(isinstance(failure, ReaderOff) for failure in failed.values())
    return SecondHop(found, {name: str(failure) for name, failure in failed.items()}, off)


def consumed(
    request: SyncRequest,
    read: Sequence[Reference],
    required: Iterable[Reference],
    hop: SecondHop,
    own_config: Object | None,
) -> Consumed:
    """``read`` is what the pods read, ``required`` what must be there for them to start, with the fields that name it."""
    find = _finder(request, hop, own_config)
    optional = [one for one in read if one.optional]
    firm = [one for one in read if not one.optional]
    needed = {(one.kind, one.name, one.key) for one in (firm if optional else ())}
    known = [one for one in firm if not hop.misses(one)] if hop.unreadable else firm
    digests = {
        SECRET_DIGEST: content_digest("Secret", known, partial(find, "Secret")),
        CONFIG_DIGEST: content_digest("ConfigMap", known, partial(find, "ConfigMap")),
    }
    return Consumed(
        missing=_missing(required, hop, find),
        annotations={key: value for key, value in digests.items() if value},
        optional=optional_digests(
            [one for one in optional if (one.kind, one.name, one.key) not in needed], lambda one: find(one.kind, one.name)
        ),
        complete=hop.off or len(known) == len(firm),
    )


def missing(request: SyncRequest, required: Iterable[Reference], hop: SecondHop) -> tuple[str, ...]:
    """What of ``required`` is not there, with the field that names it."""
    return _missing(required, hop, _finder(request, hop, None))


def _missing(required: Iterable[Reference], hop: SecondHop, find: _Find) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for reference in required:
        if hop.misses(reference) or (reference.kind == "ConfigMap" and reference.field.startswith("guardrail ")):
            continue
        item = find(reference.kind, reference.name)
        if item is None:
            found[f"{reference.kind} {reference.name} does not exist ({reference.field})"] = None
        elif not _there(item, reference):
            found[f"{reference.kind} {reference.name} has no key {reference.key} ({reference.field})"] = None
    return tuple(found)


def _there(item: Object, reference: Reference) -> bool:
    """Whether a pod gets what is meant. An empty setting of a ConfigMap is one; an emptied key of a Secret opens nothing."""
    if has_value(item, reference.key):
        return True
    return reference.kind == CONFIG_MAP.kind and any(reference.key in (item.get(part) or {}) for part in ("data", "binaryData"))


def _finder(request: SyncRequest, hop: SecondHop, own_config: Object | None) -> _Find:
    """Looks up a Secret or ConfigMap by kind and name."""
    own = names.config(request.name) if own_config is not None else ""

    def find(kind: str, name: str) -> Object | None:
        if kind == SECRET.kind:
            return _of(request, kind, name) or hop.found.get(name)
        return own_config if name == own else _of(request, kind, name)

    return find


def missing_pull_secrets(request: SyncRequest, spec: LiteLLMInstanceSpec) -> tuple[str, ...]:
    """Secrets for pulling the image that do not exist. The kubelet pulls without them, so nothing waits for one."""
    given = (spec.image.pull_secrets if spec.image else None) or []
    return tuple(
        f"Secret {one.name} does not exist (spec.image.pullSecrets[{index}])"
        for index, one in enumerate(given)
        if _of(request, SECRET.kind, one.name) is None
    )


async def _read(reader: Reader, namespace: str, name: str) -> Object | ReadFailed | None:
    try:
        return await reader.secret(namespace, name)
    except ReadFailed as failure:
        return failure


def _of(request: SyncRequest, kind: str, name: str) -> Object | None:
    """A child of ours, else a related object. A name that we share with a foreign object is told of elsewhere."""
    resource = SECRET if kind == "Secret" else CONFIG_MAP
    return request.children.find(resource, request.namespace, name) or request.related.find(resource, request.namespace, name)
