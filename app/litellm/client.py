"""Bounded GETs to one proxy: little is read, nothing is decompressed, no redirect is followed.

The transport is the seam: the service gives one that judges addresses, tests and simulations one that leads to an ASGI app.
Time is bounded by the caller, for a whole conversation; a timeout for each read would let a slow drip go on for ever.
"""

from __future__ import annotations

import errno
import ssl
from typing import TYPE_CHECKING

import httpx2

from app.litellm.allowance import AnswerTooLong
from app.litellm.answers import Answer

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_ANSWER = 64 * 1024
"""Bytes of a body that are read; a full readiness answer has under two thousand."""

MOST_PIECES = 1024
"""Pieces in which a body may come. Each costs as much as a small answer, however few bytes are in it."""

_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "palena"}


class AnswerUnreadable(Exception):
    """The answer is too large, in too many pieces, or compressed although that was not asked for."""


class Client:
    """A short conversation with one proxy. Use it as an asynchronous context manager."""

    def __init__(self, endpoint: str, transport: httpx2.AsyncBaseTransport) -> None:
        self._endpoint = endpoint
        self._http = httpx2.AsyncClient(
            transport=transport, headers=_HEADERS, timeout=None, trust_env=False, follow_redirects=False
        )

    async def __aenter__(self) -> Client:
        await self._http.__aenter__()
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self._http.aclose()

    async def get(self, path: str, *, key: str = "") -> Answer:
        """One GET below the endpoint. Raises what :func:`trouble` can put into words."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        async with self._http.stream("GET", self._endpoint + path, headers=headers) as response:
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                raise AnswerUnreadable(f"answered {path} compressed, although that was not asked for")
            body = bytearray()
            pieces = 0
            async for piece in response.aiter_raw():
                body += piece
                pieces += 1
                if len(body) > LARGEST_ANSWER:
                    raise AnswerUnreadable(f"answered {path} with more than {LARGEST_ANSWER // 1024} KiB")
                if pieces > MOST_PIECES:
                    raise AnswerUnreadable(f"answered {path} in more than {MOST_PIECES} pieces")
        return Answer(
            response.status_code,
            response.headers.get("content-type", ""),
            response.headers.get("location", ""),
            bytes(body),
        )


FAILURES = (httpx2.HTTPError, httpx2.InvalidURL, AnswerUnreadable, TimeoutError, OSError, UnicodeError)
"""Everything that may go wrong outside of this program while a proxy is asked."""

OWN_FAILURES = (httpx2.LocalProtocolError, httpx2.UnsupportedProtocol, httpx2.InvalidURL, UnicodeError)
"""Those of them for which nothing was sent: they say nothing about the proxy."""


def trouble(error: BaseException, path: str) -> str:
    """What went wrong, in words that stay the same from one attempt to the next: no addresses, no ports, no times."""
    if isinstance(error, AnswerUnreadable):
        return str(error)
    if isinstance(error, AnswerTooLong):
        return f"answered {path} with {error}"
    if isinstance(error, TimeoutError | httpx2.TimeoutException):
        return f"did not answer {path} in time"
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"has a certificate that is not trusted ({cause.verify_message})"
        if isinstance(cause, ssl.SSLError):
            return "does not speak TLS 1.2 or later"
        if isinstance(cause, ConnectionRefusedError):
            return "refused the connection"
        if isinstance(cause, OSError) and cause.errno in {errno.ENETUNREACH, errno.EHOSTUNREACH}:
            return "cannot be reached over the network"
    if isinstance(error, httpx2.ConnectError):
        return "cannot be connected to: its name does not resolve or nothing answers"
    if isinstance(error, httpx2.RemoteProtocolError):
        return "does not speak HTTP, or hung up"
    if isinstance(error, httpx2.LocalProtocolError):
        return f"was not asked {path}: the request cannot be written"
    if isinstance(error, OWN_FAILURES):
        return "is no URL that can be asked"
    return f"broke the connection during {path}"


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__
