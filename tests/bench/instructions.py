"""Instructions per request under callgrind: a figure that noise on the machine cannot move.

``python -m tests.bench.instructions echo|service TEMPLATE...`` drives uvicorn's protocol in this process with a transport that
only counts. Under callgrind it has the requests counted alone, and one total written for each template. No body comes twice.
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

from tests.bench.templates import numbered, unseen

UNCOUNTED, COUNTED = 20, 50
INSTANCES = 10


def per_request(name: str, templates: list[str]) -> list[float | None]:
    """Instructions of one request made of each template file; nothing where valgrind is not installed."""
    if shutil.which("valgrind") is None:
        return [None] * len(templates)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "totals"
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out}", sys.executable]
        command += ["-m", "tests.bench.instructions", name, *templates]
        environ = {**os.environ, "PYTHONHASHSEED": "0"}
        subprocess.run(command, check=True, capture_output=True, env=environ)
        return [_total(out.with_suffix(f".{number}")) / COUNTED for number in range(1, len(templates) + 1)]


def _total(dump: Path) -> int:
    found = re.search(r"^totals: (\d+)", dump.read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1])


def _control(*orders: str) -> None:
    subprocess.run(["callgrind_control", *orders, str(os.getpid())], check=True, capture_output=True)


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


async def _drive(name: str, templates: list[bytes]) -> None:
    from app.hooks import logs
    from app.hooks.health import Health
    from app.hooks.server import freeze_garbage_collector, server
    from app.settings import Settings

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
        freeze_garbage_collector()
        for template in templates:
            bodies = [numbered(template, number) for number in range(INSTANCES)]
            await _send(bodies, range(UNCOUNTED), protocol, transport)
            _control("--instr=on")
            await _send(bodies, range(UNCOUNTED, UNCOUNTED + COUNTED), protocol, transport)
            _control("--instr=off")
            _control("--dump")


async def _send(bodies: list[bytes], numbers: range, protocol: Any, transport: _Transport) -> None:
    for number in numbers:
        body = unseen(bodies[number % INSTANCES], number)
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
    from app.main import create_app
    from app.settings import Settings
    from tests.bench.servers import imagined_proxies

    return create_app(Settings(), imagined_proxies())


if __name__ == "__main__":
    asyncio.run(_drive(sys.argv[1], [Path(file).read_bytes() for file in sys.argv[2:]]))
