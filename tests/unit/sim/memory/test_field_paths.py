"""Paths of fields survive the text in which ``managedFields`` keeps them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.sim.memory.field_path import FieldSet, decoded, encoded, field_step, in_order, key_step, readable, value_step

keys = st.dictionaries(st.sampled_from(["name", "containerPort"]), st.one_of(st.text(), st.integers(0, 9)), min_size=1)
steps = st.one_of(
    st.text(min_size=1).filter(lambda name: name != ".").map(field_step),
    st.dictionaries(st.sampled_from(["name", "containerPort"]), st.one_of(st.text(), st.integers(0, 9)), min_size=1).map(
        key_step
    ),
    st.text().map(value_step),
)


@given(st.frozensets(st.lists(steps, min_size=1, max_size=4).map(tuple), max_size=8))
def test_a_set_of_paths_is_read_back_as_it_was_written(fields: FieldSet) -> None:
    assert decoded(encoded(fields)) == fields


def test_a_path_reads_as_in_a_conflict() -> None:
    path = (field_step("spec"), field_step("ports"), key_step({"protocol": "TCP", "port": 80}), field_step("name"))
    assert readable(path) == '.spec.ports[port=80,protocol="TCP"].name'


def test_what_ends_at_a_level_comes_before_what_leads_further() -> None:
    above, below = ("f:spec", "f:name"), ("f:spec", "f:members", 'k:{"name":"a"}', "f:count")
    assert in_order(frozenset({below, above})) == [above, below]
