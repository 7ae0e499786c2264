"""One uvicorn worker, set up for Metacontroller.

It keeps connections longer than Metacontroller does (90 s), because a request on a connection that was just closed fails
and is not repeated. On the first SIGTERM it stops being ready but goes on serving for a moment, until the endpoint has
left the Service; then it finishes what is in flight.
"""

from __future__ import annotations

import gc
import signal
import time
from typing import TYPE_CHECKING

import uvicorn

from app.hooks.tls import RotatingTLS

if TYPE_CHECKING:
    from types import FrameType

    from starlette.types import ASGIApp

    from app.hooks.health import Health
    from app.settings import Settings

KEEP_ALIVE_SECONDS = 100
DRAIN_SECONDS = 3.0
"""How long requests are still taken after SIGTERM."""
STOP_SECONDS = 25
"""How long requests in flight may take after that: longer than a hook's deadline."""


class Server(uvicorn.Server):
    """A server that drains before it stops."""

    def __init__(self, config: uvicorn.Config, health: Health, drain_seconds: float = DRAIN_SECONDS) -> None:
        super().__init__(config)
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
        """Ten times a second: whether to stop now."""
        if self._stop_at is not None and time.monotonic() >= self._stop_at:
            self.should_exit = True
        return await super().on_tick(counter)


def freeze_garbage_collector() -> None:
    """Keep collections off the objects that live as long as the process: a full one takes longer than most hooks."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def server(app: ASGIApp, settings: Settings, health: Health, *, drain_seconds: float = DRAIN_SECONDS) -> Server:
    """The server for ``settings``; raises ``OSError`` if its certificates cannot be loaded."""
    tls = None
    if settings.tls_cert_file is not None and settings.tls_key_file is not None:
        tls = RotatingTLS(settings.tls_cert_file, settings.tls_key_file, settings.tls_client_ca_file)
    config = uvicorn.Config(
        app,
        host=settings.host,  # pyright: ignore[reportArgumentType]
        port=settings.port,
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
    return Server(config, health, drain_seconds)
