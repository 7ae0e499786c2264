"""Two ways to reach the hooks: over HTTP, as Metacontroller does, and in this process, without a socket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import httpx2
import orjson

from app.sim.metacontroller.calls import CallFailed, Reply

if TYPE_CHECKING:
    import ssl
    from collections.abc import Mapping

    from starlette.types import ASGIApp

    from app.hooks.objects import Object

MAX_REDIRECTS = 10


class HookClient:
    """An HTTP client to be given to a :class:`~app.sim.loop.Loop`; close it, or use it as an asynchronous context manager.

    The loop bounds the time of each call, so the client itself doesn't.
    """

    def __init__(
        self,
        *,
        base_url: str = "",
        headers: Mapping[str, str] | None = None,
        tls: ssl.SSLContext | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """``base_url`` takes the place of scheme, host and port of every hook: manifests name a Service that is not there.

        ``headers`` go with every call (an ``Authorization``, say); ``tls`` holds the trusted authorities.
        """
        self._base = httpx2.URL(base_url) if base_url else None
        self._client = httpx2.AsyncClient(
            headers=headers,
            verify=tls if tls is not None else True,
            transport=transport,
            timeout=None,
            trust_env=False,
            follow_redirects=True,
            max_redirects=MAX_REDIRECTS,
        )

    @classmethod
    def in_process(cls, app: ASGIApp, *, headers: Mapping[str, str] | None = None) -> Self:
        """A client of an ASGI app in this process. The app's lifespan is the caller's to run."""
        return cls(headers=headers, transport=httpx2.ASGITransport(app=app, raise_app_exceptions=False))

    async def __call__(self, url: str, body: Object) -> Reply:
        """POST a request to a hook. Raises :class:`CallFailed` if no answer comes back."""
        target = httpx2.URL(url)
        if self._base is not None:
            target = target.copy_with(scheme=self._base.scheme, host=self._base.host, port=self._base.port)
        content = orjson.dumps(body)
        try:
            response = await self._client.post(target, content=content, headers={"Content-Type": "application/json"})
        except httpx2.HTTPError as error:
            raise CallFailed(f"{type(error).__name__}: {error}") from error
        return Reply(response.status_code, response.headers, response.content)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._client.aclose()
