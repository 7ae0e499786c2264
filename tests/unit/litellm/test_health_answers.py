"""What health answers mean. The real proxy's own answers are in tests/cases/litellm_health.yaml."""

from __future__ import annotations

import pytest

from app.apis.litellm.sighting import KeyState
from app.litellm.answers import Answer, disclosed_version, key_verdict, liveliness_trouble, readiness_trouble

JSON = "application/json"


def refusal(message: str, status: int = 401) -> Answer:
    return Answer(status, JSON, body=f'{{"error":{{"message":"{message}","type":"auth_error"}}}}'.encode())


@pytest.mark.parametrize(
    ("answer", "trouble", "why"),
    [
        (Answer(200, JSON, body=b'"I\'m alive!"'), "", "LiteLLM"),
        (Answer(200, "text/plain", body=b"ok"), "", "another spelling of alive is alive"),
        (Answer(200, "text/html; charset=utf-8", body=b"hello"), "answered /health/liveliness with a web page", "a login page"),
        (Answer(200, "", body=b"\n<!doctype html>"), "answered /health/liveliness with a web page", "HTML without its type"),
        (Answer(404, JSON), "answered 404 to /health/liveliness", "something else listens there"),
        (Answer(204), "answered 204 to /health/liveliness", "only 200 is alive"),
        (Answer(304), "answered 304 to /health/liveliness", "no Location, no redirect"),
        (
            Answer(302, location="https://u:p@login.example.com/start?token=abc"),
            "redirects to https://login.example.com; redirects are not followed",
            "the host helps; credentials and query may be secrets",
        ),
        (Answer(301, location="/ui"), "redirects to another path of the same host; redirects are not followed", "no host"),
        (Answer(301, location="http://[x"), "redirects to a place that cannot be read; redirects are not followed", "broken"),
    ],
)
def test_alive_is_200_and_no_web_page(answer: Answer, trouble: str, why: str) -> None:
    assert liveliness_trouble(answer) == trouble, why


@pytest.mark.parametrize(
    ("answer", "trouble", "why"),
    [
        (Answer(200, JSON, body=b'{"status":"healthy","db":"connected"}'), "", "ready"),
        (Answer(503, JSON, body=b"{}"), "answered 503 to /health/readiness", "the proxy says so"),
        (
            Answer(503, JSON, body=b'{"status":"healthy","db":"disconnected"}'),
            "answered 503 to /health/readiness; its database is disconnected",
            "the body's status says healthy all the same",
        ),
        (Answer(401, JSON), "", "a gateway that guards the route says nothing about readiness"),
        (Answer(404, JSON), "", "nor does a missing route"),
        (Answer(302, location="https://x"), "", "nor a redirect"),
    ],
)
def test_only_a_server_error_means_not_ready(answer: Answer, trouble: str, why: str) -> None:
    assert readiness_trouble(answer) == trouble, why


@pytest.mark.parametrize(
    ("answer", "version", "why"),
    [
        (Answer(200, JSON, body=b'{"litellm_version":"1.110.2"}'), "1.110.2", "disclosed"),
        (Answer(200, JSON, body=b'{"status":"healthy"}'), "", "not disclosed"),
        (Answer(503, JSON, body=b'{"litellm_version":"1.110.2"}'), "", "a failing answer is no source"),
        (Answer(200, JSON, body=b'{"litellm_version":7}'), "", "not a text"),
        (Answer(200, JSON, body=b'{"litellm_version":"1 <b>"}'), "", "not a version"),
        (Answer(200, JSON, body=b'["1.110.2"]'), "", "not an object"),
        (Answer(200, JSON, body=b"{"), "", "not JSON"),
    ],
)
def test_the_version_is_what_the_proxy_discloses_and_nothing_else(answer: Answer, version: str, why: str) -> None:
    assert disclosed_version(answer) == version, why


@pytest.mark.parametrize(
    ("answer", "state", "words"),
    [
        (Answer(200, JSON, body=b'{"has_license":false}'), KeyState.ACCEPTED, ""),
        (Answer(200, "text/html", body=b"<html>"), KeyState.UNKNOWN, "something other than a JSON object"),
        (refusal("Authentication Error, Invalid API key provided."), KeyState.REJECTED, "does not know the key (401)"),
        (refusal("Authentication Error, Only proxy admin can be used to …"), KeyState.REJECTED, "no admin's"),
        (refusal("LiteLLM Virtual Key expected. Received=****, expected to start with 'sk-'."), KeyState.REJECTED, "with sk-"),
        (refusal("Authentication Error - Expired Key. Key Expiry time …", 400), KeyState.REJECTED, "expired"),
        (refusal("Authentication Error, Can't reach database server …"), KeyState.UNKNOWN, "database is unreachable"),
        (Answer(401, "text/html", body=b"<html>"), KeyState.REJECTED, "(401)"),
        (Answer(403), KeyState.REJECTED, "(403)"),
        (Answer(400), KeyState.UNKNOWN, "answered 400"),
        (Answer(404), KeyState.UNKNOWN, "answered 404"),
        (Answer(500), KeyState.UNKNOWN, "answered 500"),
    ],
)
def test_a_key_is_rejected_only_when_the_proxy_says_so(answer: Answer, state: KeyState, words: str) -> None:
    verdict = key_verdict(answer)
    assert verdict.state is state
    assert words in verdict.detail


def test_what_a_proxy_repeats_of_a_key_is_not_passed_on() -> None:
    echoed = refusal("Authentication Error, Invalid proxy server token passed. Received API Key = sk-...cdef, Key Hash =9f86d0")
    assert "cdef" not in key_verdict(echoed).detail
    assert "9f86d0" not in key_verdict(echoed).detail
