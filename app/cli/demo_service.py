"""The hook service of the demo: ``palena serve`` in every way but one.

A Service of a cluster in memory has a name that no name service knows. Here such names lead to this machine, where the demo
serves what stands in for the pods behind them.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from app.controllers.context import Context
from app.litellm.addresses import AllowRules
from app.litellm.probe import Prober
from app.litellm.transport import JudgedTransport, Resolver
from app.main import run
from app.settings import Settings

if TYPE_CHECKING:
    from app.litellm.trust import Trust

LOOPBACK = "127.0.0.1"


class ClusterNames:
    """The name service of a pod: names of Services, then those of the system."""

    def __init__(self) -> None:
        self._system = Resolver()

    async def __call__(self, host: str, port: int) -> list[str]:
        """Addresses of the host, as :class:`~app.litellm.transport.Resolver` gives them."""
        return [LOOPBACK] if host.endswith(".svc") else await self._system(host, port)


def serve() -> None:
    """Serve as the environment says until SIGINT."""
    settings = Settings.from_environment(os.environ)
    allow, resolve = AllowRules.parse(settings.endpoint_allow), ClusterNames()

    def transport(trust: Trust) -> JudgedTransport:
        return JudgedTransport(trust, allow, resolve)

    run(settings, replace(Context.of_service(settings), prober=Prober(transport, time.monotonic)))


if __name__ == "__main__":
    serve()
