"""HTTP to a user-given endpoint: the address is judged at the moment of connecting.

A check of the URL alone proves nothing: a name may resolve to another address a second later. So the name is resolved here,
every address is judged, and the connection goes to one of these very addresses, while the Host header, SNI and certificate
check keep the name. Left out on purpose: proxies from the environment, redirects, retries, HTTP/2, and connections shared
between endpoints (dead ones would take them all). How much of an answer is read is :mod:`app.litellm.allowance`.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import contextmanager
from functools import cache
from ipaddress import ip_address
from typing import TYPE_CHECKING, cast

import httpcore2
import httpx2

from app.litellm.allowance import Allowance, AllowedStream
from app.litellm.trust import Trust

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterable

    from app.litellm.addresses import Address, AllowRules

    Resolve = Callable[[str, int], Awaitable[list[str]]]
    """Host and port to addresses, in the order in which to try them. Raises ``OSError`` when there are none."""

CONNECT_SECONDS = 1.5
"""How long one address may take while there is another to try."""

IDLE_SECONDS = 4.0
"""How long a connection is kept for the next request. LiteLLM's server hangs up after five."""

MOST_KEPT = 10
"""Connections to one proxy that are kept for the next requests."""

MOST_LOOKUPS = 512
"""Names being resolved at once. A lookup cannot be cancelled, so each has a thread, and threads are not free."""

QUEUE_SECONDS = 3.0
"""How long a name waits for such a thread: less than a whole flight, so that there is time left to use it."""


class AddressRefused(httpx2.ConnectError):
    """We did not connect: the host leads to an address that endpoints may not reach."""


class NotAsked(httpx2.ConnectError):
    """We did not come to ask, for want of means of our own. It says nothing about the proxy."""


class Resolver:
    """The system's name service, with a thread for each name under way.

    The event loop's own pool has a handful of threads: as many names that hang would keep every other name waiting.
    """

    def __init__(self, most_lookups: int = MOST_LOOKUPS, queue_seconds: float = QUEUE_SECONDS) -> None:
        self._lookups: dict[tuple[str, int], asyncio.Task[list[str]]] = {}
        self._threads = asyncio.Semaphore(most_lookups)
        self._queue_seconds = queue_seconds

    async def __call__(self, host: str, port: int) -> list[str]:
        """Addresses of the host. A lookup that waits or is under way is shared. Raises :class:`NotAsked` besides ``OSError``."""
        key = (host, port)
        lookup = self._lookups.get(key)
        if lookup is None:
            lookup = self._lookups[key] = asyncio.create_task(self._look_up(host, port))
            lookup.add_done_callback(lambda done: self._end(key, done))
        return await asyncio.shield(lookup)

    async def _look_up(self, host: str, port: int) -> list[str]:
        try:
            async with asyncio.timeout(self._queue_seconds):
                await self._threads.acquire()
        except TimeoutError:
            raise NotAsked("too many names are being resolved") from None
        try:
            found: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()
            threading.Thread(target=_look_up, args=(found, host, port), name=f"resolve {host}", daemon=True).start()
            return await found
        except RuntimeError as error:
            raise NotAsked("no thread can be had to resolve a name") from error
        finally:
            self._threads.release()

    def _end(self, key: tuple[str, int], done: asyncio.Task[list[str]]) -> None:
        del self._lookups[key]
        if not done.cancelled():
            done.exception()  # nobody may be waiting any more


def _look_up(lookup: asyncio.Future[list[str]], host: str, port: int) -> None:
    found: list[str] = []
    problem: OSError | None = None
    try:
        found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError) as error:
        problem = OSError(str(error))

    def settle() -> None:
        if lookup.done():
            return
        if problem is None:
            lookup.set_result(found)
        else:
            lookup.set_exception(problem)

    try:
        lookup.get_loop().call_soon_threadsafe(settle)
    except RuntimeError:
        return  # the loop is closed: the service has stopped


