"""The service: the registry's controllers over HTTP, with health and metrics."""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI

from app import registry
from app.controllers.context import Context
from app.hooks import logs
from app.hooks.asgi import hook_endpoint
from app.hooks.auth import TokenFile
from app.hooks.health import Health, health_routes
from app.hooks.http import HOOKS, HookEndpoint
from app.hooks.metrics import Metrics
from app.hooks.server import server
from app.litellm.addresses import AllowRuleError
from app.settings import Settings, SettingsError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from starlette.types import Receive, Scope, Send

    from app.hooks.controller import Controller

_log = logging.getLogger(__name__)


class Service(FastAPI):
    """FastAPI for everything but the hooks, which reach their endpoint without its middleware: that costs a tenth of a hook."""

    def __init__(self, hooks: HookEndpoint[Any], **options: Any) -> None:
        super().__init__(**options)
        self._hooks = hooks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the lifespan."""
        if scope["type"] == "http" and scope["path"].startswith(HOOKS):
            await self._hooks(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def create_app(
    settings: Settings, context: Context | None = None, controllers: Sequence[Controller[Any]] | None = None
) -> FastAPI:
    """The ASGI application. ``context`` and ``controllers`` replace the real ones; a given context is not closed here.

    ``app.state.health`` is the :class:`~app.hooks.health.Health` that ``/readyz`` reports. Raises
    :class:`~app.settings.SettingsError` for an endpoint rule that cannot be read.
    """
    health = Health()
    own = context or _context(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        health.started = True
        try:
            yield
        finally:
            if context is None:
                await own.aclose()

    metrics = Metrics()
    hooks = hook_endpoint(
        registry.CONTROLLERS if controllers is None else controllers,
        own,
        health=health,
        metrics=metrics,
        tokens=None if settings.hook_token_file is None else TokenFile(settings.hook_token_file),
    )
    app = Service(hooks, title="Palena", openapi_url=None, docs_url=None, redoc_url=None, lifespan=lifespan)
    app.router.routes.extend(health_routes(health, metrics))
    app.state.health = health
    return app


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT. Raises :class:`~app.settings.SettingsError` for settings it cannot start with."""
    app = create_app(settings)
    try:
        listener = server(app, settings, app.state.health)
    except OSError as error:
        names = "PALENA_TLS_CERT_FILE, PALENA_TLS_KEY_FILE or PALENA_TLS_CLIENT_CA_FILE"
        raise SettingsError(f"{names} cannot be loaded: {error}") from error
    logs.configure(settings.log_level, settings.log_format)
    if settings.hook_token_file is None:
        _log.warning("hooks are open to everyone who reaches this port: PALENA_HOOK_TOKEN_FILE is not set")
    listener.run()


def _context(settings: Settings) -> Context:
    try:
        return Context.of_service(settings)
    except AllowRuleError as error:
        raise SettingsError(str(error)) from error
