"""Watches on an API server that heal themselves: what happened to the watched kinds since somebody asked last.

Only here is anything tried again. A watch that ends begins anew with a list, and what that list says differently from what
was known is reported as if it had been watched.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import httpx2

from app.hooks.objects import Object, Resource, object_key
from app.sim.cluster import ApiError, Change, ChangeType, Forbidden, Invalid, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.sim.kube_requests import KubeRequests

RELIST_PAUSE_SECONDS = 1.0
"""Between the end of a watch and the list that it begins anew with."""


@dataclass(slots=True)
class _Watched:
    """What is known of one kind to whoever watches it: the list that a watch begins with is compared with it."""

    resource: Resource
    known: dict[str, Object] = field(default_factory=dict[str, Object])

    def learn(self, items: Iterable[Object]) -> None:
        """Take note of objects that the watcher has listed himself."""
        for item in items:
            self.known.setdefault(object_key(item), item)


class Watches:
    """Follows kinds, each by a task of its own."""

    def __init__(self, requests: KubeRequests) -> None:
        self._requests = requests
        self._watched: dict[Resource, _Watched] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._changes: list[Change] = []

    async def aclose(self) -> None:
        """End all watches."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    def follow(self, resources: Sequence[Resource]) -> None:
        """Follow these kinds. What is there already, unless it is listed meanwhile, is reported as added: nothing is missed."""
        for resource in resources:
            if resource not in self._watched:
                watched = self._watched[resource] = _Watched(resource)
                self._tasks.append(asyncio.create_task(self._follow(watched)))

    def learn(self, resource: Resource, items: Iterable[Object]) -> None:
        """Take note of objects that the watcher has listed himself: they are no news to him."""
        if resource in self._watched:
            self._watched[resource].learn(items)

    def changes(self) -> list[Change]:
        """The changes since the last call. Raises what ended a watch for good, e.g. :class:`Forbidden`."""
        for task in self._tasks:
            if task.done():
                task.result()
        changes, self._changes = self._changes, []
        return changes

    async def _follow(self, watched: _Watched) -> None:
        """List and watch, for ever. A watch that breaks or is told that its version is too old begins anew with a list."""
        while True:
            try:
                version = await self._relist(watched)
                async for event in self._requests.events(watched.resource, version):
                    self._report(watched, ChangeType(event["type"]), event["object"])
            except (Forbidden, Invalid):
                raise
            except (ApiError, httpx2.HTTPError):
                await asyncio.sleep(RELIST_PAUSE_SECONDS)

    async def _relist(self, watched: _Watched) -> str:
        """Report how what is there now differs from what is known; the list's version, to watch from."""
        try:
            items, version = await self._requests.listed(watched.resource)
        except NotFound:
            items, version = [], ""
        present = {object_key(item) for item in items}
        for key in [key for key in watched.known if key not in present]:
            self._report(watched, ChangeType.DELETED, watched.known[key])
        for item in items:
            known = watched.known.get(object_key(item))
            if known is None:
                self._report(watched, ChangeType.ADDED, item)
            elif known["metadata"]["resourceVersion"] != item["metadata"]["resourceVersion"]:
                self._report(watched, ChangeType.MODIFIED, item)
        return version

    def _report(self, watched: _Watched, change: ChangeType, item: Object) -> None:
        if change is ChangeType.DELETED:
            watched.known.pop(object_key(item), None)
        else:
            watched.known[object_key(item)] = item
        self._changes.append(Change(change, item))
