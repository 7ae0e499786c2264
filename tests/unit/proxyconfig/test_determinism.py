"""One meaning, one text: whatever order the maps of a manifest have, and however its numbers are spelled."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from app.proxyconfig import config, config_text
from tests.unit.proxyconfig.samples import SAMPLES, guardrail, instance

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def shuffled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in reversed(value)}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", SAMPLES)
def test_the_order_of_keys_means_nothing(name: str) -> None:
    assert config_text(config(instance(**shuffled(SAMPLES[name])))) == config_text(config(instance(**SAMPLES[name])))


def test_ten_and_ten_point_nought_are_one_budget() -> None:
    assert config_text(config(instance(defaultCustomerBudget={"maxBudget": 10}))) == config_text(
        config(instance(defaultCustomerBudget={"maxBudget": 10.0}))
    )


@given(raw=st.dictionaries(st.text(), JSON, max_size=4))
def test_raw_settings_arrive_as_they_are_and_twice_the_same(raw: dict[str, Any]) -> None:
    spec = instance(litellmSettings={"extra": raw})
    text = config_text(config(spec))
    assert text == config_text(config(instance(litellmSettings={"extra": orjson.loads(orjson.dumps(raw))})))
    assert yaml.safe_load(text).get("litellm_settings", {}) == raw


@given(params=st.dictionaries(st.text(), JSON, max_size=4))
def test_parameters_of_a_guardrail_never_replace_its_fields(params: dict[str, Any]) -> None:
    (entry,) = config(instance(), [guardrail(params=params)])["guardrails"]
    assert entry["litellm_params"] == {**params, "guardrail": "presidio", "mode": "pre_call"}


def test_another_spec_of_the_same_content_is_rendered_the_same() -> None:
    checked = instance(**SAMPLES["access"])
    copy = checked.model_copy()
    assert config(checked) == config(copy)
    assert config(checked, [guardrail()]) != config(checked)
