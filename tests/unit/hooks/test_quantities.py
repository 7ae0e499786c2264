"""Quantities as the API server stores them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.hooks.canonical.quantities import MILLI, QuantityError, canonical_quantity


@pytest.mark.parametrize(
    ("written", "stored", "why"),
    [
        ("1000m", "1", "a thousand thousandths"),
        (1, "1", "YAML reads cpu: 1 as an integer"),
        (0.5, "500m", "YAML reads cpu: 0.5 as a float"),
        ("0.5", "500m", "no fraction is stored"),
        ("1500m", "1500m", "one and a half has no shorter whole form"),
        ("1024Mi", "1Gi", "the largest binary suffix that keeps it whole"),
        ("1536Mi", "1536Mi", "one and a half Gi is not whole"),
        ("0.5Gi", "512Mi", "a binary fraction turns to the suffix below"),
        ("1000M", "1G", "decimal suffixes likewise"),
        ("1000Ki", "1000Ki", "families are not mixed"),
        ("0.5Ki", "512", "below 1024 a binary quantity turns decimal"),
        ("0", "0", "zero has no suffix"),
        ("0Mi", "0", "zero has no suffix"),
        ("1e3", "1e3", "the exponent form stays one"),
        ("1e4", "10e3", "exponents are multiples of three"),
        ("-1000m", "-1", "the sign stays"),
        ("1.0000000001", "1000000001n", "finer than a nano is rounded up"),
        ("100", "100", "trailing zeros are no suffix below a thousand"),
        ("1000000", "1M", "six zeros are one"),
    ],
)
def test_a_quantity_is_written_as_it_is_stored(written: str | float, stored: str, why: str) -> None:
    assert canonical_quantity(written) == stored, why


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("100u", "1m"),
        ("1500u", "2m"),
        ("1000000001n", "1001m"),
        ("1e-4", "1e-3"),
        ("0.0001Ki", "103m"),
        ("0.00001Gi", "10737419m"),
        ("0.5Gi", "512Mi"),
        ("0", "0"),
    ],
)
def test_an_amount_of_a_resource_is_stored_in_whole_thousandths(written: str, stored: str) -> None:
    assert canonical_quantity(written, MILLI) == stored


@pytest.mark.parametrize("text", ["", "one", "1 Gi", "1gi", "--1", "1e", "0x10", "1" * 40])
def test_what_is_no_quantity_is_said_to_be_none(text: str) -> None:
    with pytest.raises(QuantityError):
        canonical_quantity(text)


def test_true_is_no_quantity_although_python_takes_it_for_one() -> None:
    assert canonical_quantity(1) == canonical_quantity(1.0) == "1"
    with pytest.raises(QuantityError):
        canonical_quantity(True)


SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E-2"]


@given(st.decimals(min_value=-1000, max_value=10**6, places=3), st.sampled_from(SUFFIXES))
def test_the_stored_form_is_stored_as_it_is(number: object, suffix: str) -> None:
    stored = canonical_quantity(f"{number}{suffix}")
    assert canonical_quantity(stored) == stored
