"""What the admin client sends, seen at its transport."""

from __future__ import annotations

import httpx2
import pytest

from app.litellm.admin.calls import Call
from app.litellm.admin.client import MOST_VALUES, AdminClient
from app.litellm.admin.errors import AdminError, Unreachable
from app.litellm.target import Target
from app.litellm.trust import SYSTEM_STORE


def answer(body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> httpx2.Response:
    """As it comes from a transport, yet to be read."""
    return httpx2.Response(status, headers=headers, stream=httpx2.ByteStream(body))


def asking(*answers: httpx2.Response) -> tuple[AdminClient, list[httpx2.Request]]:
    """A client, and the requests that it will have made; they are answered in turn."""
    asked: list[httpx2.Request] = []
    left = iter(answers)

    async def handle(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return next(left)

    return AdminClient(lambda _: httpx2.MockTransport(handle), lambda: 0.0), asked


async def test_a_call_goes_below_the_endpoint_with_the_key_and_json() -> None:
    client, asked = asking(answer(b'{"model_id":"m"}'))
    admin = client.at(Target("http://gw.example.com:4000/litellm", SYSTEM_STORE), "sk-master")
    call = Call("POST", "/model/new", query={"dry": "a b"}, body={"model_name": "m"})
    assert await admin.ask(call) == {"model_id": "m"}
    (request,) = asked
    assert (request.method, str(request.url)) == ("POST", "http://gw.example.com:4000/litellm/model/new?dry=a%20b")
    assert request.content == b'{"model_name":"m"}'
    headers = {name: value for name, value in request.headers.items() if name != "host"}
    assert headers == {
        "accept": "application/json",
        "accept-encoding": "identity",
        "user-agent": "palena",
        "authorization": "Bearer sk-master",
        "content-type": "application/json",
        "content-length": "18",
    }


async def test_a_load_balancer_is_given_its_cookie_back_and_so_finds_the_same_replica() -> None:
    client, asked = asking(answer(b"[]", headers={"set-cookie": "replica=2; Path=/"}), answer(b"[]"), answer(b"[]"))
    for host in ("one", "one", "other"):
        await client.at(Target(f"http://{host}.example.com", SYSTEM_STORE), "sk-master").ask(Call("GET", "/budget/list"))
    assert [request.headers.get("cookie") for request in asked] == [None, "replica=2", None]


async def test_a_redirect_is_not_followed() -> None:
    client, asked = asking(answer(b"{}", status=302, headers={"location": "http://elsewhere.example.com"}))
    admin = client.at(Target("http://gw.example.com", SYSTEM_STORE), "sk-master")
    with pytest.raises(AdminError, match="a redirect, which is not followed"):
        await admin.ask(Call("GET", "/budget/list"))
    assert len(asked) == 1


@pytest.mark.parametrize("value", [b"{}", b"[]", b"1", b"null"])
async def test_an_answer_of_more_values_than_a_proxy_has_is_not_read_into_memory(value: bytes) -> None:
    client, _ = asking(answer(b"[" + (value + b",") * MOST_VALUES + value + b"]"))
    admin = client.at(Target("http://gw.example.com", SYSTEM_STORE), "sk-master")
    with pytest.raises(Unreachable, match="with more than 1,000,000 values"):
        await admin.ask(Call("GET", "/budget/list"))


async def test_a_large_answer_of_few_values_is_read() -> None:
    text = b'"' + b"x" * 4_000_000 + b'"'
    client, _ = asking(answer(b"[" + text + b"," + text + b"]"))
    admin = client.at(Target("http://gw.example.com", SYSTEM_STORE), "sk-master")
    assert [len(one) for one in await admin.ask(Call("GET", "/budget/list"))] == [4_000_000, 4_000_000]
