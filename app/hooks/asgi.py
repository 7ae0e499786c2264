"""The routes of a set of controllers, and an application of nothing else, for toys and tests."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.applications import Starlette
from starlette.routing import Route

from app.hooks.health import Health, health_routes
from app.hooks.hook import hooks_of
from app.hooks.http import HookEndpoint
from app.hooks.metrics import Metrics

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from app.hooks.auth import Tokens
    from app.hooks.controller import Controller

C = TypeVar("C")


def routes(
    controllers: Iterable[Controller[C]],
    context: C,
    *,
    health: Health,
    metrics: Metrics,
    tokens: Tokens | None = None,
    **limits: Any,
) -> list[Route]:
    """``/hooks/{controller}/{hook}`` for every controller, ``/healthz``, ``/readyz`` and ``/metrics``.

    ``limits`` are those of :class:`~app.hooks.http.HookEndpoint`.
    """
    hooks = [hook for controller in controllers for hook in hooks_of(controller)]
    endpoint = HookEndpoint(hooks, context, metrics=metrics, health=health, tokens=tokens, **limits)
    return [Route("/hooks/{controller}/{hook}", endpoint, methods=["POST"]), *health_routes(health, metrics)]


def application(
    controllers: Iterable[Controller[C]], context: C | None = None, *, tokens: Tokens | None = None, **limits: Any
) -> Starlette:
    """An ASGI application that serves these controllers; every hook is given ``context``."""
    health = Health()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        health.started = True
        yield

    served = routes(controllers, context, health=health, metrics=Metrics(), tokens=tokens, **limits)  # pyright: ignore[reportArgumentType]
    app = Starlette(routes=served, lifespan=lifespan)
    app.state.health = health
    return app
