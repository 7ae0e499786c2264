"""The servers of a run, each a process of its own on loopback.

``python -m tests.bench.servers echo|nothing|fake|service|gateways PORT``. The service is the real one with its logs on, sent to
where nobody reads them; as ``gateways`` it runs gateways, whose Services have no address here, so their proxies are imagined.
The fake proxy answers under any first path segment, so that one process stands for many endpoints; ``/slow`` takes 200 ms, and
``/asked`` tells how many calls of the admin API there were.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

HOST = "127.0.0.1"
SLOW_SECONDS = 0.2


@dataclass(frozen=True)
class Running:
    """A server that answers."""

    port: int
    process: subprocess.Popen[bytes]
    seconds_to_ready: float

    @property
    def memory(self) -> float:
        """Resident memory in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) / 1024 if found else 0.0

    @property
    def cpu_seconds(self) -> float:
        """Processor time used so far, in the kernel too. Other processes on the machine do not count."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(name: str) -> Iterator[Running]:
    """A server until the end of the block."""
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    started = time.monotonic()
    environ = {**os.environ, "PALENA_HOST": HOST, "PALENA_PORT": str(port), "PALENA_ENDPOINT_ALLOW": "127.0.0.0/8"}
    command = [sys.executable, "-m", "tests.bench.servers", name, str(port)]
    process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
    try:
        _wait_until_ready(process, port)
        yield Running(port, process, time.monotonic() - started)
    finally:
        process.terminate()
        process.wait()


def _wait_until_ready(process: subprocess.Popen[bytes], port: int) -> None:
    while process.poll() is None:
        try:
            urllib.request.urlopen(f"http://{HOST}:{port}/readyz").close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.01)
        else:
            return
    raise SystemExit("a server of the bench ended before it answered")


def _serve(name: str, port: int) -> None:
    from app.settings import Settings

    if name == "service":
        from app.main import run

        run(Settings.from_environment(os.environ))
        return
    if name == "gateways":
        _serve_gateways(Settings.from_environment(os.environ))
        return
    from app.hooks.health import Health
    from app.hooks.server import server
    from tests.bench.echo import echo, nothing

    app = {"echo": lambda: echo, "nothing": lambda: nothing, "fake": _fake}[name]()
    server(app, Settings(host=HOST, port=port), Health(), drain_seconds=0).run()


def imagined_proxies() -> Any:
    """The context of a service for which every proxy is well. None is asked twice: probes are not what is measured."""
    from datetime import UTC, datetime

    import httpx2

    from app.controllers.context import Context
    from app.litellm.probe import Budgets, Prober

    async def well(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, stream=httpx2.ByteStream(b'{"status": "healthy", "ping_response": true}'))

    prober = Prober(lambda _: httpx2.MockTransport(well), time.monotonic, Budgets(good_for=86_400))
    return Context(now=lambda: datetime.now(UTC), prober=prober)


def _serve_gateways(settings: Any) -> None:
    from app.hooks import logs
    from app.hooks.server import listening, server
    from app.main import create_app

    app = create_app(settings, imagined_proxies())
    listener = server(app, settings, app.state.health)
    sockets = listening(settings)
    logs.configure(settings.log_level, settings.log_format)
    listener.run(sockets)


def _fake() -> Any:
    from app.sim.fake_litellm import FakeLiteLLM

    proxy = FakeLiteLLM()
    asked = 0

    async def many(scope: Any, receive: Any, send: Any) -> None:
        nonlocal asked
        if scope["type"] == "http":
            first, _, rest = scope["path"].lstrip("/").partition("/")
            if first == "asked":
                await send({"type": "http.response.start", "status": 200, "headers": []})
                await send({"type": "http.response.body", "body": str(asked).encode()})
                return
            if first == "slow":
                await asyncio.sleep(SLOW_SECONDS)
            asked += not rest.startswith("health")
            raw_path = scope["raw_path"].removeprefix(f"/{first}".encode())
            scope = {**scope, "path": f"/{rest}", "raw_path": raw_path}
            proxy.calls.clear()
        await proxy(scope, receive, send)

    return many


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))
