"""Hooks over HTTP: token, body, deadline, code.

A bare ASGI application, because this is the hot path. Only an answer that was computed in full is a 200; every failure is
another code with one line of text, on which Metacontroller changes nothing and tries again. It writes that line into an
Event on the parent, so it never quotes a value of the body.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import orjson

from app.hooks.body import ClientLeft, RequestBody
from app.hooks.errors import (
    AnswerRefused,
    BadRequest,
    DeadlineExceeded,
    HookError,
    MethodNotAllowed,
    NotFound,
    NotYet,
    Unauthorized,
)
from app.hooks.logs import FIELDS, line
from app.hooks.settled import Settled, SettledAnswers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import Receive, Scope, Send

    from app.hooks.auth import Tokens
    from app.hooks.health import Health
    from app.hooks.hook import Hook
    from app.hooks.metrics import Metrics

C = TypeVar("C")

HOOKS = "/hooks/"
"""What the paths of all hooks start with: ``/hooks/<controller>/<hook>``."""

BODY_LIMIT = 32 * 1024 * 1024
"""Bytes. A body holds the parent, its children and its related objects in full."""

DEADLINE_SECONDS = 20.0
"""From the request to the answer; Metacontroller itself waits 30 seconds. It can end a coroutine that waits for something;
hooks that are plain functions are pure and quick, and need none."""

_LONGEST_LINE = 1000
_CLIENT_LEFT = 499

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Exchange:
    """What is known about one call, for its log line and its counts."""

    controller: str = "unknown"
    hook: str = "unknown"
    request: Any = None
    response: Any = None
    settled: Settled | None = None
    """Set where neither request nor response is needed, because the same was answered before."""


class HookEndpoint(Generic[C]):
    """Answers every path under ``/hooks/``. ``context`` is handed to every hook."""

    def __init__(
        self,
        hooks: Iterable[Hook[C]],
        context: C,
        *,
        metrics: Metrics,
        health: Health,
        tokens: Tokens | None = None,
        body_limit: int = BODY_LIMIT,
        deadline_seconds: float = DEADLINE_SECONDS,
    ) -> None:
        self._hooks = {f"{HOOKS}{hook.controller}/{hook.name}": hook for hook in hooks}
        self._context = context
        self._metrics = metrics
        self._health = health
        self._tokens = tokens
        self._body_limit = body_limit
        self._deadline = deadline_seconds
        self._settled = SettledAnswers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One exchange."""
        started = time.perf_counter()
        exchange = _Exchange()
        request_headers = dict(scope["headers"])
        request_body = RequestBody(request_headers, receive, self._body_limit)
        headers: list[tuple[bytes, bytes]] = [(b"content-type", b"text/plain; charset=utf-8")]
        error: HookError | None = None
        with self._metrics.in_flight.track_inprogress():
            try:
                body = await self._answer(scope, request_headers, request_body, exchange)
                code, headers = 200, [(b"content-type", b"application/json")]
            except HookError as failure:
                error, code, body = failure, failure.status, _line(failure.message)
                headers += _failure_headers(failure)
            except ClientLeft:
                self._record(exchange, _CLIENT_LEFT, started, None)
                return
            except Exception:  # whatever a hook raises must not end as an answer
                code, body = 500, _line(f"internal error in {exchange.controller}/{exchange.hook}; the service's log says where")
                self._metrics.exceptions.labels(exchange.controller, exchange.hook).inc()
                _log.exception("a hook ended in an exception", extra={FIELDS: _names(exchange)})
            headers.append((b"content-length", b"%d" % len(body)))
            if self._health.stopping or not request_body.ended:
                headers.append((b"connection", b"close"))
            if not request_body.ended and not isinstance(error, DeadlineExceeded):
                await request_body.drain()
            await send({"type": "http.response.start", "status": code, "headers": headers})
            await send({"type": "http.response.body", "body": body})
        self._record(exchange, code, started, error)

    async def _answer(self, scope: Scope, headers: dict[bytes, bytes], request_body: RequestBody, exchange: _Exchange) -> bytes:
        hook = self._hooks.get(scope["path"])
        if hook is not None:
            exchange.controller, exchange.hook = hook.controller, hook.name
        if self._tokens is not None and not self._tokens.accept(headers.get(b"authorization", b"")):
            raise Unauthorized("a bearer token of the hook token file is required")
        if hook is None:
            raise NotFound("no such hook")
        if scope["method"] != "POST":
            raise MethodNotAllowed("hooks are called by POST")
        limit = asyncio.timeout(self._deadline)
        try:
            async with limit:
                body = await request_body.read()
                key = self._settled.key(scope["path"], body)
                settled = self._settled.find(key) if key is not None else None
                if settled is not None and await settled.holds():
                    exchange.settled = settled
                    return settled.answer
                exchange.request = hook.read(_parsed(body))
                response = hook.decide(exchange.request, self._context)
                exchange.response = await response if isawaitable(response) else response
        except TimeoutError:
            if limit.expired():
                raise DeadlineExceeded(f"the hook did not finish within {self._deadline:g} seconds") from None
            raise
        answer = hook.write(exchange.request, exchange.response)
        holds = getattr(exchange.response, "holds", None)
        if holds is None:
            return answer
        if key is None:
            self._settled.note(body)
        else:
            said = _names(exchange) | _ready(exchange.response)
            self._settled.keep(key, Settled(answer, holds, said))
        return answer

    def _record(self, exchange: _Exchange, code: int, started: float, error: HookError | None) -> None:
        seconds = time.perf_counter() - started
        self._metrics.answered(exchange.controller, exchange.hook, code, seconds)
        if isinstance(error, AnswerRefused):
            self._metrics.refusals.labels(exchange.controller, exchange.hook).inc()
        level = logging.INFO if code in (200, 429, _CLIENT_LEFT) else logging.WARNING
        fields = _names(exchange) | {"code": code, "ms": round(seconds * 1000, 2)}
        if error is not None:
            fields["problem"] = _line(error.message).decode()
        elif code == 200:
            fields |= _ready(exchange.response)
        line(_log, level, "hook", fields)


