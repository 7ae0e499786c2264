"""The body of one request: read up to a limit, or let go by.

A connection that is closed on bytes that nobody read is reset, and the client loses the answer with them. So what a refused
client is still sending is taken in for a while, and thrown away.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from app.hooks.errors import BadRequest, BodyTooLarge

if TYPE_CHECKING:
    from starlette.types import Receive

DRAINED_BYTES = 64 * 1024 * 1024
DRAIN_SECONDS = 3.0
"""How much, and for how long, of a body that is refused is still taken in."""


class ClientLeft(Exception):
    """The connection ended before the body did."""


class RequestBody:
    """Use either :meth:`read` or, after it failed or was not wanted, :meth:`drain`."""

    def __init__(self, headers: dict[bytes, bytes], receive: Receive, limit: int) -> None:
        self._headers = headers
        self._receive = receive
        self._limit = limit
        self.ended = False
        """Whether all of it has come."""

    async def read(self) -> bytes:
        """All of it. Raises :class:`BadRequest`, :class:`BodyTooLarge` and :class:`ClientLeft`."""
        encoding = self._headers.get(b"content-encoding", b"identity").strip().lower()
        if encoding not in (b"", b"identity"):
            raise BadRequest("content-encoding is not accepted: send the body uncompressed")
        length = self._headers.get(b"content-length", b"")
        if length.isdigit() and int(length) > self._limit:
            raise self._too_large()
        chunks: list[bytes] = []
        size = 0
        while not self.ended:
            chunk = await self._next()
            size += len(chunk)
            if size > self._limit:
                raise self._too_large()
            chunks.append(chunk)
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)

    async def drain(self) -> None:
        """Take in the rest, within bounds. A client that waits to be told to go on sends nothing, and is not told."""
        if self._headers.get(b"expect", b"").lower() == b"100-continue":
            return
        left = DRAINED_BYTES
        try:
            async with asyncio.timeout(DRAIN_SECONDS):
                while left > 0 and not self.ended:
                    left -= len(await self._next())
        except (ClientLeft, TimeoutError):
            return

    async def _next(self) -> bytes:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            raise ClientLeft
        self.ended = not message.get("more_body", False)
        chunk: bytes = message.get("body", b"")
        return chunk

    def _too_large(self) -> BodyTooLarge:
        return BodyTooLarge(f"the body is larger than {self._limit} bytes")
