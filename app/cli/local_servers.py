"""Servers on loopback for as long as a demonstration lasts: stand-ins of LiteLLM in this process, the hook service in its own."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import httpx2
import uvicorn

from app.cli.problem import Problem

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator
    from pathlib import Path

    from starlette.types import ASGIApp

LOOPBACK = "127.0.0.1"
START_SECONDS = 20.0
STOP_SECONDS = 10.0


class _QuietServer(uvicorn.Server):
    """A server among others: signals are the command's."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave them alone."""
        yield


@asynccontextmanager
async def serving(app: ASGIApp) -> AsyncGenerator[str]:
    """An ASGI app on a port of its own; gives its address."""
    config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", ws="none")
    server = _QuietServer(config)
    with closed_port() as reserved:
        task = asyncio.create_task(server.serve(sockets=[reserved]))
        try:
            yield address(reserved)
        finally:
            server.should_exit = True
            await task


@contextmanager
def closed_port() -> Generator[socket.socket]:
    """A port that is taken but not listened on: whoever connects is refused."""
    with socket.socket() as reserved:
        reserved.bind((LOOPBACK, 0))
        yield reserved


def address(reserved: socket.socket) -> str:
    """The URL of a server on that port."""
    return f"http://{LOOPBACK}:{reserved.getsockname()[1]}"


def port_of(url: str) -> int:
    """The port of such a URL."""
    return int(url.rpartition(":")[2])


@asynccontextmanager
async def hook_service(token: str, folder: Path, kubeconfig: Path) -> AsyncGenerator[str]:
    """The service as a process of its own that demands the token and may reach loopback; gives its address.

    ``folder`` gets the token file and the log; ``kubeconfig`` leads to the one cluster that it may read. Raises
    :class:`Problem` if it does not become ready.
    """
    with closed_port() as reserved:
        url, port = address(reserved), reserved.getsockname()[1]
    token_file, log_file = folder / "token", folder / "service.log"
    await asyncio.to_thread(token_file.write_text, f"{token}\n")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PALENA_", "KUBE"))},
        "KUBECONFIG": str(kubeconfig),
        "PALENA_HOST": LOOPBACK,
        "PALENA_PORT": str(port),
        "PALENA_HOOK_TOKEN_FILE": str(token_file),
        "PALENA_ENDPOINT_ALLOW": f"{LOOPBACK}/32",
    }
    with log_file.open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "app.cli.demo_service", env=environment, stdout=log, stderr=log
        )
        try:
            await _ready(url, process, log_file)
            yield url
        finally:
            await _end(process)


async def _ready(url: str, process: asyncio.subprocess.Process, log_file: Path) -> None:
    try:
        async with asyncio.timeout(START_SECONDS), httpx2.AsyncClient(trust_env=False) as client:
            while process.returncode is None:
                try:
                    if (await client.get(f"{url}/readyz")).status_code == 200:
                        return
                except httpx2.TransportError:
                    pass
                await asyncio.sleep(0.05)
    except TimeoutError:
        pass
    last_words = log_file.read_text(errors="replace").strip().rpartition("\n")[2]  # noqa: ASYNC240
    raise Problem(f"the hook service did not become ready: {last_words or 'it said nothing'}")


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    # Not SIGTERM: that keeps serving for a while, and nobody is left to drain for.
    process.send_signal(signal.SIGINT)
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