class JudgedConnections(httpcore2.AsyncNetworkBackend):
    """Connects to judged addresses only. What is read comes out of the allowance."""

    def __init__(self, allow: AllowRules, resolve: Resolve, allowance: Allowance) -> None:
        self._allow = allow
        self._allowance = allowance
        self._resolve = resolve
        self._sockets = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's signature)
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """A stream to one of the host's addresses. One refused address refuses the host, whatever else it resolves to."""
        addresses = await self._judged(host, port)
        for rest, address in zip(range(len(addresses) - 1, -1, -1), addresses, strict=True):
            try:
                stream = await self._sockets.connect_tcp(
                    str(address), port, CONNECT_SECONDS if rest else timeout, local_address, socket_options
                )
                return AllowedStream(stream, self._allowance)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                if not rest:
                    raise
        raise httpcore2.ConnectError("the name has no address")

    async def _judged(self, host: str, port: int) -> list[Address]:
        try:
            addresses = [ip_address(host)]
        except ValueError:
            try:
                addresses = [ip_address(literal) for literal in dict.fromkeys(await self._resolve(host, port))]
            except OSError as error:
                raise httpcore2.ConnectError("the name does not resolve") from error
        if not self._allow.permits_name(host):
            for address in addresses:
                if why := self._allow.refusal(address):
                    raise AddressRefused(why)
        return addresses


class JudgedTransport(httpx2.AsyncBaseTransport):
    """A transport to one proxy, for one conversation unless an allowance for more is given. Its connections end with it.

    Each request has a connection of its own; how many there are at once is for whoever asks. httpcore's pool looks at all
    connections twice for each request.
    """

    def __init__(self, trust: Trust, allow: AllowRules, resolve: Resolve, allowance: Allowance | None = None) -> None:
        self._allowance = allowance or Allowance()
        self._context = trust.context() if trust.pem else _system_context()
        self._backend = JudgedConnections(allow, resolve, self._allowance)
        self._open: set[httpcore2.AsyncHTTPConnection] = set()
        self._kept: list[httpcore2.AsyncHTTPConnection] = []
        """Those that nobody uses; the last one was used last."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends one request. Raises :class:`httpx2.TransportError` in all its kinds."""
        url = httpcore2.URL(
            scheme=request.url.raw_scheme, host=request.url.raw_host, port=request.url.port, target=request.url.raw_path
        )
        self._allowance.head()
        connection = await self._connection(url.origin)
        try:
            with _httpx_errors(request):
                response = await connection.handle_async_request(
                    httpcore2.Request(
                        request.method, url, headers=request.headers.raw, content=request.stream, extensions=request.extensions
                    )
                )
        except BaseException:
            await self._leave(connection)
            raise
        self._allowance.body()
        return httpx2.Response(
            response.status, headers=response.headers, stream=_Body(response, request, lambda: self._leave(connection))
        )

    async def aclose(self) -> None:
        """Closes every connection."""
        self._kept.clear()
        while self._open:
            await self._open.pop().aclose()

    async def _connection(self, origin: httpcore2.Origin) -> httpcore2.AsyncHTTPConnection:
        """The one that was used last, or a new one. Those that were kept too long or that the server has ended go."""
        while self._kept and self._kept[0].has_expired():
            await self._end(self._kept.pop(0))
        while self._kept:
            connection = self._kept.pop()
            if connection.can_handle_request(origin) and not connection.has_expired():
                return connection
            await self._end(connection)
        connection = httpcore2.AsyncHTTPConnection(
            origin,
            ssl_context=self._context,
            keepalive_expiry=IDLE_SECONDS,
            network_backend=self._backend,
        )
        self._open.add(connection)
        return connection

    async def _leave(self, connection: httpcore2.AsyncHTTPConnection) -> None:
        """A request is over. Its connection is kept for the next if it is fit for it, and there are not enough."""
        if connection in self._open and connection.is_available() and len(self._kept) < MOST_KEPT:
            self._kept.append(connection)
        else:
            await self._end(connection)

    async def _end(self, connection: httpcore2.AsyncHTTPConnection) -> None:
        self._open.discard(connection)
        await connection.aclose()


class _Body(httpx2.AsyncByteStream):
    def __init__(self, response: httpcore2.Response, request: httpx2.Request, over: Callable[[], Awaitable[None]]) -> None:
        self._response = response
        self._request = request
        self._over = over
        self._closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _httpx_errors(self._request):
            async for part in self._response.aiter_stream():
                yield part

    async def aclose(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            await self._response.aclose()
        finally:
            await self._over()


@cache
def _system_context() -> ssl.SSLContext:
    """Shared: loading the system's store takes tens of milliseconds."""
    return Trust().context()


@contextmanager
def _httpx_errors(request: httpx2.Request) -> Generator[None]:
    """httpcore's errors in httpx's words, so that a client sees one tree whatever its transport is."""
    try:
        yield
    except (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError) as error:
        kind = getattr(httpx2, type(error).__name__, httpx2.TransportError)
        raise kind(str(error), request=request) from error
