"""Reaching hooks: in this process, and through a client that is given another base URL."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import orjson
import pytest

from app.sim.callers import HookClient
from app.sim.loop import CallFailed
from app.sim.metacontroller.calls import Exchange, Hooks
from app.sim.metacontroller.errors import SyncError
from app.sim.metacontroller.manifest import Hook, manifest
from tests.sim.stage import composite, webhook


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """An ASGI app that answers with what it was sent, or fails where the path says so."""
    if scope["path"] == "/fail":
        raise RuntimeError("broken")
    body = (await receive())["body"]
    told = {"path": scope["path"], "query": scope["query_string"].decode(), "body": orjson.loads(body)}
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-kind", b"echo")]})
    await send({"type": "http.response.body", "body": orjson.dumps(told)})


async def test_an_app_in_this_process_gets_path_query_and_body() -> None:
    async with HookClient.in_process(echo) as call:
        reply = await call("http://palena.palena-system:80/hooks/widgets/sync?rev=1", {"a": 1})
    assert (reply.code, reply.headers["X-Kind"]) == (200, "echo")
    assert orjson.loads(reply.body) == {"path": "/hooks/widgets/sync", "query": "rev=1", "body": {"a": 1}}


async def test_an_app_that_fails_answers_500() -> None:
    async with HookClient.in_process(echo) as call:
        assert (await call("http://palena/fail", {})).code == 500


async def test_a_base_url_takes_the_place_of_the_service_and_headers_go_along() -> None:
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, content=b"{}")

    transport = httpx2.MockTransport(answer)
    headers = {"Authorization": "Bearer token"}
    async with HookClient(base_url="https://127.0.0.1:8443", headers=headers, transport=transport) as call:
        await call("http://palena.palena-system:80/hooks/widgets/sync?rev=1", {})
    assert str(seen[0].url) == "https://127.0.0.1:8443/hooks/widgets/sync?rev=1"
    assert seen[0].headers["Authorization"] == "Bearer token"
    assert seen[0].headers["Content-Type"] == "application/json"


async def test_no_connection_is_no_answer() -> None:
    def refuse(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("connection refused", request=request)

    async with HookClient(transport=httpx2.MockTransport(refuse)) as call:
        with pytest.raises(CallFailed, match="connection refused"):
            await call("http://palena/sync", {})


async def test_a_hook_that_does_not_answer_in_time_is_given_up() -> None:
    told: list[Exchange] = []

    async def never(_: str, __: object) -> Any:
        await asyncio.Event().wait()

    hooks = Hooks(never, lambda: None, told.append)  # type: ignore[arg-type, return-value]
    with pytest.raises(SyncError, match=r"no answer within 0\.01 s"):
        await hooks.ask(Hook("http://palena/sync", 0.01, strict=True), {"a": 1})
    assert told == [Exchange("http://palena/sync", {"a": 1}, None)]


@pytest.mark.parametrize(
    ("fields", "url", "timeout", "why"),
    [
        ({}, "http://hooks.example/widgets/sync", 10.0, "ten seconds unless said"),
        ({"timeout": "1m30s"}, "http://hooks.example/widgets/sync", 90.0, "a Go duration"),
        ({"timeout": "500ms"}, "http://hooks.example/widgets/sync", 0.5, "less than a second"),
        ({"timeout": "0s"}, "http://hooks.example/widgets/sync", 10.0, "no time at all is the default"),
        (
            {"url": None, "path": "/sync", "service": {"name": "palena", "namespace": "palena-system", "protocol": "https"}},
            "https://palena.palena-system:80/sync",
            10.0,
            "a Service: no .svc, and port 80 whatever the protocol",
        ),
    ],
)
def test_where_a_hook_is_and_how_long_it_may_take(fields: dict[str, Any], url: str, timeout: float, why: str) -> None:
    source = composite()
    source["spec"]["hooks"]["sync"] = webhook("widgets", "sync", **fields)
    hook = manifest(source).sync
    assert (hook.url, hook.timeout_seconds) == (url, timeout), why
