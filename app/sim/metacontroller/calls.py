"""Calling a hook: its timeout, and what each kind of answer means, before the body is looked at.

The transport is given: any coroutine that takes a URL and a body and comes back with a :class:`Reply`.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from app.hooks.objects import Object
from app.sim.metacontroller.errors import SyncError, TooManyRequests

if TYPE_CHECKING:
    from datetime import datetime

    from app.sim.metacontroller.manifest import Hook


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back over HTTP."""

    code: int
    headers: Mapping[str, str]
    body: bytes


class CallFailed(Exception):
    """No answer at all: the connection was refused, broke, or TLS failed. A transport raises it."""


HookCall = Callable[[str, Object], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call and its answer; ``reply`` is nothing where none came."""

    url: str
    request: Object
    reply: Reply | None


class Hooks:
    """Calls hooks over one transport and tells somebody of every exchange."""

    def __init__(self, call: HookCall, now: Callable[[], datetime], on_exchange: Callable[[Exchange], None]) -> None:
        self._call = call
        self._now = now
        self._on_exchange = on_exchange

    async def ask(self, hook: Hook, request: Object) -> bytes:
        """The body of a 200. Any other answer ends the pass: :class:`TooManyRequests` for 429, :class:`SyncError` else."""
        try:
            async with asyncio.timeout(hook.timeout_seconds):
                reply = await self._call(hook.url, request)
        except (TimeoutError, CallFailed) as error:
            self._on_exchange(Exchange(hook.url, request, None))
            why = str(error) if isinstance(error, CallFailed) else f"no answer within {hook.timeout_seconds:g} s"
            raise SyncError(f"{hook.url}: {why}") from error
        self._on_exchange(Exchange(hook.url, request, reply))
        if reply.code == 429:
            raise TooManyRequests(self._retry_after(reply))
        if reply.code != 200:
            raise SyncError(f"{hook.url}: unsupported status code {reply.code}: {reply.body.decode(errors='replace')}")
        return reply.body

    def _retry_after(self, reply: Reply) -> float:
        """Whole seconds or a date; anything else counts as 0, which is a hot loop."""
        text = next((value for name, value in reply.headers.items() if name.lower() == "retry-after"), "")
        if re.fullmatch(r"[+-]?\d+", text, re.ASCII):
            return int(text)
        try:
            return math.ceil((parsedate_to_datetime(text) - self._now()).total_seconds())
        except (TypeError, ValueError):
            return 0
