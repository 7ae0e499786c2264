"""A LiteLLM proxy on loopback, for the service to attach to."""

from __future__ import annotations

import threading
import time

import uvicorn

from app.sim.fake_litellm import FakeLiteLLM
from tests.e2e.controlplane.plane import free_ports

_taken: set[int] = set()
"""Ports of earlier proxies: the service remembers for most of a minute what it saw at an address."""


def _fresh_port() -> int:
    while (port := free_ports(1)[0]) in _taken:
        pass
    _taken.add(port)
    return port


class Proxy:
    """The fake proxy behind a socket of its own. It may be stopped and started again at the same address."""

    def __init__(self) -> None:
        self.port = _fresh_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.fake = FakeLiteLLM()
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Serve; returns when connections are accepted."""
        self._server = uvicorn.Server(uvicorn.Config(self.fake, host="127.0.0.1", port=self.port, log_level="error", ws="none"))
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)

    def stop(self) -> None:
        """Refuse connections from now on."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join()
            self._server = None
