"""The fake proxy itself: an ASGI app that answers its health routes as the real one does, and its admin API from memory.

Tests and simulations hand it to clients as a transport, the demo serves it on loopback. It is held to the same tables of
answers as the real proxy (``tests/cases/litellm_*.yaml``).
"""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import orjson

from app.sim.fake_litellm.admin import ROUTES, Asked, Database
from app.sim.fake_litellm.admin.routes import error

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

JSON = "application/json"


class Behaviour(Enum):
    """How the proxy, or whatever stands in front of it, behaves."""

    NORMAL = "answers as LiteLLM does"
    DEAD = "refuses connections"
    SILENT = "accepts the connection and never answers"
    WEB_PAGE = "answers everything with a web page"
    REDIRECT = "sends everybody to a login page"
    BROKEN = "answers everything with 502, as an ingress without a backend does"


@dataclass(frozen=True, slots=True)
class Call:
    """One request that arrived."""

    path: str
    key: str
    """The bearer token; empty without one."""
    method: str = "GET"
    query: str = ""
    body: Any = None

    def __str__(self) -> str:
        """Verb and path."""
        return f"{self.method} {self.path}"


@dataclass(slots=True)
class Fault:
    """What goes wrong with calls of the admin API."""

    call: str = ""
    """Verb and path of the calls, such as ``POST /model/new``; empty for any."""
    status: int = 500
    """The answer; 0 for a connection that breaks."""
    text: str = "Internal Server Error"
    after: bool = False
    """Whether the call has its effect before it goes wrong."""
    skip: int = 0
    """How many such calls go well first."""
    times: int = 1
    """How many go wrong then."""

    def strikes(self, call: Call) -> bool:
        """Whether this very call goes wrong. Counts."""
        if self.call and self.call != str(call):
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.times -= 1
        return self.times >= 0


