"""Reads what a hook's request cannot bring: objects that are two references away from the parent.

A hook sees its parent's own references as related objects. What those name in turn (the Secret of a guardrail's key) is read
here, narrowly: a Secret by its name, objects of our own kinds, and nothing else. Without a cluster the reader is off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from app.hooks.objects import Resource

if TYPE_CHECKING:
    from app.hooks.objects import Object

SECRET = Resource("v1", "Secret", "secrets")
OWN_GROUPS = ("litellm.palena.ai", "platform.palena.ai")
LIVE = "live"
"""As the ``version`` of a Secret: no object has it, so nothing that is remembered will do."""


class ReadFailed(Exception):
    """The cluster gave no answer about an object. That it is missing is an answer, and no error."""


class ReaderOff(ReadFailed):
    """There is no cluster to ask, now or later."""


class Reader(Protocol):
    """What hooks may read. Every method raises :class:`ReadFailed` where there is no answer."""

    async def secret(self, namespace: str, name: str, *, version: str = "") -> Object | None:
        """A Secret, or nothing if it does not exist. It may be some seconds old.

        ``version`` is its resourceVersion where somebody knows it: an older one than that is never given, and one that is
        remembered with it is good whatever its age.
        """
        ...

    async def get(self, resource: Resource, namespace: str, name: str) -> Object | None:
        """An object of one of our own kinds, or nothing if it does not exist."""
        ...

    async def list(self, resource: Resource, namespace: str) -> list[Object]:
        """All objects of one of our own kinds in a namespace; with an empty one, in the whole cluster."""
        ...

    async def aclose(self) -> None:
        """Ends the connection."""
        ...


class NoReader:
    """The reader of a service that has no cluster to read from: it says so whenever it is asked."""

    def __init__(self, why: str = "no cluster is configured to read it from") -> None:
        self._why = why

    async def secret(self, namespace: str, name: str, *, version: str = "") -> Object | None:
        """Always :class:`ReaderOff`."""
        raise ReaderOff(f"Secret {name} cannot be read: {self._why}")

    async def get(self, resource: Resource, namespace: str, name: str) -> Object | None:
        """Always :class:`ReaderOff`."""
        raise ReaderOff(f"{resource.kind} {name} cannot be read: {self._why}")

    async def list(self, resource: Resource, namespace: str) -> list[Object]:
        """Always :class:`ReaderOff`."""
        raise ReaderOff(f"{resource.plural} cannot be listed: {self._why}")

    async def aclose(self) -> None:
        """Nothing to end."""
