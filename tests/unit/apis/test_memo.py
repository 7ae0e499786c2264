"""What is remembered by content: the same content is decided once, and memory is bounded by number and by size."""

from __future__ import annotations

from app.apis.memo import by_content


class Decider:
    """Counts what it decides."""

    def __init__(self) -> None:
        self.decided = 0

    def __call__(self, content: bytes) -> int:
        self.decided += 1
        return len(content)


def test_the_same_content_is_decided_once_and_another_one_anew() -> None:
    decider = Decider()
    remembered = by_content(decider)
    assert [remembered(content) for content in (b"a", b"bb", b"a", b"bb")] == [1, 2, 1, 2]
    assert decider.decided == 2


def test_large_contents_are_decided_each_time() -> None:
    decider = Decider()
    remembered = by_content(decider)
    for _ in range(2):
        remembered(b"x" * 100_000)
    assert decider.decided == 2


def test_of_many_contents_the_one_not_asked_for_the_longest_is_forgotten() -> None:
    decider = Decider()
    remembered = by_content(decider)
    for number in range(1024):
        remembered(b"%d" % number)
    remembered(b"0")
    remembered(b"one more")
    remembered(b"0")
    assert decider.decided == 1025
    remembered(b"1")
    assert decider.decided == 1026


def test_of_contents_that_are_large_together_few_are_remembered() -> None:
    decider = Decider()
    remembered = by_content(decider)
    contents = [b"%d" % number + b"x" * 50_000 for number in range(30)]
    for content in contents:
        remembered(content)
    remembered(contents[-1])
    assert decider.decided == 30
    remembered(contents[0])
    assert decider.decided == 31
