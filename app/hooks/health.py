"""Whether the process lives, whether it wants requests, and its metrics: ``/healthz``, ``/readyz``, ``/metrics``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request

    from app.hooks.metrics import Metrics


class Health:
    """The life of one process: starting, serving, stopping."""

    def __init__(self) -> None:
        self.started = False
        self.stopping = False

    @property
    def ready(self) -> bool:
        """Whether new requests are wanted."""
        return self.started and not self.stopping


def health_routes(health: Health, metrics: Metrics) -> list[Route]:
    """The three routes; none of them asks for a token, none of them shows anything of an object."""

    async def healthz(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(_: Request) -> Response:
        if health.ready:
            return PlainTextResponse("ok\n")
        return PlainTextResponse("stopping\n" if health.stopping else "starting\n", status_code=503)

    async def exposition(_: Request) -> Response:
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)

    return [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", exposition)]
