"""Load from a process of its own: a minimal HTTP/1.1 client on raw sockets, so that it is never the slower side.

``python -m tests.bench.load`` takes its :class:`Load` as JSON on standard input and prints a :class:`Figures`. How busy
the generator itself was is part of the figures: near 1.0 it was the bottleneck, and the run proves nothing.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import uvloop

from tests.bench.templates import numbered, unseen

if TYPE_CHECKING:
    from tests.bench.servers import Running

PATH = "/hooks/litellminstances/sync?rev=bench"


@dataclass(frozen=True)
class Load:
    """What to send. ``instances`` are rotated through, and with them the templates."""

    port: int
    templates: list[str]
    """Files, see :mod:`tests.bench.templates`."""
    connections: int
    requests: int
    instances: int = 500
    first_instance: int = 0
    first_unseen: int = 0
    """Where it is not 0, every body is one that was never sent before: this number and those after it."""
    path: str = PATH


@dataclass(frozen=True)
class Figures:
    """What came of it. Times are in milliseconds."""

    per_second: float
    median: float
    p99: float
    busy: float
    failed: int
    per_cpu_second: float = 0.0
    """Requests for a second of the server's processor time: what it would answer with a core of its own."""


def measure(load: Load, server: Running) -> Figures:
    """Run the load in another process."""
    used = server.cpu_seconds
    command = [sys.executable, "-m", "tests.bench.load"]
    done = subprocess.run(command, input=json.dumps(dataclasses.asdict(load)).encode(), stdout=subprocess.PIPE, check=True)
    figures = Figures(**json.loads(done.stdout))
    return dataclasses.replace(figures, per_cpu_second=load.requests / (server.cpu_seconds - used))


class _Client(asyncio.Protocol):
    """One keep-alive connection with one request at a time."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._buffer = bytearray()
        self._wanted = -1
        self._answer: asyncio.Future[bool] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if self._wanted < 0:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            head = bytes(self._buffer[:end]).lower()
            self._wanted = end + 4 + int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        if len(self._buffer) >= self._wanted and self._answer is not None:
            good = self._buffer.startswith(b"HTTP/1.1 200")
            self._buffer.clear()
            self._wanted = -1
            self._answer.set_result(good)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionError("the server closed the connection"))

    async def exchange(self, body: bytes) -> bool:
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        head = f"POST {self._path} HTTP/1.1\r\nHost: palena\r\nContent-Type: application/json\r\n"
        self._transport.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        return await self._answer


async def _run(load: Load, templates: list[bytes]) -> Figures:
    numbers = iter(range(load.requests))
    times: list[float] = []
    failed = 0

    async def connection() -> None:
        nonlocal failed
        _, client = await asyncio.get_running_loop().create_connection(lambda: _Client(load.path), "127.0.0.1", load.port)
        for number in numbers:
            instance = load.first_instance + number % load.instances
            body = numbered(templates[instance % len(templates)], instance)
            if load.first_unseen:
                body = unseen(body, load.first_unseen + number)
            before = time.perf_counter()
            failed += not await client.exchange(body)
            times.append(time.perf_counter() - before)

    began, used = time.perf_counter(), time.process_time()
    await asyncio.gather(*(connection() for _ in range(load.connections)))
    elapsed = time.perf_counter() - began
    times.sort()
    return Figures(
        per_second=len(times) / elapsed,
        median=times[len(times) // 2] * 1000,
        p99=times[int(len(times) * 0.99)] * 1000,
        busy=(time.process_time() - used) / elapsed,
        failed=failed,
    )


if __name__ == "__main__":
    given = Load(**json.load(sys.stdin))
    run = _run(given, [Path(file).read_bytes() for file in given.templates])
    print(json.dumps(dataclasses.asdict(uvloop.run(run))))  # noqa: T201
