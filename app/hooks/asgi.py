"""A set of controllers as an ASGI application, with nothing around it: for toys and tests, and for the service to build on."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.applications import Starlette
from starlette.routing import Mount

from app.hooks.health import Health, health_routes
from app.hooks.hook import hooks_of
from app.hooks.http import HOOKS, HookEndpoint
from app.hooks.metrics import Metrics

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from app.hooks.auth import Tokens
    from app.hooks.controller import Controller

C = TypeVar("C")


def hook_endpoint(
    controllers: Iterable[Controller[C]],
    context: C,
    *,
    health: Health,
    metrics: Metrics,
    tokens: Tokens | None = None,
    **limits: Any,
) -> HookEndpoint[C]:
    """What answers ``/hooks/<controller>/<hook>`` for every controller. ``limits`` are those of the endpoint."""
    hooks = [hook for controller in controllers for hook in hooks_of(controller)]
    return HookEndpoint(hooks, context, metrics=metrics, health=health, tokens=tokens, **limits)


def application(
    controllers: Iterable[Controller[C]], context: C | None = None, *, tokens: Tokens | None = None, **limits: Any
) -> Starlette:
    """An ASGI application that serves these controllers; every hook is given ``context``."""
    health, metrics = Health(), Metrics()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        health.started = True
        yield

    endpoint = hook_endpoint(controllers, context, health=health, metrics=metrics, tokens=tokens, **limits)  # pyright: ignore[reportArgumentType]
    app = Starlette(routes=[Mount(HOOKS.rstrip("/"), endpoint), *health_routes(health, metrics)], lifespan=lifespan)
    app.state.health = health
    return app
