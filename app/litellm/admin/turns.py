"""One writer at a time for what LiteLLM itself does not lock: two hooks of this process wait for each other."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from app.litellm.admin.errors import AdminError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

PATIENCE_SECONDS = 8.0
"""For so long a hook waits for the others; then it comes back later."""


class Turns:
    """Locks by name; one that nobody holds or waits for is forgotten."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, endpoint: str, name: str) -> AsyncGenerator[None]:
        """The only writer of that name at that proxy. Raises :class:`~app.litellm.admin.errors.AdminError` if it takes long."""
        lock = self._locks.setdefault((endpoint, name), asyncio.Lock())
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await lock.acquire()
        except TimeoutError as error:
            raise AdminError(f"is being told of other changes to {name}, and of this one later") from error
        try:
            yield
        finally:
            lock.release()
