"""Asking a proxy about the Redis behind its cache."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import orjson
import pytest

from app.apis.litellm.sighting import CacheVerdict
from app.litellm.cache_probe import BAD_FOR, GOOD_FOR, CacheProber
from app.litellm.target import Target
from app.litellm.trust import SYSTEM_STORE
from tests.unit.litellm.virtual_time import run

TARGET = Target("http://gw.team.svc:4000", SYSTEM_STORE)


class Proxy(httpx2.AsyncBaseTransport):
    """Answers /cache/ping."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.keys: list[str] = []
        self.delay = 0.0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.keys.append(request.headers.get("authorization", ""))
        await asyncio.sleep(self.delay)
        if isinstance(self.answer, Exception):
            raise self.answer
        status, body = self.answer
        return httpx2.Response(status, stream=httpx2.ByteStream(orjson.dumps(body)))


def prober(proxy: Proxy) -> CacheProber:
    return CacheProber(lambda _: proxy, asyncio.get_running_loop().time)


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ((200, {"status": "healthy", "ping_response": True}), CacheVerdict(connected=True)),
        ((200, {"status": "healthy"}), CacheVerdict(connected=True)),
        ((200, {"status": "x"}), CacheVerdict(connected=False, trouble="answered /cache/ping without a ping from Redis")),
        ((503, {"detail": "sk-secret"}), CacheVerdict(connected=False, trouble="answered 503 to /cache/ping")),
        (
            ValueError("sk-1"),
            CacheVerdict(connected=False, trouble="could not be asked because of a fault in Palena; the service's log names it"),
        ),
        (httpx2.ReadError("x"), CacheVerdict(connected=False, trouble="broke the connection during /cache/ping")),
    ],
)
def test_what_the_proxy_says(answer: Any, verdict: CacheVerdict) -> None:
    async def scenario() -> None:
        proxy = Proxy(answer)
        assert await prober(proxy).look(TARGET, "sk-1") == verdict
        assert proxy.keys == ["Bearer sk-1"]

    run(scenario())


def test_it_is_asked_once_an_interval_and_sooner_while_it_is_bad() -> None:
    async def scenario() -> None:
        proxy = Proxy((200, {"ping_response": True}))
        made = prober(proxy)
        for _ in range(3):
            await made.look(TARGET, "k")
        assert len(proxy.keys) == 1
        await asyncio.sleep(GOOD_FOR)
        proxy.answer = (503, {})
        await made.look(TARGET, "k")
        await asyncio.sleep(BAD_FOR)
        await made.look(TARGET, "k")
        assert len(proxy.keys) == 3

    run(scenario())


def test_a_slow_proxy_holds_up_nobody_and_its_answer_counts_later() -> None:
    async def scenario() -> None:
        proxy = Proxy((200, {"ping_response": True}))
        proxy.delay = 3.0
        made = prober(proxy)
        assert await made.look(TARGET, "k") is None
        await asyncio.sleep(3)
        assert await made.look(TARGET, "k") == CacheVerdict(connected=True)
        await made.aclose()

    run(scenario())
