"""Whether a decision asked for more than its request: for the time, for chance, for what only the cluster knows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.controllers.context import Context
    from app.hooks.objects import Object, Resource
    from app.kube.reader import Reader

P = ParamSpec("P")
R = TypeVar("R")


class Asked:
    """Lends a context, and notes whether anything was asked of it that may be another thing next time."""

    def __init__(self, context: Context) -> None:
        self._notes = _Notes()
        self.context = replace(
            context,
            now=self._notes.of(context.now),
            entropy=self._notes.of(context.entropy),
            reader=_NotedReader(self._notes, context.reader),
        )

    @property
    def anything(self) -> bool:
        """Whether the decision was more than a function of its request, so far."""
        return self._notes.asked


class _Notes:
    """What the lent parts share. They know nothing of who lends them, so that all of it goes without a garbage collector."""

    def __init__(self) -> None:
        self.asked = False

    def of(self, part: Callable[P, R]) -> Callable[P, R]:
        """The function, with every call noted."""

        def noted(*args: P.args, **kwargs: P.kwargs) -> R:
            self.asked = True
            return part(*args, **kwargs)

        return noted


class _NotedReader:
    """The reader, with every question noted."""

    def __init__(self, notes: _Notes, given: Reader) -> None:
        self._notes, self._given = notes, given

    async def secret(self, namespace: str, name: str, *, version: str = "") -> Object | None:
        self._notes.asked = True
        return await self._given.secret(namespace, name, version=version)

    async def get(self, resource: Resource, namespace: str, name: str) -> Object | None:
        self._notes.asked = True
        return await self._given.get(resource, namespace, name)

    async def list(self, resource: Resource, namespace: str) -> list[Object]:
        self._notes.asked = True
        return await self._given.list(resource, namespace)

    async def aclose(self) -> None:
        """It is closed by who gave it."""
