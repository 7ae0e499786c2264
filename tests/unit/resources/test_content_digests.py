"""Digests of what pods read: they change with what is read, and with nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from app.resources.content_digests import content_digest, has_value, optional_digests, remembered
from app.resources.references import Reference


def digest(objects: dict[str, Any], *reads: tuple[str, str]) -> str:
    return content_digest("Secret", [Reference("Secret", name, key, "f") for name, key in reads], objects.get)


A = {"a": {"data": {"k": "djE=", "other": "eA=="}}}


@pytest.mark.parametrize(
    ("changed", "reads", "same", "why"),
    [
        ({"a": {"data": {"k": "djI=", "other": "eA=="}}}, [("a", "k")], False, "a rotation"),
        ({"a": {"data": {"k": "djE=", "other": "eQ=="}}}, [("a", "k")], True, "a key that nobody reads"),
        ({"a": {"data": {"k": "djE=", "other": "eQ=="}}}, [("a", "")], False, "the whole object is read"),
        ({"a": {"data": {"other": "eA=="}}}, [("a", "k")], False, "the key is gone"),
        ({}, [("a", "k")], False, "the object is gone"),
        ({**A, "b": {"data": {"k": "eA=="}}}, [("a", "k")], True, "another object"),
        ({"a": {"data": {"k": "djE=", "other": "eA=="}, "metadata": {"labels": {"x": "y"}}}}, [("a", "")], True, "no content"),
    ],
)
def test_the_digest_follows_what_is_read(changed: Any, reads: list[tuple[str, str]], same: bool, why: str) -> None:
    assert (digest(A, *reads) == digest(changed, *reads)) == same, why


def test_an_absent_object_is_not_an_empty_one() -> None:
    assert digest({}, ("a", "")) != digest({"a": {}}, ("a", ""))


def test_two_contents_never_run_together() -> None:
    one = {"a": {"data": {"k": "eA==", "ky": ""}}}
    other = {"a": {"data": {"k": "", "keA==y": ""}}}
    assert digest(one, ("a", "")) != digest(other, ("a", ""))


def test_nothing_that_is_read_has_no_digest() -> None:
    assert digest(A) == ""


def test_the_order_of_the_pods_words_does_not_matter() -> None:
    objects = {**A, "b": {"data": {"k": "eA=="}}}
    assert digest(objects, ("a", "k"), ("b", "k")) == digest(objects, ("b", "k"), ("a", "k"), ("a", "k"))


def test_binary_data_of_a_config_map_counts() -> None:
    read = [Reference("ConfigMap", "c", "", "f")]
    first = content_digest("ConfigMap", read, {"c": {"binaryData": {"b": "AA=="}}}.get)
    assert first != content_digest("ConfigMap", read, {"c": {"binaryData": {"b": "AQ=="}}}.get)


@pytest.mark.parametrize(
    ("item", "key", "expected"),
    [
        ({"data": {"k": "eA=="}}, "k", True),
        ({"data": {"k": ""}}, "k", False),
        ({"data": {}}, "k", False),
        ({"data": None}, "k", False),
        ({}, "", True),
    ],
)
def test_a_value_is_there_or_not(item: Any, key: str, expected: bool) -> None:
    assert has_value(item, key) == expected


@pytest.mark.parametrize("before", [None, "", "{", "[]", "3", '{"Secret/a/k": null}'])
def test_an_annotation_that_says_nothing_is_no_memory(before: Any) -> None:
    assert remembered({"Secret/a/k": ""}, before) == ""
    assert remembered({"Secret/a/k": "1"}, before) == '{"Secret/a/k":"1"}'


def test_what_is_optional_and_gone_is_remembered_until_nobody_refers_to_it() -> None:
    read = [Reference("Secret", "a", key, "f", optional=True) for key in ("k", "gone")]
    now = optional_digests(read, lambda one: A.get(one.name))
    assert set(now) == {"Secret/a/k", "Secret/a/gone"}
    assert not now["Secret/a/gone"]
    before = '{"Secret/a/gone":"0","Secret/b":"0"}'
    assert remembered(now, before) == f'{{"Secret/a/gone":"0","Secret/a/k":"{now["Secret/a/k"]}"}}'
