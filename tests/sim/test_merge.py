"""The merge of dynamic apply, value by value, as the real one was measured."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sim.go_json import go_json
from app.sim.metacontroller.dynamic_apply import updated
from app.sim.metacontroller.equality import identical
from app.sim.metacontroller.last_applied import last_applied
from app.sim.metacontroller.merge import merge

ROWS: list[tuple[Any, Any, Any, Any, str]] = [
    ({"a": 1, "b": 2}, {"a": 1}, {}, {"b": 2}, "what was applied and is no longer desired goes, foreign fields stay"),
    ({"a": 1}, {}, {"b": 2}, {"a": 1, "b": 2}, "with no record nothing is removed"),
    ({"m": {"ours": 1, "theirs": 2}}, {"m": {"ours": 1}}, {}, {}, "a map that is dropped whole takes foreign keys with it"),
    ({"m": {"ours": 1, "theirs": 2}}, {"m": {"ours": 1}}, {"m": {}}, {"m": {"theirs": 2}}, "an empty map keeps them"),
    ({}, {}, {"a": None}, {"a": None}, "a null for an absent field is sent, so it differs on every pass"),
    (
        {"m": {"ours": 1, "theirs": 2}},
        {"m": {"ours": 1}},
        {"m": None},
        {"m": {"theirs": 2}},
        "a null for a map removes ours only",
    ),
    ({"l": [1, 2]}, {}, {"l": None}, {"l": None}, "a null for a plain list is sent"),
    ({"l": [1, 2]}, {"l": [1]}, {"l": [1]}, {"l": [1]}, "a plain list is replaced whole"),
    ({"m": {"a": 1}}, {}, {"m": "text"}, {"m": {"a": 1}}, "a map that should become text only loses what was applied"),
    ({"l": [{"name": "a"}]}, {}, {"l": {"a": 1}}, {"l": [{"name": "a"}]}, "a keyed list that should become a map stays"),
    ({"l": ["a"]}, {}, {"l": {"a": 1}}, {"l": None}, "a plain list that should become a map becomes null"),
    (
        {"l": [{"name": "a", "x": 1}, {"name": "theirs"}]},
        {"l": [{"name": "a"}, {"name": "gone"}]},
        {"l": [{"name": "new"}, {"name": "a", "y": 2}]},
        {"l": [{"name": "a", "x": 1, "y": 2}, {"name": "theirs"}, {"name": "new"}]},
        "a keyed list is merged item by item, in the observed order, new items last",
    ),
    (
        {"l": [{"name": "ours"}, {"name": "theirs"}]},
        {"l": [{"name": "ours"}]},
        {"l": []},
        {"l": [{"name": "theirs"}]},
        "an empty list over a keyed one removes ours only",
    ),
    (
        {"l": [{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}]},
        {},
        {"l": [{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}]},
        {"l": [{"port": 53, "protocol": "TCP"}, {"port": 53, "protocol": "TCP"}]},
        "two items of one key become the later one, twice",
    ),
    (
        {"l": [{"name": "a", "mountPath": "/a"}, {"name": "a", "mountPath": "/b"}]},
        {},
        {"l": [{"name": "a", "mountPath": "/b", "readOnly": True}]},
        {"l": [{"name": "a", "mountPath": "/a"}, {"name": "a", "mountPath": "/b", "readOnly": True}]},
        "mountPath is preferred to name",
    ),
    (
        {"l": [{"name": "a"}, {"path": "/b"}]},
        {},
        {"l": [{"name": "a"}]},
        {"l": [{"name": "a"}]},
        "items without a field in common make a plain list",
    ),
    ({"l": [{"port": 80}]}, {}, {"l": [{"port": "80", "x": 1}]}, {"l": [{"port": "80", "x": 1}]}, "80 and '80' are one key"),
]


@pytest.mark.parametrize(("observed", "before", "desired", "expected", "why"), ROWS, ids=[row[-1] for row in ROWS])
def test_what_was_applied_and_is_not_wanted_goes_and_the_rest_stays(
    observed: Any, before: Any, desired: Any, expected: Any, why: str
) -> None:
    assert identical(merge(observed, before, desired), expected), why


scalars = st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.sampled_from(["", "a", "b"]))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["name", "port", "x"]), inner, max_size=3)
    ),
    max_leaves=10,
)
objects = st.dictionaries(st.sampled_from(["a", "b", "c"]), values, max_size=3)


@given(objects, objects, objects)
def test_the_merge_changes_nothing_that_it_is_given(observed: dict, before: dict, desired: dict) -> None:
    kept = [go_json(one) for one in (observed, before, desired)]
    merge(observed, before, desired)
    assert [go_json(one) for one in (observed, before, desired)] == kept


@given(objects, objects)
def test_the_merge_comes_to_rest_at_the_second_pass(observed: dict, desired: dict) -> None:
    once = merge(observed, {}, desired)
    twice = merge(once, desired, desired)
    assert identical(merge(twice, desired, desired), twice), "one pass more than one: a list first becomes null, then text"


@given(objects, objects)
def test_replaying_the_record_at_rest_is_no_difference(data: dict, foreign: dict) -> None:
    applied = {"kind": "ConfigMap", "metadata": {"name": "a"}, "data": data}
    child = {**applied, "metadata": {"name": "a", "uid": "1", "annotations": {}}, "foreign": foreign}
    child = updated(child, applied)
    assert identical(updated(child, last_applied(child)), child)


def test_what_the_api_server_fills_in_is_never_a_difference() -> None:
    applied = {"kind": "ConfigMap", "metadata": {"name": "a"}}
    child = updated({**applied, "metadata": {"name": "a", "uid": "1", "resourceVersion": "7"}, "status": {"x": 1}}, applied)
    claimed = {**applied, "metadata": {"name": "a", "uid": "2", "generation": 5, "creationTimestamp": None}, "status": {"x": 2}}
    merged = updated(child, claimed)
    assert (merged["metadata"]["uid"], merged["metadata"]["resourceVersion"], merged["status"]) == ("1", "7", {"x": 1})
    assert "generation" not in merged["metadata"]


@pytest.mark.parametrize(("left", "right"), [(1, 1.0), (1, True), (0, False), (None, False), ({}, []), ({"a": 1}, {"a": 1.0})])
def test_values_of_different_types_differ(left: Any, right: Any) -> None:
    assert not identical(left, right)
    assert not identical([left], [right])


@pytest.mark.parametrize(
    ("applied", "text", "why"),
    [
        ({"b": 1, "a": "x"}, '{"a":"x","b":1}', "sorted and compact"),
        ({"a": "<b> & é"}, '{"a":"\\u003cb\\u003e \\u0026 é"}', "escaped for HTML, otherwise as it is"),
        ({"a": [1.0, 0.5]}, '{"a":[1,0.5]}', "a whole number has no point"),
        ({"a": 1e26}, '{"a":1e+26}', "unless it is beyond 64 bits"),
    ],
)
def test_the_text_of_a_record_is_what_go_writes(applied: dict, text: str, why: str) -> None:
    assert go_json(applied) == text, why
