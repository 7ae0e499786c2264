"""Answers that are given again: only to the same bytes, and only while whoever made them says that they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from app.hooks import SyncRequest, SyncResponse
from app.hooks.settled import Key, Settled, SettledAnswers
from tests.unit.hooks.toys import body, client, config_map, parent, toy

if TYPE_CHECKING:
    import httpx2
    import pytest

BODY = orjson.dumps(body())


class Decider:
    """A sync that counts what it decides and tells in its status which time it was."""

    def __init__(self, *, settles: bool = True) -> None:
        self.decided = 0
        self.true = True
        self.settles = settles

    def __call__(self, request: SyncRequest, context: Any) -> SyncResponse:
        self.decided += 1
        holds = self._holds if self.settles else None
        return SyncResponse(status={"decided": self.decided}, children=[config_map()], retained=[], holds=holds)

    async def _holds(self) -> bool:
        return self.true


async def answers(decider: Decider, *bodies: bytes, hook: str = "sync") -> list[httpx2.Response]:
    async with client(toy(sync=decider, finalize=decider)) as hooks:
        return [await hooks.post(f"/hooks/toys/{hook}", content=one) for one in bodies]


async def test_the_same_bytes_are_answered_with_the_same_bytes_once_they_came_a_second_time() -> None:
    decider = Decider()
    first, second, third = await answers(decider, BODY, BODY, BODY)
    assert decider.decided == 2
    assert first.content != second.content == third.content


async def test_one_other_byte_is_decided_anew() -> None:
    decider = Decider()
    edited = orjson.dumps(body(parent=parent(spec={"a": 1})))
    again = orjson.dumps(body(parent=parent(spec={"a": 2})))
    assert len(edited) == len(again)
    found = await answers(decider, edited, edited, again, again)
    assert [one.json()["status"]["decided"] for one in found] == [1, 2, 3, 4]


async def test_what_does_not_hold_any_more_is_decided_anew_and_then_holds() -> None:
    decider = Decider()
    async with client(toy(sync=decider)) as hooks:
        for _ in range(2):
            await hooks.post("/hooks/toys/sync", content=BODY)
        decider.true = False
        changed = await hooks.post("/hooks/toys/sync", content=BODY)
        decider.true = True
        again = await hooks.post("/hooks/toys/sync", content=BODY)
    assert changed.json()["status"] == {"decided": 3}
    assert again.content == changed.content


async def test_an_answer_of_which_nobody_can_tell_is_never_given_again() -> None:
    decider = Decider(settles=False)
    await answers(decider, *[BODY] * 4)
    assert decider.decided == 4


async def test_a_request_whose_answer_is_never_given_again_is_never_digested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("app.hooks.settled.sha256")
    found = await answers(Decider(settles=False), *[BODY] * 3)
    assert [one.status_code for one in found] == [200] * 3


async def test_sync_and_finalize_do_not_share_an_answer() -> None:
    decider = Decider()
    async with client(toy(sync=decider, finalize=decider)) as hooks:
        found = [await hooks.post(f"/hooks/toys/{hook}", content=BODY) for hook in ("sync", "finalize") * 3]
    assert [one.json()["status"]["decided"] for one in found] == [1, 2, 3, 2, 3, 2]


async def test_an_answer_that_the_guard_refuses_is_not_remembered() -> None:
    decider = Decider()
    no_rule = orjson.dumps(body() | {"children": {}})
    found = await answers(decider, *[no_rule] * 3)
    assert [one.status_code for one in found] == [500] * 3
    assert decider.decided == 3


async def _yes() -> bool:
    return True


def settled(answer: bytes) -> Settled:
    return Settled(answer, _yes, {})


def key(answers: SettledAnswers, body: bytes, path: str = "/") -> Key:
    """The key of a request that comes for the second time."""
    answers.note(body)
    found = answers.key(path, body)
    assert found is not None
    return found


def test_the_memory_is_bounded_and_forgets_what_was_asked_for_the_longest_ago() -> None:
    answers = SettledAnswers(limit=20)
    first, second, third = (key(answers, body) for body in (b"a", b"b", b"c"))
    answers.keep(first, settled(b"a" * 10))
    answers.keep(second, settled(b"b" * 10))
    assert answers.find(first) is not None
    answers.keep(third, settled(b"c" * 10))
    assert [answers.find(one) is not None for one in (first, second, third)] == [True, False, True]


def test_an_answer_larger_than_the_memory_is_not_kept() -> None:
    answers = SettledAnswers(limit=20)
    large = key(answers, b"a")
    answers.keep(large, settled(b"a" * 21))
    assert answers.find(large) is None


def test_a_newer_answer_to_the_same_request_takes_the_place_of_the_older() -> None:
    answers = SettledAnswers(limit=20)
    first, second = (key(answers, body) for body in (b"a", b"b"))
    for number in range(5):
        answers.keep(first, settled(b"%d" % number * 10))
    answers.keep(second, settled(b"b" * 10))
    found = answers.find(first)
    assert found is not None
    assert found.answer == b"4" * 10


def test_a_request_has_a_key_once_it_was_noted_and_always_the_same() -> None:
    answers = SettledAnswers()
    answers.note(b"bb")
    assert answers.key("/", b"aa") is None
    assert key(answers, b"aa") == key(answers, b"aa") != key(answers, b"bb")


def test_the_same_body_under_another_path_is_another_request() -> None:
    answers = SettledAnswers()
    answers.keep(key(answers, b"aa"), settled(b"answer"))
    assert answers.find(key(answers, b"aa", "/finalize")) is None


def test_of_the_requests_that_were_noted_the_one_that_came_the_longest_ago_is_forgotten_first() -> None:
    answers = SettledAnswers(sights=2)
    answers.note(b"a")
    answers.note(b"b")
    answers.key("/", b"a")
    answers.note(b"c")
    assert answers.key("/", b"a") is not None
    assert answers.key("/", b"b") is None
