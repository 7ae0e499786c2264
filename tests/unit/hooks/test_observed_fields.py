"""Fields of observed objects, in which anything may stand."""

from __future__ import annotations

from typing import Any

import pytest

from app.hooks.observed_fields import number_in, object_in, objects_in, text_in


@pytest.mark.parametrize("fields", [None, "text", [], {}, {"other": {}}, {"key": None}], ids=repr)
def test_what_is_not_there_is_empty(fields: Any) -> None:
    assert object_in(fields, "key") == {}
    assert objects_in(fields, "key") == []
    assert text_in(fields, "key") == ""
    assert number_in(fields, "key") == 0


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"a": 1}, ({"a": 1}, [], "", 0)),
        ([{"a": 1}, "b", None], ({}, [{"a": 1}], "", 0)),
        ("text", ({}, [], "text", 0)),
        (7, ({}, [], "", 7)),
        (True, ({}, [], "", 0)),
        (1.5, ({}, [], "", 0)),
    ],
    ids=repr,
)
def test_a_value_of_another_form_counts_as_none(value: Any, found: tuple[Any, ...]) -> None:
    fields = {"key": value}
    assert (object_in(fields, "key"), objects_in(fields, "key"), text_in(fields, "key"), number_in(fields, "key")) == found