@dataclass(kw_only=True)
class FakeLiteLLM:
    """One proxy. Change its fields at any time."""

    version: str = "1.110.2"
    public_details: bool = False
    """``general_settings.allow_public_health_readiness_details``."""
    database_up: bool = True
    master_key: str = "sk-master"
    virtual_keys: frozenset[str] = frozenset()
    behaviour: Behaviour = Behaviour.NORMAL
    latency: float = 0
    """Seconds before each answer."""
    calls: list[Call] = field(default_factory=list[Call])
    faults: list[Fault] = field(default_factory=list[Fault])
    database: Database = field(default_factory=Database)
    """What is stored. Its release follows ``version``."""

    @property
    def admin_calls(self) -> list[str]:
        """Verb and path of every call but health's."""
        return [str(call) for call in self.calls if not call.path.startswith("/health")]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI entry point."""
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "http":
            status, content_type, body, headers = await self._answer(scope, await _body(receive))
            headers = [(b"content-type", content_type.encode()), (b"content-length", b"%d" % len(body)), *headers]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: Scope, body: bytes) -> tuple[int, str, bytes, list[tuple[bytes, bytes]]]:
        query = scope["query_string"].decode("ascii")
        call = Call(scope["path"], _bearer(scope), scope["method"], query, orjson.loads(body) if body else None)
        self.calls.append(call)
        if self.latency:
            await asyncio.sleep(self.latency)
        match self.behaviour:
            case Behaviour.DEAD:
                raise ConnectionRefusedError
            case Behaviour.SILENT:
                await asyncio.Event().wait()
            case Behaviour.WEB_PAGE:
                return 200, "text/html; charset=utf-8", b"<!doctype html><title>Sign in</title>", []
            case Behaviour.REDIRECT:
                return 302, "text/html", b"", [(b"location", b"https://login.example.com/start?token=abc")]
            case Behaviour.BROKEN:
                return 502, "text/plain", b"Bad Gateway", []
            case Behaviour.NORMAL:
                pass
        raw_path = scope["raw_path"].decode("ascii")
        fault = next((one for one in self.faults if one.strikes(call)), None)
        if fault is None:
            status, content = self._route(call, raw_path)
            return status, JSON, orjson.dumps(content), []
        if fault.after:
            self._route(call, raw_path)
        if not fault.status:
            raise ConnectionResetError
        return fault.status, "text/plain", fault.text.encode(), []

    def _route(self, call: Call, raw_path: str) -> tuple[int, object]:
        match call.path:
            case "/health/liveliness" | "/health/liveness":
                return 200, "I'm alive!"
            case "/health/readiness":
                return self._readiness()
            case "/health/readiness/details" if not self._first_generation:
                refusal = self._refusal(call.key)
                return refusal or (200, self._details())
            case "/health/license":
                refusal = self._refusal(call.key)
                return refusal or (200, {"has_license": False, "license_type": "community"})
            case _:
                return self._admin(call, raw_path)

    def _admin(self, call: Call, raw_path: str) -> tuple[int, object]:
        self.database.release = int(self.version.split(".")[1])
        for route in ROUTES:
            named = route.match(call.method, raw_path)
            if named is None:
                continue
            refusal = self._refusal(call.key)
            if refusal is None and not self.database_up:
                refusal = error(500, "Can't reach database server at `localhost`:`5432`")
            return refusal or route.handler(self.database, Asked(dict(parse_qsl(call.query)), call.body, named))
        return 404, {"detail": "Not Found"}

    @property
    def _first_generation(self) -> bool:
        """Measured at 1.81.14; 1.108.14 and later answer differently."""
        _, minor, *_ = self.version.split(".")
        return int(minor) < 108

    def _readiness(self) -> tuple[int, object]:
        if self._first_generation:
            return (200, self._details()) if self.database_up else (503, {"detail": "Service Unhealthy (no database)"})
        details = self._details() if self.public_details else {"status": "healthy", "db": self._database}
        return (200 if self.database_up else 503), details

    @property
    def _database(self) -> str:
        return "connected" if self.database_up else "disconnected"

    def _details(self) -> dict[str, Any]:
        details: dict[str, Any] = {
            "status": "connected" if self._first_generation else "healthy",
            "db": self._database,
            "cache": None,
            "litellm_version": self.version,
            "success_callbacks": [],
            "use_aiohttp_transport": True,
        }
        if self._first_generation:
            return {**details, "last_updated": "2026-01-01T00:00:00"}
        return {**details, "log_level": "WARNING", "is_detailed_debug": False}

    def _refusal(self, key: str) -> tuple[int, object] | None:
        """Why the key opens no admin route, in the words of the release."""
        if key == self.master_key:
            return None
        prefix = "Authentication Error, "
        if not key:
            return _refused(prefix + "No api key passed in.")
        if not key.startswith("sk-"):
            legacy_prefix = prefix if self._first_generation else ""
            return _refused(f"{legacy_prefix}LiteLLM Virtual Key expected. Received=****, expected to start with 'sk-'.")
        if not self.database_up and not self._first_generation:
            reason = "Service Unavailable, the authentication database is temporarily unreachable. Please retry shortly."
            return _refused(reason, 503, "no_db_connection")
        if key in self.virtual_keys:
            return _refused(
                prefix + "Only proxy admin can be used to generate, delete, update info for new keys/users/teams. "
                "Route=/health/license. Your role=unknown."
            )
        if self._first_generation:
            digest = hashlib.sha256(key.encode()).hexdigest()
            return _refused(
                f"{prefix}Invalid proxy server token passed. Received API Key = sk-...{key[-4:]}, Key Hash (Token) ={digest}."
            )
        return _refused(prefix + "Invalid API key provided.")


async def _body(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            return bytes(body)


def _bearer(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"authorization":
            return value.decode("latin-1").removeprefix("Bearer ")
    return ""


def _refused(message: str, status: int = 401, kind: str = "auth_error") -> tuple[int, object]:
    return status, {"error": {"message": message, "type": kind, "param": "None", "code": str(status)}}


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        event = (await receive())["type"]
        await send({"type": f"{event}.complete"})
        if event == "lifespan.shutdown":
            return
