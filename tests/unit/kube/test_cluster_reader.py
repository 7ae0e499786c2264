"""What the service reads of the cluster itself: single Secrets, our own kinds, and how it fails."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from app.apis.litellm.guardrail import LITELLM_GUARDRAIL
from app.kube.cluster_reader import GOOD_FOR, ClusterReader, cluster_reader
from app.kube.reader import SECRET, NoReader, ReaderOff, ReadFailed

GUARDRAIL = LITELLM_GUARDRAIL.resource


class ApiServer(httpx2.AsyncBaseTransport):
    """Answers by path; counts."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(f"{request.method} {request.url.path}")
        answer = self.answers.get(request.url.path, 404)
        if isinstance(answer, Exception):
            raise answer
        return httpx2.Response(answer) if isinstance(answer, int) else httpx2.Response(200, json=answer)


def reader(server: ApiServer, clock: list[float]) -> ClusterReader:
    return ClusterReader(httpx2.AsyncClient(transport=server, base_url="https://cluster"), lambda: clock[0])


SECRETS = "/api/v1/namespaces/team/secrets"


async def test_a_secret_is_read_by_its_name_and_remembered_for_a_while() -> None:
    server, clock = ApiServer({f"{SECRETS}/a": {"data": {"k": "eA=="}}}), [0.0]
    made = reader(server, clock)
    assert await made.secret("team", "a") == {"data": {"k": "eA=="}}
    assert await made.secret("team", "a") is not None
    assert server.asked == [f"GET {SECRETS}/a"]
    clock[0] = GOOD_FOR
    await made.secret("team", "a")
    assert len(server.asked) == 2


async def test_a_secret_that_does_not_exist_is_an_answer() -> None:
    assert await reader(ApiServer({}), [0.0]).secret("team", "a") is None


@pytest.mark.parametrize("trouble", [403, 500, 503, httpx2.ConnectError("no"), httpx2.ReadTimeout("slow")])
async def test_no_answer_is_an_error_and_is_not_remembered(trouble: Any) -> None:
    server, clock = ApiServer({f"{SECRETS}/a": trouble}), [0.0]
    made = reader(server, clock)
    with pytest.raises(ReadFailed):
        await made.secret("team", "a")
    server.answers[f"{SECRETS}/a"] = {"data": {}}
    assert await made.secret("team", "a") == {"data": {}}


async def test_our_own_kinds_are_read_and_listed_with_what_lists_leave_out() -> None:
    path = "/apis/litellm.palena.ai/v1alpha1/namespaces/team/litellmguardrails"
    made = reader(ApiServer({path: {"items": [{"metadata": {"name": "g"}}]}, f"{path}/g": {"metadata": {"name": "g"}}}), [0.0])
    assert await made.list(GUARDRAIL, "team") == [
        {"apiVersion": "litellm.palena.ai/v1alpha1", "kind": "LiteLLMGuardrail", "metadata": {"name": "g"}}
    ]
    assert await made.get(GUARDRAIL, "team", "g") == {"metadata": {"name": "g"}}


async def test_our_own_kinds_are_listed_in_the_whole_cluster_where_no_namespace_is_named() -> None:
    server = ApiServer({"/apis/litellm.palena.ai/v1alpha1/litellmguardrails": {"items": [{"metadata": {"name": "pii"}}]}})
    assert [one["metadata"]["name"] for one in await reader(server, [0.0]).list(GUARDRAIL, "")] == ["pii"]


async def test_nothing_else_is_ever_asked_for() -> None:
    server = ApiServer({})
    with pytest.raises(AssertionError):
        await reader(server, [0.0]).list(SECRET, "team")
    assert server.asked == []


async def test_without_a_cluster_the_reader_is_off_and_says_so() -> None:
    made = cluster_reader({}, lambda: 0.0)
    assert isinstance(made, NoReader)
    with pytest.raises(ReaderOff, match="Secret a cannot be read: no cluster is configured"):
        await made.secret("team", "a")


def test_a_kubeconfig_that_cannot_be_used_turns_it_off_with_a_reason() -> None:
    assert isinstance(cluster_reader({"KUBECONFIG": "/nonexistent"}, lambda: 0.0), NoReader)
