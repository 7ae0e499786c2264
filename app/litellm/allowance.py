"""What one answer may cost: bytes off the wire, whatever they turn out to be, and turns of the event loop.

A proxy may send interim answers, headers, chunk extensions or trailers without end, or a body in pieces of one byte. None of
it ever reaches the client as more than a small body, and a parser that always has something left in its buffer never lets the
event loop have its turn, so that no deadline can fall. Here every read is small, counted, and preceded by a turn of the loop.
"""

from __future__ import annotations

import asyncio
import select
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpcore2
import httpx2

if TYPE_CHECKING:
    import ssl
    from socket import socket

READ_BYTES = 1024
"""At most as much is parsed in one turn of the loop. A whole answer of LiteLLM's health routes has one to two of these."""

LARGEST_HEAD = 16 * 1024
"""Bytes up to the end of the headers, interim answers included. Servers commonly send no more than 8 KiB."""

LARGEST_WIRE_BODY = 128 * 1024
"""Bytes after the headers: twice what a client reads of a body (:data:`app.litellm.client.LARGEST_ANSWER`), for the framing."""


class AnswerTooLong(httpx2.RemoteProtocolError):
    """More bytes than any sensible answer has. The text says of what, to follow "answered … with"."""


@dataclass(slots=True)
class Allowance:
    """What may still be read of the answer that is under way; shared by the connections of one conversation."""

    left: int = 0
    excess: str = ""
    read_bytes: int = READ_BYTES

    def head(self) -> None:
        """A request is about to be sent."""
        self.left, self.excess = LARGEST_HEAD, f"more than {LARGEST_HEAD // 1024} KiB of headers"

    def body(self) -> None:
        """The headers have been read."""
        self.left, self.excess = LARGEST_WIRE_BODY, f"more than {LARGEST_WIRE_BODY // 1024} KiB"

    def spend(self, count: int) -> None:
        """Some bytes were read. Raises :class:`AnswerTooLong`."""
        self.left -= count
        if self.left < 0:
            raise AnswerTooLong(self.excess)


class Unmetered(Allowance):
    """For a proxy that holds the master key's trust: its lists are long, and whoever asks counts bytes and time itself."""

    def __init__(self) -> None:
        super().__init__(read_bytes=64 * 1024)

    def spend(self, count: int) -> None:
        """Never too much: many answers share it at a time."""


class AllowedStream(httpcore2.AsyncNetworkStream):
    """A connection whose reads are paid for from an allowance. What is written goes out in one piece, before the next read."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream, allowance: Allowance) -> None:
        self._stream = stream
        self._allowance = allowance
        self._unsent = bytearray()
        self._socket: socket | None = None

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 (httpcore's signature)
        """A few bytes. Raises :class:`AnswerTooLong`."""
        if self._unsent:
            unsent, self._unsent = bytes(self._unsent), bytearray()
            # A server may answer a request that it does not read to its end.
            with suppress(httpcore2.WriteError):
                await self._stream.write(unsent, timeout)
        # Bytes that have come already may be returned without a turn of the loop, and then no deadline would fall.
        await asyncio.sleep(0)
        data = await self._stream.read(min(max_bytes, self._allowance.read_bytes), timeout)
        self._allowance.spend(len(data))
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 (httpcore's signature)
        """Takes the bytes; httpcore hands over head and body of a request one by one."""
        self._unsent += buffer

    async def aclose(self) -> None:
        """Ends the connection."""
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's signature)
    ) -> httpcore2.AsyncNetworkStream:
        """The same connection within TLS, before anything is written. What is paid for is then what TLS carries."""
        try:
            within = await self._stream.start_tls(ssl_context, server_hostname, timeout)
        except BaseException:
            # Of a handshake that is given up, httpcore leaves the connection to the garbage collector.
            await self._stream.aclose()
            raise
        return AllowedStream(within, self._allowance)

    def get_extra_info(self, info: str) -> Any:
        """What the connection tells of itself."""
        return self._has_news() if info == "is_readable" else self._stream.get_extra_info(info)

    def _has_news(self) -> bool:
        """Whether there is something to read, be it the end. It is asked before each request, and anyio looks up all else too."""
        self._socket = self._socket or self._stream.get_extra_info("socket")
        if self._socket is None or self._socket.fileno() < 0:
            return True
        look = select.poll()
        look.register(self._socket, select.POLLIN)
        return bool(look.poll(0))
