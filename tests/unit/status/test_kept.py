"""When an observed Ready may stand in for a proxy that has not answered yet."""

from __future__ import annotations

from typing import Any

import pytest

from app.status.instance.kept import about_same_proxy, kept_condition
from app.status.instance.proxy import MasterKeySource

REASON = {"True": "ProxyReachable", "False": "ProxyNotReachable", "Unknown": "ProbePending"}
HTTP, HTTPS = "http://llm:4000", "https://llm:4000"


def observed(endpoint: str, *, generation: int = 1, status: str = "True", **fields: Any) -> dict[str, Any]:
    ready: dict[str, Any] = {"type": "Ready", "status": status, "reason": REASON[status], "observedGeneration": generation}
    ready["message"] = f"{endpoint} answers"
    return {"endpoint": endpoint, "masterKey": {"secretName": "lk", "key": "MASTER"}, "conditions": [ready], **fields}


def saying(message: str) -> dict[str, Any]:
    status = observed(HTTP, status="False")
    status["conditions"][0]["message"] = message
    return status


@pytest.mark.parametrize(
    ("status", "endpoint", "generation", "same", "why"),
    [
        (observed(HTTP), HTTP, 1, True, "nothing changed"),
        (observed(HTTPS), HTTPS, 1, True, "the same generation refers to the same CA"),
        (observed(HTTP), HTTP, 2, True, "an edit, but http has no CA"),
        (observed(HTTPS), HTTPS, 2, False, "an edit, and it may have been of the CA"),
        (observed(HTTP), HTTPS, 1, False, "another endpoint"),
        (observed(""), "", 1, False, "no endpoint at all"),
        (observed(HTTP, status="False"), HTTP, 1, True, "False is knowledge too"),
        (observed(HTTP, status="Unknown"), HTTP, 1, False, "Unknown is none"),
        (saying("master key unavailable: Secret lk does not exist"), HTTP, 1, False, "the request shows whether it does"),
        (saying(f"the proxy at {HTTP} was not asked: Secret ca"), HTTP, 1, False, "the request shows whether it is still so"),
        (saying("http://llm:40000 does not answer"), HTTP, 1, False, "about a longer endpoint"),
        (observed(HTTP, masterKey={"secretName": "lk", "key": "OTHER"}), HTTP, 1, False, "another key"),
        (observed(HTTP, masterKey={"secretName": "other", "key": "MASTER"}), HTTP, 1, False, "another Secret"),
        (observed(HTTP, masterKey=None), HTTP, 1, False, "a status of the Go operator"),
        ({"endpoint": HTTP}, HTTP, 1, False, "no condition"),
        (None, HTTP, 1, False, "no status"),
    ],
)
def test_ready_is_kept_for_the_same_endpoint_ca_and_key(
    status: Any, endpoint: str, generation: int, same: bool, why: str
) -> None:
    source = MasterKeySource(secret_name="lk", key="MASTER")
    assert about_same_proxy(status, endpoint, source, generation) is same, why


def test_a_condition_that_is_not_ours_is_not_kept() -> None:
    status = observed(HTTP)
    assert kept_condition(status, "Ready") is not None
    status["conditions"][0]["reason"] = "AllResourcesReady"
    assert kept_condition(status, "Ready") is None
