"""The judged transport against real sockets on loopback: which address is connected to, and what bounds an answer."""

from __future__ import annotations

import asyncio
import gc
import socket
import ssl
import threading
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import h11
import httpcore2
import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from app.apis.litellm.sighting import Health, Reach, Sighting
from app.litellm import allowance
from app.litellm.addresses import AllowRules
from app.litellm.client import Client
from app.litellm.probe import Budgets, Prober, Target
from app.litellm.transport import MOST_KEPT, AddressRefused, JudgedTransport, NotAsked, Resolver
from app.litellm.trust import Trust

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable
    from pathlib import Path

LOOPBACK = AllowRules.parse(["127.0.0.0/8"])
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
ALIVE = b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 12\r\n\r\n"I\'m alive!"'


class Names:
    """A name service whose answers are scripted; the last one stays."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Server:
    """A server on loopback that sends the same bytes to everyone, and keeps what it was sent."""

    def __init__(self, answer: bytes, pace: Callable[[asyncio.StreamWriter], Awaitable[None]] | None = None) -> None:
        self.answer = answer
        self.pace = pace
        self.heads: list[str] = []
        self.names: list[str | None] = []
        self.port = 0

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.heads.append(head.decode())
                writer.write(self.answer)
                await writer.drain()
                if self.pace:
                    await self.pace(writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(server: Server, tls: ssl.SSLContext | None = None) -> AsyncGenerator[Server]:
    if tls is not None:
        tls.sni_callback = lambda _, name, __: server.names.append(name)
    listener = await asyncio.start_server(server.talk, "127.0.0.1", 0, ssl=tls)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()


def transport(names: Names, allow: AllowRules = LOOPBACK, trust: Trust | None = None) -> JudgedTransport:
    return JudgedTransport(trust or Trust(), allow, names)


async def test_the_connection_goes_to_the_judged_address_and_keeps_the_name() -> None:
    async with serving(Server(ALIVE)) as server:
        async with Client(f"http://llm.example.com:{server.port}", transport(Names(["127.0.0.1"]))) as client:
            answer = await client.get("/health/liveliness", key="sk-1")
        assert answer.body == b'"I\'m alive!"'
        assert f"Host: llm.example.com:{server.port}\r\n" in server.heads[0]
        assert "accept-encoding: identity" in server.heads[0].lower()


@pytest.mark.parametrize(
    ("addresses", "refusal"),
    [
        (["127.0.0.1"], "a loopback address"),
        (["::1"], "a loopback address"),
        (["::ffff:127.0.0.1"], "an IPv4 address in IPv6 form"),
        (["169.254.169.254"], "a link-local address"),
        (["203.0.113.7", "127.0.0.1"], "a loopback address"),
        (["203.0.113.7", "fe80::1%eth0"], "a link-local address"),
    ],
)
async def test_a_name_with_any_refused_address_is_not_connected_to(addresses: list[str], refusal: str) -> None:
    async with serving(Server(ALIVE)) as server:
        async with Client(f"http://llm.example.com:{server.port}", transport(Names(addresses), AllowRules())) as client:
            with pytest.raises(AddressRefused, match=refusal):
                await client.get("/health/liveliness", key="sk-1")
        assert server.heads == []


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "0.0.0.0", "169.254.169.254"])
async def test_a_refused_literal_is_not_connected_to(host: str) -> None:
    async with Client(f"http://{host}:9", transport(Names([]), AllowRules())) as client:
        with pytest.raises(AddressRefused):
            await client.get("/health/liveliness")


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f.1", "127.1"])
async def test_other_spellings_of_loopback_are_refused_once_the_system_has_resolved_them(host: str) -> None:
    async with Client(f"http://{host}:9", JudgedTransport(Trust(), AllowRules(), Resolver())) as client:
        with pytest.raises(AddressRefused, match="a loopback address"):
            await client.get("/health/liveliness")


async def test_a_name_that_is_rebound_between_two_connections_is_judged_again() -> None:
    names = Names(["127.0.0.1"], ["169.254.169.254"])
    async with serving(Server(ALIVE.replace(b"200 OK\r\n", b"200 OK\r\nconnection: close\r\n"))) as server:
        async with Client(f"http://llm.example.com:{server.port}", transport(names)) as client:
            await client.get("/health/liveliness")
            with pytest.raises(AddressRefused, match="a link-local address"):
                await client.get("/health/license", key="sk-1")
        assert names.asked == ["llm.example.com"] * 2
        assert len(server.heads) == 1


async def test_an_allowed_name_may_lead_anywhere() -> None:
    async with serving(Server(ALIVE)) as server:
        allow = AllowRules.parse(["*.example.com"])
        async with Client(f"http://llm.example.com:{server.port}", transport(Names(["127.0.0.1"]), allow)) as client:
            assert (await client.get("/health/liveliness")).status == 200


async def test_the_next_address_is_tried_when_one_refuses() -> None:
    async with serving(Server(ALIVE)) as server:
        names = Names(["127.0.0.2", "127.0.0.1"])
        async with Client(f"http://llm.example.com:{server.port}", transport(names)) as client:
            assert (await client.get("/health/liveliness")).status == 200


async def test_a_redirect_is_answered_not_followed() -> None:
    async with serving(Server(ALIVE)) as inside:
        moved = f"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:{inside.port}/\r\ncontent-length: 0\r\n\r\n".encode()
        async with (
            serving(Server(moved)) as server,
            Client(f"http://127.0.0.1:{server.port}", transport(Names([]))) as client,
        ):
            assert (await client.get("/health/liveliness")).status == 302
        assert inside.heads == []


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(Server(ALIVE)) as server:
        for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(variable, "http://127.0.0.1:9")
        async with Client(f"http://llm.example.com:{server.port}", transport(Names(["127.0.0.1"]))) as client:
            assert (await client.get("/health/liveliness")).status == 200


async def probe(url: str, flight: float = 5) -> Health | None:
    loop = asyncio.get_running_loop()
    prober = Prober(lambda trust: transport(Names(["127.0.0.1"]), trust=trust), loop.time, Budgets(flight=flight, first_wait=9))
    return (await prober.look(Target(url, Trust()))).health


async def test_a_slow_drip_is_cut_off_by_the_whole_time() -> None:
    async def drip(writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.01)

    async with serving(Server(b"HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n", drip)) as server:
        health = await probe(f"http://127.0.0.1:{server.port}", flight=0.2)
    assert health == Health(Reach.UNREACHABLE, "did not answer /health/liveliness in time")


async def test_an_endless_answer_is_cut_off_by_its_size() -> None:
    async def pour(writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(b"x" * 65536)
            await writer.drain()

    async with serving(Server(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n", pour)) as server:
        health = await probe(f"http://127.0.0.1:{server.port}")
    assert health == Health(Reach.UNREACHABLE, "answered /health/liveliness with more than 64 KiB")


class Turns:
    """Counts what the HTTP parser does between two turns of the event loop: while it works, no deadline can fall."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.most = self._now = 0
        parse = h11.Connection.next_event

        def counted(connection: h11.Connection) -> object:
            self._now += 1
            self.most = max(self.most, self._now)
            return parse(connection)

        monkeypatch.setattr(h11.Connection, "next_event", counted)

    async def watch(self) -> None:
        while True:
            self._now = 0
            await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("head", "endless", "trouble"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n", "answered /health/liveliness with more than 16 KiB of headers"),
        (b"HTTP/1.1 200 OK\r\n", b"a: b\r\n", "answered /health/liveliness with more than 16 KiB of headers"),
        (CHUNKED, b"1\r\ny\r\n", "answered /health/liveliness in more than 1024 pieces"),
        (CHUNKED + b"1", b";an-extension", "does not speak HTTP, or hung up"),
        (CHUNKED + b"0\r\n", b"a: trailer\r\n", "does not speak HTTP, or hung up"),
        (CHUNKED, b"400\r\n" + b"y" * 1024 + b"\r\n", "answered /health/liveliness with more than 64 KiB"),
    ],
)
async def test_an_answer_without_end_is_cut_off_and_never_holds_up_the_loop(
    monkeypatch: pytest.MonkeyPatch, head: bytes, endless: bytes, trouble: str
) -> None:
    async def pour(writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(endless * 5000)
            await writer.drain()

    turns = Turns(monkeypatch)
    watch = asyncio.create_task(turns.watch())
    async with serving(Server(head, pour)) as server:
        health = await probe(f"http://127.0.0.1:{server.port}")
    watch.cancel()
    assert health == Health(Reach.UNREACHABLE, trouble)
    assert turns.most < 300


async def test_a_deadline_falls_although_more_has_come_already(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance, "LARGEST_HEAD", 1 << 40)

    async def pour(writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n" * 5000)
            await writer.drain()

    async with serving(Server(b"", pour)) as server:
        health = await probe(f"http://127.0.0.1:{server.port}", flight=0.1)
    assert health == Health(Reach.UNREACHABLE, "did not answer /health/liveliness in time")


async def test_several_answers_on_one_connection_each_have_their_own_allowance() -> None:
    large = b"HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n" + b"x" * 60_000
    async with serving(Server(large)) as server, Client(f"http://127.0.0.1:{server.port}", transport(Names([]))) as client:
        for _ in range(4):
            assert len((await client.get("/health/liveliness")).body) == 60_000


async def test_a_compressed_bomb_is_not_unpacked() -> None:
    bomb = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\n\x1f\x8b\x08"
    async with serving(Server(bomb)) as server:
        health = await probe(f"http://127.0.0.1:{server.port}")
    assert health == Health(Reach.UNREACHABLE, "answered /health/liveliness compressed, although that was not asked for")


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (b"SSH-2.0-OpenSSH_9.6\r\n", "does not speak HTTP, or hung up"),
        (
            b"HTTP/1.1 200 OK\r\n" + b"x: " + b"y" * 200_000 + b"\r\n\r\n",
            "answered /health/liveliness with more than 16 KiB of headers",
        ),
    ],
)
async def test_what_does_not_speak_http_is_told_as_such(answer: bytes, trouble: str) -> None:
    async def hang_up(writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with serving(Server(answer, hang_up)) as server:
        assert await probe(f"http://127.0.0.1:{server.port}") == Health(Reach.UNREACHABLE, trouble)


async def test_nothing_listening_is_told_as_refused() -> None:
    async with serving(Server(ALIVE)) as server:
        port = server.port
    assert await probe(f"http://127.0.0.1:{port}") == Health(Reach.UNREACHABLE, "refused the connection")


async def test_a_name_that_does_not_resolve_is_no_address_to_judge() -> None:
    async def nowhere(host: str, port: int) -> list[str]:
        raise OSError("Name or service not known")

    async with Client("http://llm.invalid:4000", JudgedTransport(Trust(), AllowRules(), nowhere)) as client:
        with pytest.raises(httpx2.ConnectError, match="does not resolve"):
            await client.get("/health/liveliness")


class HangingNames:
    """Stands in for the system's ``getaddrinfo``: names that begin with ``dead`` hang until they are let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.let_go = threading.Event()
        self.asked: list[str] = []
        monkeypatch.setattr(socket, "getaddrinfo", self)

    def __call__(self, host: str, port: int, **_: object) -> list[object]:
        self.asked.append(host)
        if host.startswith("dead"):
            self.let_go.wait(30)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("203.0.113.7", port))]


async def test_a_lookup_that_is_under_way_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    names = HangingNames(monkeypatch)
    resolver = Resolver()
    lookups = [asyncio.create_task(resolver("dead.example.com", 4000)) for _ in range(3)]
    await asyncio.sleep(0)
    names.let_go.set()
    assert await asyncio.gather(*lookups) == [["203.0.113.7"]] * 3
    assert names.asked == ["dead.example.com"]


async def test_names_that_hang_do_not_hold_up_others(monkeypatch: pytest.MonkeyPatch) -> None:
    names = HangingNames(monkeypatch)
    resolver = Resolver()
    dead = [asyncio.create_task(resolver(f"dead-{number}.example.com", 4000)) for number in range(100)]
    await asyncio.sleep(0)
    assert await resolver("llm.example.com", 4000) == ["203.0.113.7"]
    assert not any(lookup.done() for lookup in dead)
    names.let_go.set()
    await asyncio.gather(*dead)


async def test_a_name_waits_for_its_turn_while_too_many_others_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    names = HangingNames(monkeypatch)
    resolver = Resolver(most_lookups=2)
    dead = [asyncio.create_task(resolver(f"dead-{number}.example.com", 4000)) for number in range(2)]
    alive = [asyncio.create_task(resolver("llm.example.com", 4000)) for _ in range(3)]
    await asyncio.sleep(0)
    names.let_go.set()
    assert await asyncio.gather(*alive) == [["203.0.113.7"]] * 3
    await asyncio.gather(*dead)
    assert names.asked.count("llm.example.com") == 1, "those who waited for the same name share its lookup"
    assert await resolver("llm.example.com", 4000) == ["203.0.113.7"], "every thread is free again"


async def test_a_name_whose_turn_does_not_come_was_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    names = HangingNames(monkeypatch)
    resolver = Resolver(most_lookups=2, queue_seconds=0.01)
    dead = [asyncio.create_task(resolver(f"dead-{number}.example.com", 4000)) for number in range(2)]
    await asyncio.sleep(0)
    prober = Prober(lambda trust: JudgedTransport(trust, LOOPBACK, resolver), asyncio.get_running_loop().time)
    assert await prober.look(Target("http://llm.example.com:4000", Trust())) == Sighting(pending=True), "not: unreachable"
    names.let_go.set()
    await asyncio.gather(*dead)


async def test_a_thread_that_cannot_be_had_is_no_answer_about_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_thread(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    HangingNames(monkeypatch)
    resolver = Resolver(most_lookups=1)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", no_thread)
        with pytest.raises(NotAsked):
            await resolver("llm.example.com", 4000)
    assert await resolver("llm.example.com", 4000) == ["203.0.113.7"]


class Authority:
    """A CA of the test, with a server certificate for one name."""

    def __init__(self, folder: Path, name: str) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test CA")])
        certificate = _certificate(subject, subject, key.public_key(), ca=True).sign(key, hashes.SHA256())
        leaf_key = ec.generate_private_key(ec.SECP256R1())
        leaf_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        leaf = _certificate(leaf_name, subject, leaf_key.public_key(), ca=False)
        leaf = leaf.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False).sign(key, hashes.SHA256())
        pem = serialization.Encoding.PEM
        self.pem = certificate.public_bytes(pem).decode()
        chain = folder / "server.pem"
        chain.write_bytes(
            leaf.public_bytes(pem) + leaf_key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        )
        self.server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.server.load_cert_chain(chain)


def _certificate(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, *, ca: bool) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder(issuer, subject, key, x509.random_serial_number())
        .not_valid_before(datetime.now(UTC) - timedelta(minutes=5))
        .not_valid_after(datetime.now(UTC) + timedelta(hours=1))
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
    )


async def _health_over_tls(authority: Authority, host: str, trust: Trust) -> tuple[Health | None, Server]:
    async with serving(Server(ALIVE), authority.server) as server:
        loop = asyncio.get_running_loop()
        prober = Prober(lambda trust: transport(Names(["127.0.0.1"]), trust=trust), loop.time)
        sighting = await prober.look(Target(f"https://{host}:{server.port}", trust))
        return sighting.health, server


async def test_a_private_ca_is_believed_and_the_name_is_sent_as_sni(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "llm.example.com")
    health, server = await _health_over_tls(authority, "llm.example.com", Trust(authority.pem))
    assert health == Health(Reach.ALIVE)
    assert server.names == ["llm.example.com"]


async def test_a_private_ca_is_not_believed_unless_given(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "llm.example.com")
    health, _ = await _health_over_tls(authority, "llm.example.com", Trust())
    assert health
    assert health.trouble.startswith("has a certificate that is not trusted (")


async def test_a_certificate_for_another_name_is_not_believed(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "llm.example.com")
    health, _ = await _health_over_tls(authority, "other.example.com", Trust(authority.pem))
    assert health
    assert "other.example.com" in health.trouble


async def test_tls_1_1_is_not_spoken(tmp_path: Path) -> None:
    assert Trust(Authority(tmp_path, "x").pem).context().minimum_version is ssl.TLSVersion.TLSv1_2
    assert Trust().context().minimum_version is ssl.TLSVersion.TLSv1_2
    assert Trust().context().verify_mode is ssl.CERT_REQUIRED


class Crowd(Server):
    """A server that answers nobody before a number of requests are there, and counts its connections."""

    def __init__(self, size: int) -> None:
        super().__init__(ALIVE)
        self.made = 0
        self.open = 0
        self._size = size
        self.gathered = asyncio.Event()

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.made += 1
        self.open += 1
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                self.heads.append("")
                if len(self.heads) >= self._size:
                    self.gathered.set()
                await self.gathered.wait()
                writer.write(self.answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.open -= 1
            writer.close()


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not holds():  # noqa: ASYNC110 (the server's own events are not known here)
            await asyncio.sleep(0.01)


async def _asked(pools: JudgedTransport, server: Server) -> bytes:
    response = await pools.handle_async_request(httpx2.Request("GET", f"http://127.0.0.1:{server.port}/"))
    try:
        return await response.aread()
    finally:
        await response.aclose()


async def test_a_crowd_of_requests_has_connections_of_its_own_and_most_of_them_go_with_it() -> None:
    crowd = 3 * MOST_KEPT
    async with serving(Crowd(crowd)) as server, transport(Names([])) as pools:
        assert isinstance(server, Crowd)
        assert set(await asyncio.gather(*(_asked(pools, server) for _ in range(crowd)))) == {b'"I\'m alive!"'}
        assert server.made == crowd
        await _until(lambda: server.open == MOST_KEPT)
        for _ in range(3):
            await _asked(pools, server)
        assert server.made == crowd
        await pools.aclose()
        await _until(lambda: server.open == 0)


async def test_a_crowd_whose_requests_are_given_up_takes_no_place_afterwards() -> None:
    async with serving(Crowd(10**6)) as server, transport(Names([])) as pools:
        assert isinstance(server, Crowd)
        asked = [asyncio.ensure_future(_asked(pools, server)) for _ in range(2 * MOST_KEPT)]
        await _until(lambda: len(server.heads) == len(asked))
        for one in asked:
            one.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        server.gathered.set()
        await _until(lambda: server.open == 0)
        for _ in range(3 * MOST_KEPT):
            await _asked(pools, server)
        assert server.made == len(asked) + 1


async def test_a_handshake_that_is_given_up_leaves_no_connection_behind() -> None:
    async with serving(Crowd(1)) as server, transport(Names([])) as judged:
        assert isinstance(server, Crowd)
        gc.disable()  # It would close what nobody holds any more, sooner or later.
        try:
            asked = asyncio.ensure_future(judged.handle_async_request(httpx2.Request("GET", f"https://127.0.0.1:{server.port}/")))
            await _until(lambda: server.open == 1)
            await asyncio.sleep(0.05)
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
            await _until(lambda: server.open == 0)
        finally:
            gc.enable()


class Wire(httpcore2.AsyncNetworkStream):
    """A connection on which an answer has come, and which keeps what it was given to send."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 (httpcore's signature)
        return ALIVE

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 (httpcore's signature)
        self.sent.append(buffer)

    async def aclose(self) -> None:
        pass


async def test_head_and_body_of_a_request_go_out_in_one_piece() -> None:
    wire = Wire()
    stream = allowance.AllowedStream(wire, allowance.Unmetered())
    async with httpcore2.AsyncHTTP11Connection(httpcore2.Origin(b"http", b"gw", 4000), stream) as connection:
        response = await connection.request(
            "POST", "http://gw:4000/", headers={"content-length": "6", "host": "gw"}, content=b"wanted"
        )
    assert response.status == 200
    (whole,) = wire.sent
    assert whole.startswith(b"POST / HTTP/1.1\r\n")
    assert whole.endswith(b"\r\n\r\nwanted")


async def test_a_request_that_is_answered_before_all_of_it_was_read_has_its_answer() -> None:
    async def hang_up(writer: asyncio.StreamWriter) -> None:
        writer.close()

    refused = Server(b"HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n", hang_up)
    async with serving(refused) as server, transport(Names([])) as judged:
        request = httpx2.Request("POST", f"http://127.0.0.1:{server.port}/", content=bytes(100_000))
        response = await judged.handle_async_request(request)
        await response.aclose()
    assert response.status_code == 413


async def test_a_kept_connection_that_the_server_has_ended_is_not_used_again() -> None:
    async def hang_up(writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with serving(Server(ALIVE, hang_up)) as server, transport(Names([])) as judged:
        for count in (1, 2):
            assert await _asked(judged, server) == b'"I\'m alive!"'
            await asyncio.sleep(0.05)
            assert len(server.heads) == count


async def test_a_connection_within_tls_is_kept_for_the_next_request(tmp_path: Path) -> None:
    """What a server sends of itself after the handshake, tickets for the next one, is no sign that it has hung up."""
    authority = Authority(tmp_path, "llm.example.com")
    async with serving(Server(ALIVE), authority.server) as server:
        async with transport(Names(["127.0.0.1"]), trust=Trust(authority.pem)) as judged:
            for _ in range(3):
                response = await judged.handle_async_request(httpx2.Request("GET", f"https://llm.example.com:{server.port}/"))
                assert await response.aread() == b'"I\'m alive!"'
                await response.aclose()
                await asyncio.sleep(0.05)
        assert (len(server.heads), server.names) == (3, ["llm.example.com"])


async def test_a_request_that_is_under_way_when_all_connections_end_leaves_none_behind() -> None:
    async with serving(Crowd(10**6)) as server:
        assert isinstance(server, Crowd)
        judged = transport(Names([]))
        asked = asyncio.ensure_future(_asked(judged, server))
        await _until(lambda: len(server.heads) == 1)
        await judged.aclose()
        server.gathered.set()
        with pytest.raises(httpx2.TransportError):
            await asked
        await _until(lambda: server.open == 0)
