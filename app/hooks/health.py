"""Whether the process lives, whether it wants requests, and its metrics: ``/healthz``, ``/readyz``, ``/metrics``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from app.hooks.metrics import Metrics


class Health:
    """The life of one process: starting, serving, stopping."""

    def __init__(self, problem: Callable[[], str] = lambda: "") -> None:
        """``problem`` says why no hook can be answered now; empty if they can."""
        self.started = False
        self.stopping = False
        self.problem = problem

    @property
    def unready(self) -> str:
        """Why new requests are not wanted; empty if they are."""
        if self.stopping:
            return "stopping"
        return self.problem() if self.started else "starting"


def health_routes(health: Health, metrics: Metrics) -> list[Route]:
    """The three routes; none of them asks for a token, none of them shows anything of an object."""

    async def healthz(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(_: Request) -> Response:
        reason = health.unready
        return PlainTextResponse(f"{reason or 'ok'}\n", status_code=503 if reason else 200)

    async def exposition(_: Request) -> Response:
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)

    return [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", exposition)]
