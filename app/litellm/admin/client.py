"""Makes calls to the admin APIs of many proxies: connections are kept, bounded for each proxy, and dead proxies left alone.

The transport is the seam, as it is for health probes (:mod:`app.litellm.client`): the service gives one that judges
addresses, tests one that leads to an ASGI app. Only what may be repeated blindly is repeated, and that once; a plan that was
cut short anywhere is begun again from its first look.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import httpx2
import orjson

from app.litellm.admin.breaker import Breaker
from app.litellm.admin.errors import AdminError, DatabaseDown, NotAllowed, Unnameable, Unreachable
from app.litellm.admin.refusals import failure, json_of
from app.litellm.admin.turns import Turns
from app.litellm.answers import Answer
from app.litellm.client import FAILURES, OWN_FAILURES, AnswerUnreadable, trouble
from app.litellm.transport import AddressRefused, NotAsked

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from app.litellm.admin.calls import Call
    from app.litellm.target import Target
    from app.litellm.trust import Trust

    Transports = Callable[[Trust], httpx2.AsyncBaseTransport]

CALL_SECONDS = 8.0
"""One call, with the wait for its turn. A hook has time for two that hang."""

LONGEST_TARGET = 8_000
"""Characters of a path with its query: servers and whatever stands before them take no more."""

MOST_AT_ONCE = 100
"""Calls under way at one proxy."""

LARGEST_ANSWER = 32 * 1024 * 1024
"""Bytes. The largest are lists that LiteLLM has no pages for, such as credentials and MCP servers."""

MOST_VALUES = 1_000_000
"""Values in one answer: a team of ten thousand members and keys has fewer. Each may be two bytes long and take a hundred in
memory: an endpoint that its owner made for the purpose would end the process, and stop all else while it is read."""

MOST_PROXIES = 1_000
"""Proxies with connections; the one not called for the longest time loses them first."""

_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "palena"}


@dataclass(slots=True)
class _Line:
    """What is kept for one proxy."""

    endpoint: str
    transport: httpx2.AsyncBaseTransport
    cookies: httpx2.Cookies = field(default_factory=httpx2.Cookies)
    """Those by which a load balancer remembers the replica."""
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_AT_ONCE))
    breaker: Breaker = field(default_factory=Breaker)
    calls: int = 0
    """Under way now."""


class Admin:
    """The admin API of one proxy, with its master key."""

    def __init__(self, client: AdminClient, target: Target, key: str) -> None:
        self._client = client
        self.target = target
        self.key = key

    def __repr__(self) -> str:
        return f"Admin({self.target.endpoint})"

    async def ask(self, call: Call) -> Any:
        """The JSON of the answer; nothing for an empty one. Raises :class:`~app.litellm.admin.errors.AdminError`.

        No message repeats the master key, whatever the proxy says.
        """
        return await self._client.ask(self.target, self.key, replace(call, secrets=(*call.secrets, self.key)))

    def turn(self, name: str) -> AbstractAsyncContextManager[None]:
        """The only writer of that name in this process. It raises :class:`~app.litellm.admin.errors.AdminError` too."""
        return self._client.turns.turn(self.target.endpoint, name)


class AdminClient:
    """Connections to every proxy that this process calls. ``clock`` is in seconds and only ever goes forward."""

    def __init__(
        self,
        transports: Transports,
        clock: Callable[[], float],
        failed: Callable[[Target], None] = lambda target: None,
    ) -> None:
        self._transports = transports
        self._clock = clock
        self._failed = failed
        self._lines: OrderedDict[tuple[str, str], _Line] = OrderedDict()
        self._closing: set[asyncio.Task[None]] = set()
        self.turns = Turns()

    @classmethod
    def nowhere(cls) -> AdminClient:
        """A client that reaches no proxy, for whoever calls none."""
        return cls(lambda _: httpx2.MockTransport(_refuse), lambda: 0.0)

    def at(self, target: Target, key: str) -> Admin:
        """The admin API of that proxy."""
        return Admin(self, target, key)

    async def ask(self, target: Target, key: str, call: Call) -> Any:
        """See :meth:`Admin.ask`."""
        if len(call.target) > LONGEST_TARGET:
            what = f"the URL of the {call.method} would have more than {LONGEST_TARGET:,} characters"
            raise Unnameable(f"was not asked: {what}; shorten the id, alias or e-mail address in the spec")
        line = self._line(target)
        if not line.breaker.lets_through(self._clock()):
            raise Unreachable("did not answer several times in a row and is asked again in some seconds")
        line.calls += 1
        try:
            answer = await self._answer(line, key, call)
            if (refused := failure(call, answer)) is not None:
                raise refused
        except NotAllowed:
            raise
        except Unreachable:
            line.breaker.failed(self._clock())
            self._failed(target)
            raise
        except DatabaseDown:
            self._failed(target)
            raise
        except AdminError:
            line.breaker.answered()
            raise
        finally:
            line.calls -= 1
        line.breaker.answered()
        return json_of(call, answer)

    async def aclose(self) -> None:
        """Ends every connection."""
        lines, self._lines = list(self._lines.values()), OrderedDict()
        await asyncio.gather(*(line.transport.aclose() for line in lines), *self._closing, return_exceptions=True)

    def _line(self, target: Target) -> _Line:
        name = (target.endpoint, target.trust.digest)
        line = self._lines.get(name)
        if line is None:
            line = self._lines[name] = _Line(target.endpoint, self._transports(target.trust))
        self._lines.move_to_end(name)
        self._drop_idle()
        return line

    def _drop_idle(self) -> None:
        for name in list(self._lines)[: max(0, len(self._lines) - MOST_PROXIES)]:
            if not self._lines[name].calls:
                task = asyncio.create_task(self._lines.pop(name).transport.aclose())
                self._closing.add(task)
                task.add_done_callback(self._closing.discard)

    async def _answer(self, line: _Line, key: str, call: Call) -> Answer:
        tries = 2 if call.repeatable else 1
        try:
            async with asyncio.timeout(CALL_SECONDS), line.turns:
                while True:
                    tries -= 1
                    try:
                        return await _sent(line, key, call)
                    except httpx2.RemoteProtocolError:
                        # A kept connection that the server closed at this very moment.
                        if not tries:
                            raise
        except NotAsked as error:
            raise Unreachable("could not be asked for want of means: too many names are being resolved") from error
        except AddressRefused as error:
            raise NotAllowed(f"may not be called: {error}") from error
        except OWN_FAILURES as error:
            raise NotAllowed(trouble(error, call.path)) from error
        except FAILURES as error:
            raise Unreachable(trouble(error, call.path)) from error


@lru_cache(maxsize=128)
def _url(text: str) -> httpx2.URL:
    """Parsed once: most are called twice in a row, to see what is there before an object is made, and after."""
    return httpx2.URL(text)


def _refuse(request: httpx2.Request) -> httpx2.Response:
    raise httpx2.ConnectError("there is no network here", request=request)


async def _sent(line: _Line, key: str, call: Call) -> Answer:
    """One exchange, on the transport itself: what a client of httpx adds (redirects, hooks, ways of logging in) is dear."""
    headers = {**_HEADERS, "Authorization": f"Bearer {key}"}
    content: bytes | None = None
    if call.body is not None:
        headers["Content-Type"] = "application/json"
        content = orjson.dumps(call.body)
    request = httpx2.Request(call.method, _url(line.endpoint + call.target), headers=headers, content=content)
    if line.cookies:
        line.cookies.set_cookie_header(request)
    response = await line.transport.handle_async_request(request)
    response.request = request
    try:
        if "set-cookie" in response.headers:
            line.cookies.extract_cookies(response)
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise AnswerUnreadable(f"answered {call.path} compressed, although that was not asked for")
        body = bytearray()
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > LARGEST_ANSWER:
                raise AnswerUnreadable(f"answered {call.path} with more than {LARGEST_ANSWER // 1024 // 1024} MiB")
    finally:
        await response.aclose()
    if len(body) > MOST_VALUES and _values(body) > MOST_VALUES:
        raise AnswerUnreadable(f"answered {call.path} with more than {MOST_VALUES:,} values")
    return Answer(
        response.status_code, response.headers.get("content-type", ""), response.headers.get("location", ""), bytes(body)
    )


def _values(body: bytearray) -> int:
    """About how many values the JSON has, without reading it: commas and brackets, those in texts too."""
    return sum(map(body.count, b",[{"))
