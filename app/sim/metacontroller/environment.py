"""What every pass works with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from app.hooks.controller import Update
    from app.hooks.objects import Object, Resource
    from app.sim.cluster import Cluster
    from app.sim.metacontroller.calls import Hooks
    from app.sim.metacontroller.informers import Informers


class Applier(Protocol):
    """One of Metacontroller's two ways to bring a child to its desired state."""

    async def apply(self, resource: Resource, parent: Object, observed: Object | None, desired: Object, update: Update) -> None:
        """Create the child or, as its update method allows, change it.

        Raises :class:`~app.sim.cluster.ApiError` for what the API server refuses; a name that is taken, and an object that
        has changed or gone meanwhile, are no errors.
        """
        ...

    def forget(self, resource: Resource, item: Object) -> None:
        """The child was deleted."""
        ...


@dataclass(frozen=True, slots=True)
class Environment:
    """The cluster, its caches, the hooks, the apply strategy and the time."""

    cluster: Cluster
    informers: Informers
    hooks: Hooks
    applier: Applier
    now: Callable[[], datetime]
