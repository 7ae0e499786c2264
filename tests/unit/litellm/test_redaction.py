"""What a proxy quotes of a secret is in no message, however it is written and wherever it is cut."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from app.litellm.admin.calls import Call
from app.litellm.admin.refusals import LONGEST_TEXT, failure
from app.litellm.answers import Answer

PASSWORD = 'pässwörd"with\\quote-0123'
PRIVATE_KEY = (
    "-----BEGIN PRIVATE KEY-----\n" + "".join(f"{number * 7919:x}" for number in range(600)) + "\n-----END PRIVATE KEY-----"
)
CREDENTIALS = json.dumps({"type": "service_account", "private_key": PRIVATE_KEY})


def told(body: str, secret: str) -> str:
    return str(failure(Call("POST", "/model/new", secrets=(secret,)), Answer(500, body=body.encode())))


def in_json(text: str) -> str:
    """As a proxy answers: a message in JSON."""
    return json.dumps({"error": {"message": text}})


@pytest.mark.parametrize(
    "quoted",
    [
        pytest.param(PASSWORD, id="as it is"),
        pytest.param(json.dumps(PASSWORD), id="JSON, ASCII only, as Python writes it"),
        pytest.param(json.dumps(json.dumps(PASSWORD)), id="JSON in JSON"),
        pytest.param(repr({"key": PASSWORD}), id="a Python dictionary"),
        pytest.param(json.dumps(repr(PASSWORD)), id="a Python text in JSON"),
        pytest.param(repr(PASSWORD.encode()), id="bytes"),
        pytest.param(f"postgres://app:{quote(PASSWORD, safe='')}@db", id="a URL"),
    ],
)
def test_no_way_of_writing_a_secret_lets_it_through(quoted: str) -> None:
    for body in (f"refused: {quoted}", in_json(f"refused: {quoted}")):
        message = told(body, PASSWORD)
        assert "refused" in message
        assert "with" not in message
        assert "0123" not in message


@pytest.mark.parametrize(
    "quoted",
    [
        pytest.param(PRIVATE_KEY, id="one value of a document"),
        pytest.param(repr(json.loads(CREDENTIALS)), id="the document as Python shows it once it was read"),
        pytest.param(CREDENTIALS[:90] + "...", id="its beginning, as validation errors quote it"),
        pytest.param(CREDENTIALS * 20, id="more than is looked at"),
    ],
)
def test_no_part_of_a_long_secret_goes_through(quoted: str) -> None:
    for body in (f"refused: {quoted}", in_json(f"refused: {quoted}")):
        message = told(body, CREDENTIALS)
        assert "refused" in message
        assert PRIVATE_KEY[40:52] not in message
        assert not any(PRIVATE_KEY[at : at + 12] in message for at in range(len(PRIVATE_KEY) - 12))


def test_a_long_text_without_a_secret_is_cut_and_nothing_else() -> None:
    message = told("word " * 1_000, PASSWORD)
    assert message.startswith("answered 500 to POST /model/new: word word")
    assert message.count("…") == 1
    assert len(message) < LONGEST_TEXT + 50
