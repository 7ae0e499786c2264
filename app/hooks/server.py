"""One uvicorn worker, set up for Metacontroller.

It keeps connections longer than Metacontroller does (90 s), because a request on a connection that was just closed fails
and is not repeated. On the first SIGTERM it stops being ready but goes on serving for a moment, until the endpoint has
left the Service; then it finishes what is in flight.
"""

from __future__ import annotations

import errno
import gc
import signal
import socket
import time
from typing import TYPE_CHECKING, Any

import uvicorn

from app.hooks.tls import RotatingTLS
from app.settings import SettingsError

if TYPE_CHECKING:
    from types import FrameType

    from starlette.types import ASGIApp

    from app.hooks.health import Health
    from app.settings import Settings

KEEP_ALIVE_SECONDS = 100
DRAIN_SECONDS = 3.0
"""How long requests are still taken after SIGTERM."""
BACKLOG = 2048
"""Connections that wait to be accepted."""
STOP_SECONDS = 25
"""How long requests in flight may take after that: longer than a hook's deadline."""


class Server(uvicorn.Server):
    """A server that drains before it stops, and lets nobody stay whose authority was removed."""

    def __init__(
        self, config: uvicorn.Config, health: Health, drain_seconds: float = DRAIN_SECONDS, tls: RotatingTLS | None = None
    ) -> None:
        super().__init__(config)
        self._tls = tls
        self._health = health
        self._drain_seconds = drain_seconds
        self._stop_at: float | None = None

    async def startup(self, sockets: list[object] | None = None) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Start, then take everything that was made so far out of the garbage collector's sight."""
        await super().startup(sockets)  # pyright: ignore[reportArgumentType]
        freeze_garbage_collector()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal drains, an interrupt or a second signal stops at once."""
        if sig == signal.SIGINT or self._health.stopping:
            self.should_exit = True
        self._health.stopping = True
        if self._stop_at is None:
            self._stop_at = time.monotonic() + self._drain_seconds

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second: whether to stop now. Once a second it looks for authorities that were removed."""
        if self._tls is not None and counter % 10 == 0 and self._tls.authority_withdrawn():
            self._end_outdated(self._tls)
        if self._stop_at is not None and time.monotonic() >= self._stop_at:
            self.should_exit = True
        return await super().on_tick(counter)

    def _end_outdated(self, tls: RotatingTLS) -> None:
        for connection in list(self.server_state.connections):
            if tls.outdated(connection.transport.get_extra_info("ssl_object")):
                # Ends it at once if it is idle, else after the answer that is under way.
                connection.shutdown()


def freeze_garbage_collector() -> None:
    """Keep collections off the objects that live as long as the process: a full one takes longer than most hooks."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def listening(settings: Settings) -> list[socket.socket]:
    """Sockets that listen where ``settings`` say, one an address. Raises :class:`~app.settings.SettingsError` if none can.

    Opened before the server, which would tell of a used port in its log and end the process with a code of its own.
    """
    sockets: list[socket.socket] = []
    refusal: OSError | None = None
    try:
        places = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise _no_address(settings, error) from error
    except UnicodeError as error:
        raise _no_address(settings, OSError(None, "not a host name")) from error
    for family, kind, protocol, _, place in dict.fromkeys(places):
        try:
            sockets.append(_listening(family, kind, protocol, place))
        except OSError as error:
            refusal = error
            if error.errno not in _NOT_HERE:
                break
    if refusal is not None and (not sockets or refusal.errno not in _NOT_HERE):
        for one in sockets:
            one.close()
        raise _no_address(settings, refusal) from refusal
    return sockets


_NOT_HERE = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL}
"""What a machine without IPv6 says to its addresses; the others will do."""


def _listening(family: int, kind: int, protocol: int, place: tuple[Any, ...]) -> socket.socket:
    opened = socket.socket(family, kind, protocol)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            # The same port has a socket for IPv4.
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        opened.bind(place)
        opened.listen(BACKLOG)
    except OSError:
        opened.close()
        raise
    return opened


def _no_address(settings: Settings, error: OSError) -> SettingsError:
    if error.errno == errno.EADDRINUSE:
        return SettingsError(f"PALENA_PORT={settings.port} is in use: stop what listens there, or choose another port")
    if error.errno in {errno.EACCES, errno.EPERM}:
        return SettingsError(f"PALENA_PORT={settings.port} is not for this user: choose a port from 1024 on")
    return SettingsError(
        f"PALENA_HOST={settings.host!r} is no address of this machine ({error.strerror}): "
        "give one that is, or leave it unset to serve on all"
    )


def server(app: ASGIApp, settings: Settings, health: Health, *, drain_seconds: float = DRAIN_SECONDS) -> Server:
    """The server for ``settings``; raises ``OSError`` if its certificates cannot be loaded."""
    tls = None
    if settings.tls_cert_file is not None and settings.tls_key_file is not None:
        tls = RotatingTLS(settings.tls_cert_file, settings.tls_key_file, settings.tls_client_ca_file)
    config = uvicorn.Config(
        app,
        host=settings.host,  # pyright: ignore[reportArgumentType]
        port=settings.port,
        backlog=BACKLOG,
        http="httptools",
        ws="none",
        lifespan="on",
        workers=1,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
        ssl_context_factory=None if tls is None else lambda _config, _default: tls.context,
    )
    return Server(config, health, drain_seconds, tls)
