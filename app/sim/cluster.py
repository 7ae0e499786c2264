"""The cluster as the control loop sees it: a small interface with two implementations.

:mod:`app.sim.memory` keeps everything in this process; :mod:`app.sim.cluster_kube` talks to a real API server. Both behave
like the Kubernetes API: ``resourceVersion`` conflicts, generations, the status subresource, finalizers, server-side apply.
Errors are one tree, with the API server's own texts::

    ApiError
    ├── NotFound       404
    ├── AlreadyExists  409 on create
    ├── Conflict       409 on update (stale resourceVersion or uid), or an apply without force
    ├── Forbidden      403
    └── Invalid        400, 422  schema, CEL, immutable fields
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.hooks.objects import Object, Resource


class ApiError(Exception):
    """A refusal of the API server. ``status`` is the HTTP code, ``reason`` the Status reason, e.g. ``NotFound``."""

    status = 500
    reason = "InternalError"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NotFound(ApiError):
    """No such object, or the kind is not served."""

    status, reason = 404, "NotFound"


class AlreadyExists(ApiError):
    """Create met an object of that name."""

    status, reason = 409, "AlreadyExists"


class Conflict(ApiError):
    """The object has changed since it was read."""

    status, reason = 409, "Conflict"


class Forbidden(ApiError):
    """The account has no right to do this."""

    status, reason = 403, "Forbidden"


class Invalid(ApiError):
    """The object breaks its schema, a CEL rule or an immutable field."""

    status, reason = 422, "Invalid"


class Propagation(StrEnum):
    """What happens to dependents on deletion."""

    BACKGROUND = "Background"
    FOREGROUND = "Foreground"
    ORPHAN = "Orphan"


class ChangeType(StrEnum):
    """A watch event's type."""

    ADDED = "ADDED"
    MODIFIED = "MODIFIED"
    DELETED = "DELETED"


@dataclass(frozen=True, slots=True)
class Change:
    """One watch event; ``item`` is the object after it (for a deletion: its last state)."""

    type: ChangeType
    item: Object


class Cluster(Protocol):
    """The verbs of the Kubernetes API that a control loop needs. Objects returned are the caller's to keep."""

    async def resource(self, api_version: str, plural: str) -> Resource:
        """The served kind; :class:`NotFound` if it is not served."""
        ...

    async def resource_of(self, api_version: str, kind: str) -> Resource:
        """The served kind by its name; :class:`NotFound` if it is not served."""
        ...

    async def get(self, resource: Resource, namespace: str, name: str) -> Object:
        """One object, live."""
        ...

    async def list(self, resource: Resource, namespace: str = "") -> list[Object]:
        """All objects of a kind, in one namespace or in all, in no particular order."""
        ...

    async def create(self, item: Object) -> Object:
        """POST. Returns the object as stored."""
        ...

    async def update(self, item: Object, *, subresource: str = "") -> Object:
        """PUT of a whole object, or of its ``status``; a ``resourceVersion`` in it must be the live one."""
        ...

    async def merge_patch(self, resource: Resource, namespace: str, name: str, patch: Object, *, subresource: str = "") -> Object:
        """PATCH with a JSON merge patch (RFC 7386)."""
        ...

    async def apply(self, item: Object, *, manager: str, force: bool = True, dry_run: bool = False) -> Object:
        """Server-side apply."""
        ...

    async def delete(
        self, resource: Resource, namespace: str, name: str, *, propagation: Propagation = Propagation.BACKGROUND, uid: str = ""
    ) -> None:
        """DELETE; with ``uid`` only the object of that uid."""
        ...

    def watch(self, resources: Sequence[Resource]) -> None:
        """From now on :meth:`changes` reports what happens to these kinds, in all namespaces. Repeating a kind is harmless."""
        ...

    async def changes(self) -> list[Change]:
        """The changes of the watched kinds since the last call, in order; empty when nothing happened yet. Does not wait."""
        ...
