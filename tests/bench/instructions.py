"""Instructions per request under callgrind: a figure that noise on the machine cannot move.

``python -m tests.bench.instructions echo|service REQUESTS`` drives uvicorn's protocol in this process with a transport that
only counts. Run under callgrind with two counts of requests, the difference is the requests' alone.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FEW, MANY = 20, 70
INSTANCES = 10


def per_request(name: str) -> float | None:
    """Instructions of one request with a 60 KB body; nothing where valgrind is not installed."""
    if shutil.which("valgrind") is None:
        return None
    return (_total(name, MANY) - _total(name, FEW)) / (MANY - FEW)


def _total(name: str, requests: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", sys.executable]
        command += ["-m", "tests.bench.instructions", name, str(requests)]
        environ = {**os.environ, "PYTHONHASHSEED": "0"}
        subprocess.run(command, check=True, capture_output=True, env=environ)
        found = re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.MULTILINE)
        assert found is not None
        return int(found[1])


class _Transport(asyncio.Transport):
    """Takes answers and counts them."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = 0
        self.answered = asyncio.Event()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if bytes(data[:8]) == b"HTTP/1.1":
            assert bytes(data[:12]) == b"HTTP/1.1 200", bytes(data[:400])
            self.answers += 1
            self.answered.set()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


async def _drive(name: str, requests: int) -> None:
    from app.hooks import logs
    from app.hooks.health import Health
    from app.hooks.server import freeze_garbage_collector, server
    from app.settings import Settings
    from tests.bench.bodies import numbered, sync_body

    with Path(os.devnull).open("w") as nowhere:  # noqa: ASYNC230 - nothing else runs here
        logs.configure("info", "json", nowhere)
        app = _service() if name == "service" else _echo()
        listener = server(app, Settings(), Health())
        listener.config.load()
        transport = _Transport()
        protocol: Any = listener.config.http_protocol_class(  # type: ignore[call-arg]
            config=listener.config, server_state=listener.server_state, app_state={}, _loop=asyncio.get_running_loop()
        )
        protocol.connection_made(transport)
        template = sync_body("60 KB", "http://127.0.0.1:4000")
        bodies = [numbered(template, number) for number in range(INSTANCES)]
        freeze_garbage_collector()
        for number in range(requests):
            body = bodies[number % INSTANCES]
            transport.answered.clear()
            head = b"POST /hooks/litellminstances/sync HTTP/1.1\r\nHost: palena\r\nContent-Length: %d\r\n\r\n" % len(body)
            # As it comes from a socket: in pieces of 64 KB.
            request = head + body
            for start in range(0, len(request), 65_536):
                protocol.data_received(request[start : start + 65_536])
            await transport.answered.wait()


def _echo() -> Any:
    from tests.bench.echo import echo

    return echo


def _service() -> Any:
    import time
    from datetime import UTC, datetime

    import httpx2

    from app.controllers.context import Context
    from app.litellm.probe import Prober
    from app.main import create_app
    from app.settings import Settings
    from app.sim.fake_litellm import FakeLiteLLM

    prober = Prober(lambda _: httpx2.ASGITransport(FakeLiteLLM()), time.monotonic)
    return create_app(Settings(), Context(now=lambda: datetime.now(UTC), prober=prober))


if __name__ == "__main__":
    asyncio.run(_drive(sys.argv[1], int(sys.argv[2])))
