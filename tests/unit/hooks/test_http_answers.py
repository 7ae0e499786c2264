"""Codes and texts. Only a complete answer is a 200; on everything else Metacontroller changes nothing."""

from __future__ import annotations

import asyncio
import gzip
from typing import Any

import orjson
import pytest

from app.hooks import NotYet, Object, SyncRequest, SyncResponse
from app.hooks import body as request_body
from app.hooks.asgi import application
from tests.unit.hooks.toys import answering, body, client, config_map, parent, post, toy


def aged(generation: object) -> Object:
    bear = parent()
    bear["metadata"]["generation"] = generation
    return body(parent=bear)


def filed(kind: str, key: str) -> Object:
    """A body with the ConfigMap ``play/box`` under these keys."""
    return body() | {"children": {kind: {key: config_map()}}}


@pytest.mark.parametrize(
    ("content", "text", "why"),
    [
        (b"", "empty", "nothing at all"),
        (b'{"parent": {', "no JSON", "truncated on the way"),
        (b"<html>", "no JSON", "a proxy answered instead of Metacontroller"),
        (b"\xff\xfe", "no JSON", "not UTF-8"),
        (b"[1]", "must be a JSON object", "a list has no parent"),
        (b"null", "must be a JSON object", "null has no parent"),
        (orjson.dumps(body(parent=None)), "parent", "a null parent"),
        (orjson.dumps(body(parent={"metadata": {}})), "parent.apiVersion", "a parent without identity"),
        (orjson.dumps(aged(True)), "parent.metadata.generation", "true is no number"),
        (orjson.dumps(aged(-1)), "parent.metadata.generation", "never negative"),
        (orjson.dumps(aged(2**63)), "parent.metadata.generation", "more than the API server's integers hold"),
        (orjson.dumps(aged(1.0)), "parent.metadata.generation", "not an integer"),
        (orjson.dumps(filed("Secret.v1", "play/box")), "children['Secret.v1']['play/box']: it is another", "another kind"),
        (
            orjson.dumps(filed("ConfigMap.v2", "play/box")),
            "children['ConfigMap.v2']['play/box']: it is another",
            "another version",
        ),
        (
            orjson.dumps(filed("ConfigMap.v1", "work/box")),
            "children['ConfigMap.v1']['work/box']: it is another",
            "another namespace",
        ),
        (orjson.dumps(filed("ConfigMap.v1", "play/bag")), "children['ConfigMap.v1']['play/bag']: it is another", "another name"),
        (orjson.dumps(filed("ConfigMap.v1", "box")), "children['ConfigMap.v1']['box']: it is another", "no namespace"),
        (orjson.dumps(body() | {"children": []}), "children must be an object", "children of the wrong type"),
        (orjson.dumps(body() | {"finalizing": "no"}), "finalizing", "a flag of the wrong type"),
        (b"[" * 100_000, "no JSON", "nested without end"),
    ],
)
async def test_a_body_that_metacontroller_never_sends_is_a_400_of_one_line(content: bytes, text: str, why: str) -> None:
    answer = await post(toy(), content)
    assert answer.status_code == 400, why
    assert text in answer.text
    assert "\n" not in answer.text


async def test_a_compressed_body_is_refused_and_told_why() -> None:
    answer = await post(toy(), gzip.compress(orjson.dumps(body())), headers={"content-encoding": "gzip"})
    assert (answer.status_code, "uncompressed" in answer.text) == (400, True)


async def test_a_body_over_the_limit_is_a_413_before_it_is_read() -> None:
    answer = await post(toy(), b" " * 101, body_limit=100)
    assert (answer.status_code, answer.headers["connection"]) == (413, "close")


async def test_a_body_without_a_length_is_counted_while_it_comes() -> None:
    async def endless() -> Any:
        while True:
            yield b" " * 60

    async with client(toy(), body_limit=100) as hooks:
        answer = await hooks.post("/hooks/toys/sync", content=endless())
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("path", "code", "why"),
    [
        ("/hooks/nothing/sync", 404, "nobody reads it"),
        ("/hooks/toys/sync", 413, "it is over the limit"),
    ],
)
async def test_a_body_that_is_refused_is_taken_in_before_the_answer(path: str, code: int, why: str) -> None:
    events: list[str] = []

    async def receive() -> Any:
        events.append("received")
        return {"type": "http.request", "body": b" " * 60, "more_body": events.count("received") < 5}

    async def send(message: Any) -> None:
        events.append(str(message.get("status", "body")))

    scope = {"type": "http", "method": "POST", "path": path, "headers": [], "query_string": b""}
    await application([toy()], body_limit=100)(scope, receive, send)
    assert events == ["received"] * 5 + [str(code), "body"], why


