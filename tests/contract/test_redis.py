"""A gateway with a Redis, a small pool of database connections and a pass-through endpoint: each does what the spec says."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest

from tests.contract.rendered import PASS_THROUGH, POOL
from tests.contract.stub_model import CHAT_COST, add_model, answered, chat, eventually, new_key, spent

if TYPE_CHECKING:
    import httpx2

    from tests.contract.peer.provider import Provider
    from tests.contract.peer.proxy import Proxy
    from tests.contract.peer.redis import Redis

pytestmark = pytest.mark.proxies("oldest-redis", "lts-redis", "newest-redis")


def test_the_cache_answers_from_redis(admin: httpx2.Client, provider: Provider, redis: Redis) -> None:
    ping = answered(admin.get("/cache/ping"))
    assert (ping["status"], ping["cache_type"], ping["ping_response"]) == ("healthy", "redis", True)
    model = add_model(admin, provider, "cached")
    # The proxies of all releases share this Redis: a question of another one's test may be answered in it.
    before, question = len(provider.asked), f"the same question {uuid4()}"
    first = answered(chat(admin, model, question))
    # The answer is stored behind the reader's back.
    eventually(lambda: bool(stored(redis, first["id"])), "the answer in Redis")
    assert answered(chat(admin, model, question))["id"] == first["id"]
    assert len(provider.asked) == before + 1
    (name,) = stored(redis, first["id"])
    assert 0 < int(str(redis.ask("TTL", name))) <= 60


def test_spend_reaches_the_database_through_redis(admin: httpx2.Client, provider: Provider) -> None:
    model, key = add_model(admin, provider, "buffered"), new_key(admin)
    answered(chat(admin, model, f"what does it cost? {uuid4()}", key))
    eventually(lambda: spent(admin, key) == pytest.approx(CHAT_COST), "the key's spend")


def test_the_router_balances_as_it_is_told(admin: httpx2.Client) -> None:
    settings = answered(admin.get("/get/config/callbacks"))["router_settings"]
    assert settings["routing_strategy"] == "usage-based-routing-v2"


def test_the_pool_of_database_connections_has_its_size(proxy: Proxy) -> None:
    url = engine_variables(proxy)["DATABASE_URL"]
    assert parse_qs(urlsplit(url).query)["connection_limit"] == [str(POOL)]


def test_a_pass_through_endpoint_adds_its_secret_header_and_query(proxy: Proxy, admin: httpx2.Client, provider: Provider) -> None:
    answer = admin.post(PASS_THROUGH, json={"query": "a", "documents": ["b"]})
    assert answered(answer)["results"][0]["index"] == 0
    asked = provider.asked[-1]
    # The oldest release takes in the query and then loses it.
    query = {} if proxy.release.name == "oldest" else {"version": "2"}
    assert (asked.path, asked.query, asked.body["documents"]) == ("/v1/rerank", query, ["b"])
    assert asked.headers["authorization"] == f"Bearer {provider.key}"


def test_without_auth_a_pass_through_endpoint_is_open_before_1_108(proxy: Proxy, admin: httpx2.Client) -> None:
    body = {"query": "a", "documents": ["b"]}
    anonymous = admin.post(PASS_THROUGH, json=body, headers={"Authorization": ""})
    assert anonymous.status_code == (200 if proxy.release.name == "oldest" else 401)


def stored(redis: Redis, text: str) -> list[str]:
    """Names of our namespace whose value has the text in it."""
    return [name for name in redis.names("gw:") if text in (redis.ask("GET", name) or "")]


def engine_variables(proxy: Proxy) -> dict[str, str]:
    """The environment that the proxy gives to its query engine."""
    assert proxy.server
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(process.name)) == proxy.server.process.pid and b"engine.js" in (process / "cmdline").read_bytes():
                lines = (process / "environ").read_bytes().decode().split("\0")
                return dict(line.split("=", 1) for line in lines if "=" in line)
        except (ProcessLookupError, FileNotFoundError):
            continue  # It ended meanwhile.
    raise AssertionError("the proxy has no query engine")
