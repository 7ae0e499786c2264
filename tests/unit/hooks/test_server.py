"""The real server on loopback: it drains before it stops, keeps connections, and speaks TLS."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
import orjson
import pytest

from app.hooks import SyncRequest, SyncResponse
from app.hooks.asgi import application
from app.hooks.auth import TokenFile
from app.hooks.server import KEEP_ALIVE_SECONDS, Server, listening, server
from app.settings import Settings, SettingsError
from tests.unit.hooks.certificates import Authority
from tests.unit.hooks.toys import body, toy

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator
    from pathlib import Path


Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


@asynccontextmanager
async def serving(controller: Any, drain_seconds: float = 0.0, **settings: Any) -> AsyncGenerator[tuple[Server, int]]:
    async with served(application([controller]), drain_seconds, **settings) as running:
        yield running


@asynccontextmanager
async def served(app: Any, drain_seconds: float = 0.0, **settings: Any) -> AsyncGenerator[tuple[Server, int]]:
    # Port 0 lets the system choose; the setting itself does not allow it.
    listener = server(app, Settings(host="127.0.0.1", port=0, **settings), app.state.health, drain_seconds=drain_seconds)
    task = asyncio.create_task(listener.serve())
    try:
        while not listener.started:
            assert not task.done()
            await asyncio.sleep(0)
        yield listener, listener.servers[0].sockets[0].getsockname()[1]
    finally:
        listener.handle_exit(signal.SIGINT, None)
        await task


async def test_on_sigterm_it_stops_being_ready_but_finishes_what_is_in_flight() -> None:
    entered, leave = asyncio.Event(), asyncio.Event()

    async def sync(request: SyncRequest, context: Any) -> SyncResponse:
        entered.set()
        await leave.wait()
        return SyncResponse(status={}, children=[], retained=[])

    async with serving(toy(sync=sync), drain_seconds=0.3) as (listener, port):
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as hooks:
            slow = asyncio.create_task(hooks.post("/hooks/toys/sync", content=orjson.dumps(body())))
            await entered.wait()
            assert (await hooks.get("/readyz")).status_code == 200
            listener.handle_exit(signal.SIGTERM, None)
            assert (await hooks.get("/readyz")).status_code == 503
            assert not listener.should_exit, "new requests are still taken until the Service has noticed"
            while not listener.should_exit:  # noqa: ASYNC110 - the server has no event for it
                await asyncio.sleep(0.02)
            leave.set()
            answer = await slow
        assert (answer.status_code, answer.headers["connection"]) == (200, "close")


async def test_a_second_signal_stops_at_once() -> None:
    async with serving(toy(), drain_seconds=60) as (listener, _):
        listener.handle_exit(signal.SIGTERM, None)
        listener.handle_exit(signal.SIGTERM, None)
        assert listener.should_exit


async def test_connections_outlast_those_that_metacontroller_keeps() -> None:
    async with serving(toy()) as (listener, _):
        assert listener.config.timeout_keep_alive == KEEP_ALIVE_SECONDS
        assert KEEP_ALIVE_SECONDS > 90


async def test_what_lives_as_long_as_the_process_is_out_of_the_collectors_sight() -> None:
    async with serving(toy()):
        assert gc.get_freeze_count() > 1000
        assert gc.get_threshold() == (50_000, 20, 20)


async def test_hooks_are_served_over_mutual_tls(tmp_path: Path) -> None:
    own, clients = Authority(tmp_path, "own"), Authority(tmp_path, "clients")
    pair = own.issue("server")
    files = {"tls_cert_file": pair.certificate, "tls_key_file": pair.key, "tls_client_ca_file": clients.certificate}
    async with serving(toy(), **files) as (_, port):
        async with httpx2.AsyncClient(verify=own.client_context(clients.issue("metacontroller"))) as known:
            answer = await known.post(f"https://127.0.0.1:{port}/hooks/toys/sync", content=orjson.dumps(body()))
        async with httpx2.AsyncClient(verify=own.client_context()) as stranger:
            with pytest.raises(httpx2.TransportError):
                await stranger.get(f"https://127.0.0.1:{port}/healthz")
    assert answer.status_code == 200


async def test_a_connection_ends_when_the_authority_of_its_client_is_removed_and_no_other_does(tmp_path: Path) -> None:
    own, old, new = (Authority(tmp_path, name) for name in ("own", "old", "new"))
    pair, accepted = own.issue("server"), tmp_path / "accepted"
    files = {"tls_cert_file": pair.certificate, "tls_key_file": pair.key, "tls_client_ca_file": accepted}
    entered, leave = asyncio.Event(), asyncio.Event()

    async def sync(request: SyncRequest, context: Any) -> SyncResponse:
        entered.set()
        await leave.wait()
        return SyncResponse(status={}, children=[], retained=[])

    def accept(*authorities: Authority) -> None:
        (tmp_path / "next").write_text("".join(authority.certificate.read_text() for authority in authorities))
        (tmp_path / "next").rename(accepted)

    accept(old)
    async with serving(toy(sync=sync), **files) as (listener, port):

        async def connected(authority: Authority) -> Connection:
            context = own.client_context(authority.issue("client"))
            return await asyncio.open_connection("127.0.0.1", port, ssl=context)

        idle, busy = await connected(old), await connected(old)
        content = orjson.dumps(body())
        busy[1].write(b"POST /hooks/toys/sync HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n%b" % (len(content), content))
        await entered.wait()
        assert await alive(idle)
        accept(old, new)
        await listener.on_tick(0)
        assert await alive(idle), "one more authority ends nothing"
        accept(new)
        known = await connected(new)
        await listener.on_tick(0)
        assert not await alive(idle)
        leave.set()
        assert (await busy[0].read()).startswith(b"HTTP/1.1 200"), "it gets its answer, and then the connection ends"
        assert await alive(known)
        for _, writer in (idle, busy, known):
            writer.close()


async def alive(connection: Connection) -> bool:
    """Whether one more request is answered."""
    reader, writer = connection
    writer.write(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readuntil(b"ok\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return False
    return head.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("authorization", ["", "authorization: Bearer one\r\n"])
async def test_a_refusal_reaches_a_client_that_sends_its_whole_body_first(tmp_path: Path, authorization: str) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("one")
    app = application([toy()], tokens=TokenFile(tokens), body_limit=1 << 20)
    content = b" " * (16 << 20)
    async with served(app) as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            f"POST /hooks/toys/sync HTTP/1.1\r\nhost: x\r\n{authorization}content-length: {len(content)}\r\n\r\n".encode()
        )
        writer.write(content)
        await writer.drain()
        answer = await reader.read()
        writer.close()
    assert answer.startswith(b"HTTP/1.1 413" if authorization else b"HTTP/1.1 401")


def test_a_used_port_is_told_by_its_variable_before_anything_is_served() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(SettingsError, match=rf"PALENA_PORT={port} is in use: stop what listens there"):
            listening(Settings(host="127.0.0.1", port=port))


@pytest.mark.parametrize(
    ("host", "why"),
    [("192.0.2.1", "an address of another machine"), ("x" * 64, "longer than a name may be")],
)
def test_a_host_that_is_not_here_is_told_by_its_variable(host: str, why: str) -> None:
    with pytest.raises(SettingsError, match=rf"PALENA_HOST='{host}' is no address of this machine"):
        raise AssertionError(f"{why}: {listening(Settings(host=host))}")


async def test_requests_are_served_on_the_sockets_that_were_opened() -> None:
    (opened,) = listening(Settings(host="127.0.0.1", port=0))
    app = application([toy()])
    listener = server(app, Settings(), app.state.health, drain_seconds=0.0)
    task = asyncio.create_task(listener.serve([opened]))
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{opened.getsockname()[1]}") as hooks:
        assert (await hooks.get("/readyz")).text == "ok\n"
    listener.handle_exit(signal.SIGINT, None)
    await task
