"""The service: the registry's controllers over HTTP, with health and metrics."""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from prometheus_client import Counter

from app import registry
from app.controllers.config_sync import CHANGES
from app.controllers.context import Context
from app.controllers.entities import ENTITIES
from app.hooks import logs
from app.hooks.asgi import hook_endpoint
from app.hooks.auth import TokenFile
from app.hooks.health import Health, health_routes
from app.hooks.http import HOOKS, HookEndpoint
from app.hooks.metrics import Metrics
from app.hooks.server import listening, server
from app.litellm.addresses import AllowRuleError
from app.settings import Settings, SettingsError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from socket import socket

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
    tokens = None if settings.hook_token_file is None else TokenFile(settings.hook_token_file)
    health = Health() if tokens is None else Health(tokens.problem)
    metrics = Metrics()
    own = _counted(context or _context(settings), metrics)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        health.started = True
        # A token file that cannot be read is told now, not when the first hook fails.
        health.problem()
        try:
            yield
        finally:
            if context is None:
                await own.aclose()

    hooks = hook_endpoint(
        registry.CONTROLLERS if controllers is None else controllers,
        own,
        health=health,
        metrics=metrics,
        tokens=tokens,
    )
    app = Service(hooks, title="Palena", openapi_url=None, docs_url=None, redoc_url=None, lifespan=lifespan)
    app.router.routes.extend(health_routes(health, metrics))
    app.state.health = health
    return app


def run(settings: Settings, context: Context | None = None) -> None:
    """Serve until SIGTERM or SIGINT. ``context`` replaces the real one.

    Raises :class:`~app.settings.SettingsError` for settings it cannot start with.
    """
    app = create_app(settings, context)
    try:
        listener = server(app, settings, app.state.health)
    except OSError as error:
        names = "PALENA_TLS_CERT_FILE, PALENA_TLS_KEY_FILE or PALENA_TLS_CLIENT_CA_FILE"
        raise SettingsError(f"{names} cannot be loaded: {error}") from error
    sockets = listening(settings)
    logs.configure(settings.log_level, settings.log_format)
    for name in settings.unknown_variables:
        _log.warning("%s is set and means nothing to Palena; is it misspelt?", name)
    if settings.hook_token_file is None:
        _log.warning("hooks are open to everyone who reaches this port: PALENA_HOOK_TOKEN_FILE is not set")
    _log.info("serving hooks on %s", ", ".join(_where(one) for one in sockets))
    listener.run(sockets)


def _where(opened: socket) -> str:
    host, port = opened.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _context(settings: Settings) -> Context:
    try:
        return Context.of_service(settings)
    except AllowRuleError as error:
        raise SettingsError(str(error)) from error


def _counted(context: Context, metrics: Metrics) -> Context:
    """The same context, which also counts what is left behind in LiteLLM, and what config sync does there.

    Every kind is there from the start, so the first one is a rise.
    """
    left = Counter(
        "palena_left_behind",
        "Objects that are gone in the cluster and may be left in LiteLLM.",
        ["kind"],
        registry=metrics.registry,
    )
    changes = Counter(
        "palena_config_sync_changes",
        "Objects in LiteLLM that config sync put back, made again or pruned.",
        ["kind", "change"],
        registry=metrics.registry,
    )
    for controller in ENTITIES:
        left.labels(controller.parent.kind)
        for change in CHANGES:
            changes.labels(controller.parent.kind, change)

    def left_behind(kind: str) -> None:
        left.labels(kind).inc()
        context.left_behind(kind)

    def changed(kind: str, change: str) -> None:
        changes.labels(kind, change).inc()
        context.changed(kind, change)

    return replace(context, left_behind=left_behind, changed=changed)