def _parsed(body: bytes) -> object:
    try:
        return cast("object", orjson.loads(body))
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}" if body else "it is empty"
        raise BadRequest(f"the body is no JSON: {where}") from None


def _line(text: str) -> bytes:
    return " ".join(text.split())[:_LONGEST_LINE].encode("utf-8", "replace")


def _failure_headers(error: HookError) -> list[tuple[bytes, bytes]]:
    if isinstance(error, NotYet):
        return [(b"retry-after", b"%d" % error.retry_after)]
    if isinstance(error, MethodNotAllowed):
        return [(b"allow", b"POST")]
    return [(b"www-authenticate", b"Bearer")] if isinstance(error, Unauthorized) else []


def _names(exchange: _Exchange) -> dict[str, Any]:
    if exchange.settled is not None:
        return dict(exchange.settled.said)
    fields: dict[str, Any] = {"controller": exchange.controller, "hook": exchange.hook}
    if exchange.request is not None:
        metadata = exchange.request.parent["metadata"]
        fields |= {
            "namespace": metadata.get("namespace", ""),
            "parent": metadata["name"],
            "generation": metadata.get("generation", 0),
        }
    return fields


def _ready(response: Any) -> dict[str, str]:
    """The reason of the condition Ready, under the name that it has in a log line."""
    conditions = getattr(response, "status", {}).get("conditions")
    for condition in cast("list[Any]", conditions) if isinstance(conditions, list) else ():
        if isinstance(condition, dict) and cast("dict[str, Any]", condition).get("type") == "Ready":
            reason = str(cast("dict[str, Any]", condition).get("reason", ""))
            return {"ready": reason} if reason else {}
    return {}
