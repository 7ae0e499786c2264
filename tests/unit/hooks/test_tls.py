"""TLS with files that change, over real connections on loopback and under both event loops."""

from __future__ import annotations

import asyncio
import shutil
import ssl
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
import uvloop

from app.hooks.tls import RotatingTLS
from tests.unit.hooks.certificates import Authority, Pair

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Coroutine
    from pathlib import Path


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Any:
    def run(main: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=request.param) as runner:
            runner.run(main)

    return run


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "mounted"
    folder.mkdir()
    return folder


def put(folder: Path, pair: Pair, client_authority: Authority | None = None) -> None:
    """Replace the mounted files, each by a new one, as a rotated Secret does."""
    sources = {"tls.crt": pair.certificate, "tls.key": pair.key}
    sources |= {} if client_authority is None else {"ca.crt": client_authority.certificate}
    for name, source in sources.items():
        shutil.copy(source, folder / "new")
        (folder / "new").rename(folder / name)


@asynccontextmanager
async def listening(tls: RotatingTLS) -> AsyncGenerator[int]:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(echo, "127.0.0.1", 0, ssl=tls.context) as server:
        yield server.sockets[0].getsockname()[1]


async def call(port: int, context: ssl.SSLContext, **options: Any) -> tuple[bytes, Any]:
    """What comes back for one line, and the server's certificate. A refused client gets an ``OSError``."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context, **options)
    try:
        writer.write(b"hello\n")
        line = await reader.readline()
        return line, writer.get_extra_info("ssl_object").getpeercert()["subject"]
    finally:
        writer.close()


async def refused(port: int, context: ssl.SSLContext) -> bool:
    """Whether the server ends the connection without an answer, as it does when it does not know the client."""
    try:
        return (await call(port, context))[0] == b""
    except OSError:
        return True


def test_a_rotated_certificate_is_shown_to_new_connections(tmp_path: Path, files: Path, run: Any) -> None:
    authority = Authority(tmp_path, "authority")
    put(files, authority.issue("first"))

    async def main() -> None:
        async with listening(RotatingTLS(files / "tls.crt", files / "tls.key")) as port:
            trust = authority.client_context()
            assert "first" in str(await call(port, trust))
            put(files, authority.issue("second"))
            assert "second" in str(await call(port, trust))

    run(main())


def test_a_client_of_a_removed_authority_is_refused(tmp_path: Path, files: Path, run: Any) -> None:
    own, old, new = (Authority(tmp_path, name) for name in ("own", "old", "new"))
    server = own.issue("server")
    old_client, new_client = own.client_context(old.issue("a")), own.client_context(new.issue("b"))
    put(files, server, old)

    async def main() -> None:
        async with listening(RotatingTLS(files / "tls.crt", files / "tls.key", files / "ca.crt")) as port:
            assert (await call(port, old_client))[0] == b"hello\n"
            assert await refused(port, new_client)
            assert await refused(port, own.client_context())
            put(files, server, new)
            assert (await call(port, new_client))[0] == b"hello\n"
            assert await refused(port, old_client)
            assert await refused(port, own.client_context())

    run(main())


def test_a_session_of_a_removed_client_is_not_resumed(tmp_path: Path, files: Path) -> None:
    own, old, new = (Authority(tmp_path, name) for name in ("own", "old", "new"))
    server = own.issue("server")
    client = own.client_context(old.issue("a"))
    put(files, server, old)
    tls = RotatingTLS(files / "tls.crt", files / "tls.key", files / "ca.crt")

    def handshake(session: Any) -> Any:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        there = client.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1", session=session)
        here = tls.context.wrap_bio(outgoing, incoming, server_side=True)
        for _ in range(4):
            for side in (there, here):
                try:
                    side.do_handshake()
                except ssl.SSLWantReadError:
                    continue
        here.write(b"x")
        there.read(1)
        return there

    first = handshake(None)
    assert not first.session.has_ticket, "no ticket is ever given"
    put(files, server, new)
    with pytest.raises(ssl.SSLError):
        handshake(first.session)


def test_files_that_cannot_be_loaded_leave_the_last_good_ones_in_place(
    tmp_path: Path, files: Path, run: Any, caplog: pytest.LogCaptureFixture
) -> None:
    authority = Authority(tmp_path, "authority")
    put(files, authority.issue("first"))

    async def main() -> None:
        async with listening(RotatingTLS(files / "tls.crt", files / "tls.key")) as port:
            trust = authority.client_context()
            (files / "tls.crt").write_text("half a certif")
            assert "first" in str(await call(port, trust))
            assert "keeping the last good certificates" in caplog.text
            put(files, authority.issue("second"))
            assert "second" in str(await call(port, trust))

    run(main())


def test_an_authority_counts_as_withdrawn_once_and_only_if_it_left(
    tmp_path: Path, files: Path, caplog: pytest.LogCaptureFixture
) -> None:
    own, old, new = (Authority(tmp_path, name) for name in ("own", "old", "new"))
    put(files, own.issue("server"), old)
    tls = RotatingTLS(files / "tls.crt", files / "tls.key", files / "ca.crt")
    assert not tls.authority_withdrawn(), "nothing changed"
    put(files, own.issue("renewed"), old)
    assert not tls.authority_withdrawn(), "only the server's own certificate did"
    (files / "ca.crt").write_text("half a certif")
    assert [tls.authority_withdrawn() for _ in range(3)] == [False] * 3, "what cannot be loaded removes nobody"
    assert caplog.text.count("keeping the last good certificates") == 1, "it is asked every second, and said once"
    put(files, own.issue("server"), new)
    assert [tls.authority_withdrawn() for _ in range(2)] == [True, False]


def test_older_tls_is_refused(tmp_path: Path, files: Path, run: Any) -> None:
    authority = Authority(tmp_path, "authority")
    put(files, authority.issue("first"))
    old = authority.client_context()
    old.maximum_version = ssl.TLSVersion.TLSv1_2

    async def main() -> None:
        async with listening(RotatingTLS(files / "tls.crt", files / "tls.key")) as port:
            assert await refused(port, old)

    run(main())


def test_a_certificate_that_is_missing_at_start_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        RotatingTLS(tmp_path / "tls.crt", tmp_path / "tls.key")
