"""Whether a decision asked for more than its request: for the time, for chance, for what only the cluster knows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from app.controllers.context import Context
    from app.hooks.objects import Object, Resource
    from app.kube.reader import Reader


class Asked:
    """Lends a context, and notes whether anything was asked of it that may be another thing next time."""

    def __init__(self, context: Context) -> None:
        self._given = context
        self.anything = False
        """Whether the decision was more than a function of its request, so far."""
        self.context = replace(context, now=self._now, entropy=self._entropy, reader=_NotedReader(self, context.reader))

    def _now(self) -> datetime:
        self.anything = True
        return self._given.now()

    def _entropy(self, size: int) -> bytes:
        self.anything = True
        return self._given.entropy(size)


class _NotedReader:
    """The reader, with every question noted."""

    def __init__(self, asked: Asked, given: Reader) -> None:
        self._asked, self._given = asked, given

    async def secret(self, namespace: str, name: str, *, version: str = "") -> Object | None:
        self._asked.anything = True
        return await self._given.secret(namespace, name, version=version)

    async def get(self, resource: Resource, namespace: str, name: str) -> Object | None:
        self._asked.anything = True
        return await self._given.get(resource, namespace, name)

    async def list(self, resource: Resource, namespace: str) -> list[Object]:
        self._asked.anything = True
        return await self._given.list(resource, namespace)

    async def aclose(self) -> None:
        """It is closed by who gave it."""
