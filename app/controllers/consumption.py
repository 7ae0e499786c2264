"""What the pods read: whether it is there, and its digests for the pod template.

Most of it comes with the request, as children and related objects. What guardrails refer to is two references away and is
read from the cluster; a failure to read is no sign that something is gone, so the digest on the running pods then stays.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.kube.reader import ReaderOff, ReadFailed
from app.resources import names
from app.resources.content_digests import CONFIG_DIGEST, SECRET_DIGEST, content_digest, has_value, optional_digests
from app.resources.kinds import CONFIG_MAP, SECRET

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from app.apis.litellm.instance import LiteLLMInstanceSpec
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest
    from app.kube.reader import Reader
    from app.resources.references import Reference


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
    asked = {one.name for one in mentioned if one.kind == SECRET.kind}
    far = {one.name for one in references if one.kind == SECRET.kind} - asked
    wanted = sorted(name for name in far if _of(request, SECRET.kind, name) is None)
    outcomes = await asyncio.gather(*(_read(reader, request.namespace, name) for name in wanted))
    found = {name: outcome for name, outcome in zip(wanted, outcomes, strict=True) if not isinstance(outcome, ReadFailed)}
    failed = {name: outcome for name, outcome in zip(wanted, outcomes, strict=True) if isinstance(outcome, ReadFailed)}
    off = any(isinstance(failure, ReaderOff) for failure in failed.values())
    return SecondHop(found, {name: str(failure) for name, failure in failed.items()}, off)


def consumed(
    request: SyncRequest,
    read: Iterable[Reference],
    required: Iterable[Reference],
    hop: SecondHop,
    own_config: Object | None,
) -> Consumed:
    """``read`` is what the pods read, ``required`` what must be there for them to start, with the fields that name it."""
    own = {names.config(request.name): own_config} if own_config is not None else {}

    def secret(name: str) -> Object | None:
        return _of(request, "Secret", name) or hop.found.get(name)

    def config(name: str) -> Object | None:
        return own.get(name) or _of(request, "ConfigMap", name)

    def found(reference: Reference) -> Object | None:
        return secret(reference.name) if reference.kind == SECRET.kind else config(reference.name)

    missing: list[str] = []
    for reference in required:
        if hop.misses(reference) or (reference.kind == "ConfigMap" and reference.field.startswith("guardrail ")):
            continue
        item = found(reference)
        if item is None:
            missing.append(f"{reference.kind} {reference.name} does not exist ({reference.field})")
        elif not has_value(item, reference.key):
            missing.append(f"{reference.kind} {reference.name} has no key {reference.key} ({reference.field})")
    all_read = [*read]
    needed = {(one.kind, one.name, one.key) for one in all_read if not one.optional}
    may_lack = [one for one in all_read if (one.kind, one.name, one.key) not in needed]
    known = [one for one in all_read if not one.optional and not hop.misses(one)]
    digests = {
        SECRET_DIGEST: content_digest("Secret", known, secret),
        CONFIG_DIGEST: content_digest("ConfigMap", known, config),
    }
    return Consumed(
        missing=tuple(dict.fromkeys(missing)),
        annotations={key: value for key, value in digests.items() if value},
        optional=optional_digests(may_lack, found),
        complete=hop.off or not any(hop.misses(one) for one in all_read if not one.optional),
    )


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
