"""A transport that leads to fake proxies: the seam at which clients meet them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.sim.fake_litellm.proxy import FakeLiteLLM


class FakeNetwork(httpx2.AsyncBaseTransport):
    """A transport that leads to fake proxies by scheme, host and port. Elsewhere connections are refused."""

    def __init__(self, proxies: Mapping[str, FakeLiteLLM]) -> None:
        self._transports = {origin: httpx2.ASGITransport(app=proxy) for origin, proxy in proxies.items()}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends the request to the proxy at its origin."""
        transport = self._transports.get(f"{request.url.scheme}://{request.url.netloc.decode('ascii')}")
        try:
            if transport is None:
                raise ConnectionRefusedError
            return await transport.handle_async_request(request)
        except ConnectionRefusedError as error:
            raise httpx2.ConnectError("connection refused", request=request) from error
        except ConnectionResetError as error:
            raise httpx2.ReadError("connection reset", request=request) from error
