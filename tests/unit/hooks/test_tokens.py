"""The token file: what is accepted, and for how long after it left."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from app.hooks.auth import GRACE_SECONDS, TokenFile
from tests.unit.hooks.toys import post, toy

if TYPE_CHECKING:
    from pathlib import Path


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def mount(folder: Path, revision: str, content: str) -> Path:
    """Write a Secret as the kubelet does: a new folder, and one symlink swapped to it."""
    (folder / revision).mkdir()
    (folder / revision / "tokens").write_text(content)
    (folder / "..data_tmp").symlink_to(revision)
    (folder / "..data_tmp").rename(folder / "..data")
    if not (folder / "tokens").is_symlink():
        (folder / "tokens").symlink_to("..data/tokens")
    return folder / "tokens"


@pytest.mark.parametrize(
    ("header", "accepted", "why"),
    [
        (b"Bearer one", True, "a token of the file"),
        (b"Bearer two", True, "any line counts"),
        (b"bearer one", True, "the scheme's case is free"),
        (b"Bearer  one ", True, "blanks around the token are trimmed"),
        (b"Bearer on", False, "a part of a token is none"),
        (b"Bearer ", False, "blank lines of the file are no tokens"),
        (b"Basic one", False, "another scheme"),
        (b"one", False, "no scheme"),
        (b"", False, "no header"),
        ("Bearer é".encode(), False, "not ASCII"),
    ],
)
def test_a_header_is_held_against_the_lines_of_the_file(tmp_path: Path, header: bytes, accepted: bool, why: str) -> None:
    assert TokenFile(mount(tmp_path, "a", "one\n\n two \n")).accept(header) is accepted, why


def test_a_rotated_token_is_accepted_at_once_and_the_old_one_for_a_grace_period(tmp_path: Path, clock: Clock) -> None:
    tokens = TokenFile(mount(tmp_path, "a", "old"), clock)
    assert tokens.accept(b"Bearer old")
    mount(tmp_path, "b", "new")
    assert tokens.accept(b"Bearer new")
    clock.now = GRACE_SECONDS - 1
    assert tokens.accept(b"Bearer old")
    clock.now = GRACE_SECONDS
    assert not tokens.accept(b"Bearer old")
    assert tokens.accept(b"Bearer new")


def test_a_token_that_comes_back_stays(tmp_path: Path, clock: Clock) -> None:
    tokens = TokenFile(mount(tmp_path, "a", "one"), clock)
    for revision, content in (("b", "two"), ("c", "one\ntwo")):
        assert tokens.accept(b"Bearer one")
        mount(tmp_path, revision, content)
    assert tokens.accept(b"Bearer one")
    clock.now = 2 * GRACE_SECONDS
    assert tokens.accept(b"Bearer one")


@pytest.mark.parametrize("content", ["", "\n \n", None])
def test_an_emptied_or_missing_file_ends_no_grace_and_begins_it_for_what_it_held(
    tmp_path: Path, clock: Clock, content: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    tokens = TokenFile(mount(tmp_path, "a", "old"), clock)
    assert tokens.accept(b"Bearer old")
    mount(tmp_path, "b", "new")
    assert tokens.accept(b"Bearer new")
    clock.now = 60
    if content is None:
        (tmp_path / "..data").unlink()
    else:
        mount(tmp_path, "c", content)
    assert tokens.accept(b"Bearer old")
    assert tokens.accept(b"Bearer new")
    assert not tokens.accept(b"Bearer other")
    assert tokens.problem() == "", "hooks are still served"
    assert "only tokens of before are accepted, and not for long" in caplog.text
    clock.now = GRACE_SECONDS
    assert not tokens.accept(b"Bearer old"), "its ten minutes began when it left"
    clock.now = GRACE_SECONDS + 59
    assert tokens.accept(b"Bearer new")
    clock.now = GRACE_SECONDS + 60
    assert not tokens.accept(b"Bearer new")
    assert tokens.problem(), "now every hook is refused"


def test_a_file_that_is_empty_while_it_is_written_changes_nothing(tmp_path: Path, clock: Clock) -> None:
    path = mount(tmp_path, "a", "old")
    tokens = TokenFile(path, clock)
    assert tokens.accept(b"Bearer old")
    for content in ("new", "", "new"):
        path.write_text(content)
        assert tokens.accept(b"Bearer old")
    clock.now = GRACE_SECONDS
    assert tokens.accept(b"Bearer new")
    assert not tokens.accept(b"Bearer old")


def test_a_missing_file_refuses_everything_and_says_so_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tokens = TokenFile(tmp_path / "tokens")
    assert not any(tokens.accept(b"Bearer one") for _ in range(3))
    assert [record.getMessage() for record in caplog.records] == [
        f"every hook is refused: the token file {tmp_path / 'tokens'} cannot be read (No such file or directory)"
    ]
    mount(tmp_path, "a", "one")
    assert tokens.accept(b"Bearer one"), "it is read once it appears"


def test_no_token_is_ever_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    tokens = TokenFile(mount(tmp_path, "a", "canary1"))
    tokens.accept(b"Bearer canary2")
    mount(tmp_path, "b", "canary3")
    tokens.accept(b"Bearer canary1")
    assert "canary" not in caplog.text


async def test_a_hook_without_its_token_is_a_401_that_read_nothing(tmp_path: Path) -> None:
    tokens = TokenFile(mount(tmp_path, "a", "one"))
    refused = await post(toy(), b"not even JSON", tokens=tokens)
    accepted = await post(toy(), headers={"authorization": "Bearer one"}, tokens=tokens)
    assert (refused.status_code, refused.headers["www-authenticate"], refused.headers["connection"]) == (401, "Bearer", "close")
    assert accepted.status_code == 200


async def test_without_its_token_nobody_learns_which_hooks_there_are(tmp_path: Path) -> None:
    tokens = TokenFile(mount(tmp_path, "a", "one"))
    assert (await post(toy(), hook="nothing", tokens=tokens)).status_code == 401
