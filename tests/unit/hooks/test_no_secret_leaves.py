"""Canaries in every part of a request, in headers and in errors: none comes out in logs, metrics or failed answers."""

from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING, Any

import httpx2
import orjson
import pytest

from app.hooks import NotYet, SyncRequest, SyncResponse, logs
from app.hooks.asgi import application
from app.hooks.auth import TokenFile
from tests.unit.hooks.toys import CONFIG_MAP, answering, body, config_map, parent, toy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CANARY = "canary-5up3r"
HEADERS = {"authorization": "Bearer canary-5up3r-token", "user-agent": CANARY, "x-extra": CANARY}


@pytest.fixture(params=["json", "console"])
def log(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    stream = io.StringIO()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.configure("debug", request.param, stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    for name in ("app", "uvicorn"):
        logging.getLogger(name).setLevel(logging.NOTSET)


def full_of_canaries() -> dict[str, Any]:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "key", "namespace": "play"}, "data": {CANARY: CANARY}}
    request = body(children=[config_map(key=CANARY)], parent=parent(spec={"key": CANARY, CANARY: [CANARY]}))
    request["related"] = {"Secret.v1": {"play/key": secret}}
    request["controller"] = {"spec": {"caBundle": CANARY}}
    request["parent"]["metadata"]["annotations"] = {"note": CANARY}
    return request


def raising(request: SyncRequest, context: Any) -> SyncResponse:
    try:
        int(CANARY)
    except ValueError as error:
        raise RuntimeError(f"cannot read {CANARY}") from error
    raise AssertionError


CASES = {
    "an answer": toy(),
    "an exception": toy(sync=raising),
    "an exception with a canary's key": answering(KeyError(CANARY)),
    "a null in a child": answering(
        SyncResponse(status={}, children=[config_map(a=CANARY) | {"data": {"a": None, "b": CANARY}}], retained=[])
    ),
    "a child that cannot be": answering(SyncResponse(status={}, children=[config_map(a=CANARY) | {"kind": "Pod"}], retained=[])),
    "a child that is no JSON": answering(
        SyncResponse(status={}, children=[config_map() | {"data": {CANARY.encode()}}], retained=[])
    ),
    "not yet": answering(NotYet("later", 1)),
}


@pytest.mark.parametrize("case", CASES)
async def test_no_canary_in_logs_metrics_and_failures(case: str, log: io.StringIO, tmp_path: Path) -> None:
    (tmp_path / "tokens").write_text("canary-5up3r-token\n")
    app = application([CASES[case]], tokens=TokenFile(tmp_path / "tokens"))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://hooks") as hooks:
        answers = [
            await hooks.post(f"/hooks/{path}", content=content, headers=headers)
            for path in ("toys/sync", f"toys/{CANARY}", f"{CANARY}/sync")
            for content in (orjson.dumps(full_of_canaries()), f'{{"{CANARY}": {CANARY}'.encode(), b'"' + CANARY.encode())
            for headers in (HEADERS, HEADERS | {"authorization": f"Bearer {CANARY}"})
        ]
        metrics = await hooks.get("/metrics")
    assert CANARY not in log.getvalue()
    assert CANARY not in metrics.text
    assert not [answer.text for answer in answers if answer.status_code != 200 and CANARY in answer.text]
    assert len(log.getvalue().splitlines()) >= len(answers), "every call has its line"


def test_a_hook_line_says_who_what_and_how_it_ended(log: io.StringIO) -> None:
    import asyncio

    conditions = [{"type": "Ready", "reason": "ProxyReachable"}]
    controller = answering(SyncResponse(status={"conditions": conditions}, children=[], retained=[]))

    async def call() -> None:
        transport = httpx2.ASGITransport(app=application([controller]))
        async with httpx2.AsyncClient(transport=transport, base_url="http://hooks") as hooks:
            await hooks.post("/hooks/toys/sync", content=orjson.dumps(body()))

    asyncio.run(call())
    [line] = log.getvalue().splitlines()
    if not line.startswith("{"):
        assert "controller=toys hook=sync namespace=play parent=bear generation=3 code=200" in line
        return
    expected = {
        "event": "hook",
        "controller": "toys",
        "hook": "sync",
        "namespace": "play",
        "parent": "bear",
        "generation": 3,
        "code": 200,
        "ready": "ProxyReachable",
    }
    assert expected.items() <= orjson.loads(line).items()


async def test_metrics_count_calls_refusals_and_exceptions_by_declared_names() -> None:
    refused = answering(SyncResponse(status={}, children=[{}], retained=[], finalized=False))
    app = application([refused])
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://hooks") as hooks:
        for path in ("toys/sync", "toys/sync", "made/up"):
            await hooks.post(f"/hooks/{path}", content=orjson.dumps(body(children=[config_map()])))
        text = (await hooks.get("/metrics")).text
    assert 'palena_hook_requests_total{code="500",controller="toys",hook="sync"} 2.0' in text
    assert 'palena_hook_requests_total{code="404",controller="unknown",hook="unknown"} 1.0' in text
    assert 'palena_guard_refusals_total{controller="toys",hook="sync"} 2.0' in text
    assert "palena_hook_in_flight 0.0" in text
    assert CONFIG_MAP.key not in text