@pytest.mark.parametrize(
    ("expect", "received", "why"),
    [
        (b"", 11, "as much as is taken in, and no more"),
        (b"100-continue", 0, "asking for a body that is refused would only make the client send it"),
    ],
)
async def test_what_is_taken_in_of_a_refused_body_is_bounded(
    monkeypatch: pytest.MonkeyPatch, expect: bytes, received: int, why: str
) -> None:
    monkeypatch.setattr(request_body, "DRAINED_BYTES", 1050)
    asked = 0

    async def receive() -> Any:
        nonlocal asked
        asked += 1
        return {"type": "http.request", "body": b" " * 100, "more_body": True}

    codes: list[int] = []

    async def send(message: Any) -> None:
        codes.append(message.get("status", 0))

    scope = {"type": "http", "method": "POST", "path": "/hooks/no/sync", "headers": [(b"expect", expect)], "query_string": b""}
    await application([toy()])(scope, receive, send)
    assert (asked, codes[0]) == (received, 404), why


async def test_a_refused_client_that_stops_sending_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_body, "DRAIN_SECONDS", 0.0)
    codes: list[int] = []

    async def receive() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        codes.append(message.get("status", 0))

    scope = {"type": "http", "method": "POST", "path": "/hooks/no/sync", "headers": [], "query_string": b""}
    await application([toy()])(scope, receive, send)
    assert codes[0] == 404


@pytest.mark.parametrize(
    "path", ["/hooks/toys/finalize", "/hooks/toys/customize", "/hooks/toys/sync/", "/hooks//toys/sync", "/hooks/nothing/sync"]
)
async def test_a_hook_that_is_not_there_is_a_404_that_names_nothing(path: str) -> None:
    async with client(toy()) as hooks:
        answer = await hooks.post(path, content=orjson.dumps(body()))
    assert (answer.status_code, answer.text) == (404, "no such hook")


async def test_hooks_are_called_by_post_only() -> None:
    async with client(toy()) as hooks:
        answer = await hooks.get("/hooks/toys/sync")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


async def test_a_revision_in_the_url_changes_nothing() -> None:
    async with client(toy()) as hooks:
        answer = await hooks.post("/hooks/toys/sync?rev=1.2.3", content=orjson.dumps(body()))
    assert answer.status_code == 200


async def test_not_yet_is_a_429_with_whole_seconds() -> None:
    answer = await post(answering(NotYet("the database is starting", 0)))
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")


async def test_an_exception_is_a_500_that_keeps_its_text_to_itself() -> None:
    answer = await post(answering(ValueError("hunter2")))
    assert answer.status_code == 500
    assert answer.text == "internal error in toys/sync; the service's log says where"


@pytest.mark.parametrize("nothing", [None, {}, []])
async def test_a_hook_that_returns_nothing_is_never_a_200(nothing: object) -> None:
    assert (await post(answering(nothing))).status_code == 500


async def test_a_hook_that_waits_too_long_is_a_504() -> None:
    async def sync(request: SyncRequest, context: Any) -> SyncResponse:
        await asyncio.Event().wait()
        raise AssertionError

    answer = await post(toy(sync=sync), deadline_seconds=0.01)
    assert (answer.status_code, "within 0.01 seconds" in answer.text) == (504, True)


async def test_a_client_that_never_finished_its_body_is_not_waited_for_again() -> None:
    asked, codes = 0, list[int]()

    async def receive() -> Any:
        nonlocal asked
        asked += 1
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        codes.append(message.get("status", 0))

    scope = {"type": "http", "method": "POST", "path": "/hooks/toys/sync", "headers": [], "query_string": b""}
    await application([toy()], deadline_seconds=0.01)(scope, receive, send)
    assert (asked, codes[0]) == (1, 504)


async def test_a_timeout_inside_a_hook_is_not_taken_for_the_deadline() -> None:
    assert (await post(answering(TimeoutError("upstream")))).status_code == 500


async def test_a_client_that_leaves_while_it_sends_gets_no_answer_and_ends_quietly() -> None:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/hooks/toys/sync", "headers": [], "query_string": b""}
    await application([toy()])(scope, receive, send)
    assert sent == []


async def test_customize_answers_for_any_parent_of_the_kind() -> None:
    answer = await post(toy(), {"controller": {}, "parent": parent()}, hook="customize")
    assert answer.status_code == 404, "a controller without customize has no such hook"


async def test_a_stopping_service_says_so_and_lets_connections_go() -> None:
    app = application([toy()])
    app.state.health.started = app.state.health.stopping = True
    import httpx2

    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://hooks") as hooks:
        ready = await hooks.get("/readyz")
        answer = await hooks.post("/hooks/toys/sync", content=orjson.dumps(body()))
        alive = await hooks.get("/healthz")
    assert (ready.status_code, alive.status_code) == (503, 200)
    assert (answer.status_code, answer.headers["connection"]) == (200, "close")
