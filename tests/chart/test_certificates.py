"""The certificates that the chart makes, in a handshake between the service's own TLS and a client like Metacontroller."""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64decode
from typing import TYPE_CHECKING

import pytest

from app.hooks.tls import RotatingTLS
from tests.chart.helm import IMAGE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.chart.helm import Helm

HOST = "palena.palena-system.svc"


@pytest.fixture(scope="module")
def mounted(helm: Helm, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The Secrets as folders, as the kubelet mounts them."""
    folders = {}
    for item in helm.template({**IMAGE, "mutualTLS": {"enabled": True}}):
        if item["kind"] == "Secret":
            folder = folders[item["metadata"]["name"]] = tmp_path_factory.mktemp(item["metadata"]["name"])
            for key, value in item["data"].items():
                (folder / key).write_bytes(b64decode(value))
    return folders


async def call(server: ssl.SSLContext, client: ssl.SSLContext, host: str) -> bytes:
    """What a client gets to read from a server that says hello."""

    async def hello(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello")
        writer.close()

    async with await asyncio.start_server(hello, "127.0.0.1", 0, ssl=server) as listening:
        port = listening.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=client, server_hostname=host)
        try:
            return await reader.read()
        except (ConnectionError, ssl.SSLError):
            return b""  # the server hung up in the middle of the handshake's last message, or right after it
        finally:
            writer.close()


def trusting(mounted: dict[str, Path]) -> ssl.SSLContext:
    """A client that trusts only the authority of the installation."""
    return ssl.create_default_context(cafile=mounted["palena-tls"] / "ca.crt")


def serving(mounted: dict[str, Path]) -> ssl.SSLContext:
    """The service under mutual TLS."""
    server = mounted["palena-tls"]
    return RotatingTLS(server / "tls.crt", server / "tls.key", mounted["palena-client-tls"] / "ca.crt").context


async def test_each_side_takes_the_others_certificate(mounted: dict[str, Path]) -> None:
    client = trusting(mounted)
    client.load_cert_chain(mounted["palena-client-tls"] / "tls.crt", mounted["palena-client-tls"] / "tls.key")
    assert await call(serving(mounted), client, HOST) == b"hello"


async def test_without_a_certificate_nobody_gets_an_answer(mounted: dict[str, Path]) -> None:
    assert await call(serving(mounted), trusting(mounted), HOST) == b""


async def test_the_servers_own_certificate_is_no_clients(mounted: dict[str, Path]) -> None:
    client = trusting(mounted)
    client.load_cert_chain(mounted["palena-tls"] / "tls.crt", mounted["palena-tls"] / "tls.key")
    assert await call(serving(mounted), client, HOST) == b""


async def test_the_certificate_is_for_no_other_name(mounted: dict[str, Path]) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
        await call(serving(mounted), trusting(mounted), "palena.elsewhere.svc")
