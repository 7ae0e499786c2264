"""What our hooks answer, in Metacontroller's version 2 strict form.

Fields whose absence would mean "delete everything" or "wipe the status" have no default, so no answer can forget them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from app.hooks.objects import Object, Resource

    Holds = Callable[[], Awaitable[bool]]
    """Looks again at whatever a decision looked at beside its request, and says whether it is the same."""


class Retained(NamedTuple):
    """A child that is answered so that it stays as it is. Made by :mod:`app.hooks.replay`."""

    observed: Object
    """The child as it was observed; its identity is the answer's."""
    body: bytes
    """The JSON to answer: often the child's own record, which nobody needs to parse and write again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncResponse:
    """Desired children and status of a composite parent."""

    status: Object
    children: list[Object]
    """Children rendered from the spec; the guard checks them strictly."""
    retained: list[Retained]
    """Children kept as they are (see :mod:`app.hooks.replay`); the guard checks them leniently."""
    resync_after_seconds: float = 0
    finalized: bool = False
    """Only finalize may say so, and only when nothing of the parent is observed any more."""
    holds: Holds | None = None
    """Whether the same request would be answered the same at this moment; absent where nobody can tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoratorResponse:
    """What a decorator adds to the object. It never answers ``status``: that ends in loops beside a composite."""

    attachments: list[Object]
    retained: list[Retained]
    labels: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    """Keys to set, or to remove where the value is nothing; others are left alone."""
    annotations: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    resync_after_seconds: float = 0
    finalized: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedRule:
    """One related resource to watch. A rule always has a restriction: names, or a label selector, or a namespace."""

    resource: Resource
    namespace: str
    names: tuple[str, ...] = ()
    """Exact names. Empty means the whole namespace, which must be said with ``whole_namespace``."""
    match_labels: Mapping[str, str] = field(default_factory=dict[str, str])
    whole_namespace: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomizeResponse:
    """The related resources of one parent. Rules without a restriction are left out, never widened."""

    related: list[RelatedRule]
