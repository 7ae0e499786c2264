"""Controllers as data: what a kind owns, what it relates to, and the functions that decide.

A controller is declared once; routes, Metacontroller's manifests, RBAC and documentation are read from the declaration.
``C`` is whatever the application wants its hooks to have at hand (clients, a clock); a toy controller uses ``None``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from app.hooks.objects import Resource
    from app.hooks.request import CustomizeRequest, SyncRequest
    from app.hooks.response import CustomizeResponse, DecoratorResponse, SyncResponse

C = TypeVar("C")


class Update(StrEnum):
    """What Metacontroller does to an existing child that differs (``updateStrategy.method``)."""

    ON_DELETE = "OnDelete"
    IN_PLACE = "InPlace"
    RECREATE = "Recreate"


@dataclass(frozen=True)
class ChildRule:
    """One kind of child or attachment. The update method is always said: Metacontroller's default never updates."""

    resource: Resource
    update: Update
    subresources: tuple[str, ...] = ()
    """Subresources that must be writable too before some fields of the object are."""


@dataclass(frozen=True, kw_only=True)
class CompositeController(Generic[C]):
    """A parent kind that owns children. Hooks may be plain functions or coroutines."""

    name: str
    """Also the path of its hooks: ``/hooks/<name>/<hook>``. By convention the parent's plural."""
    parent: Resource
    children: tuple[ChildRule, ...]
    related: tuple[Resource, ...] = ()
    """Every kind that customize may name: rights are derived from it."""
    related_owning_nothing: tuple[Resource, ...] = ()
    """Those that customize still names in the attach-only form."""
    owns_workloads: bool = True
    """Whether something that runs is among what it owns; else an attach-only installation has it whole."""
    sync: Callable[[SyncRequest, C], SyncResponse | Awaitable[SyncResponse]]
    finalize: Callable[[SyncRequest, C], SyncResponse | Awaitable[SyncResponse]] | None = None
    customize: Callable[[CustomizeRequest], CustomizeResponse] | None = None
    resync_period_seconds: int = 300
    timeout_seconds: int = 30
    """How long Metacontroller waits for an answer; our own deadline is shorter."""
    ignore_status_changes: bool = True

    @property
    def watched(self) -> Resource:
        """The kind whose objects are synced."""
        return self.parent

    @property
    def owned(self) -> tuple[ChildRule, ...]:
        """The kinds that it writes."""
        return self.children

    def owning_nothing(self) -> Self:
        """The attach-only form: the hook is called and status is written, and no workload can be."""
        return replace(self, children=(), related=self.related_owning_nothing) if self.owns_workloads else self


@dataclass(frozen=True, kw_only=True)
class DecoratorController(Generic[C]):
    """An add-on to objects that another controller owns."""

    name: str
    """Also the path of its hooks. By convention the target's plural and the add-on: ``labs-monitoring``."""
    target: Resource
    attachments: tuple[ChildRule, ...]
    optional_api: str = ""
    """API group without which it cannot run, and so is not installed; empty where all it needs is everywhere."""
    related: tuple[Resource, ...] = ()
    match_labels: tuple[tuple[str, str], ...] = ()
    sync: Callable[[SyncRequest, C], DecoratorResponse | Awaitable[DecoratorResponse]]
    finalize: Callable[[SyncRequest, C], DecoratorResponse | Awaitable[DecoratorResponse]] | None = None
    customize: Callable[[CustomizeRequest], CustomizeResponse] | None = None
    resync_period_seconds: int = 300
    timeout_seconds: int = 30

    @property
    def watched(self) -> Resource:
        """The kind whose objects are synced."""
        return self.target

    @property
    def owned(self) -> tuple[ChildRule, ...]:
        """The kinds that it writes."""
        return self.attachments

    def owning_nothing(self) -> Self:
        """The attach-only form: the hook is called and the target's own fields are written, and nothing else can be."""
        return replace(self, attachments=())


Controller = CompositeController[C] | DecoratorController[C]
