"""Which fields of a wanted object a live one lacks or has otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from app.hooks.differing_fields import differing_fields

TABLE = [
    ({"a": 1}, {"a": 1, "b": 2}, [], "what only the live one has is somebody else's"),
    ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, ["a.c"], "told by its path"),
    ({"a": {"b.c": 1}}, {"a": {}}, ["a['b.c']"], "keys with dots are quoted, as everywhere"),
    ({"a": {}, "b": []}, {}, [], "a server drops what is empty"),
    ({"a": []}, {"a": [1]}, ["a"], "an empty list is no list of one"),
    ({"a": {}}, {"a": "text"}, ["a"], "a text is no object"),
    ({"a": {"b": 1}}, {}, ["a"], "a whole section is lacking"),
    ({"a": [1, 2]}, {"a": [2, 1]}, ["a[0]", "a[1]"], "without a key the order counts"),
    ({"a": [1]}, {"a": [1, 2]}, ["a"], "and the length"),
    ({"a": [{"x": 1}]}, {"a": [{"x": 1, "filled": 2}]}, [], "a server fills in items of lists too"),
    ({"a": [{"name": "x", "v": 1}]}, {"a": [{"name": "y"}, {"name": "x", "v": 1}]}, [], "others add items of their own"),
    ({"a": [{"name": "x", "v": 1}]}, {"a": [{"name": "x", "v": 2}]}, ["a[x].v"], "items are called by their key"),
    ({"a": [{"name": "x"}]}, {"a": [{"name": "y"}]}, ["a[x]"], "an item is lacking"),
    ({"a": [{"name": "x"}]}, {"a": ["x"]}, ["a[x]"], "a text is no item"),
]


@pytest.mark.parametrize(("wanted", "live", "expected", "why"), TABLE, ids=[row[-1] for row in TABLE])
def test_fields_that_differ(wanted: Any, live: Any, expected: list[str], why: str) -> None:
    assert list(differing_fields(wanted, live)) == expected, why
