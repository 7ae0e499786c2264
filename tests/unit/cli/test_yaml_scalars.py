"""Unquoted texts mean to lint what they mean to kubectl."""

from __future__ import annotations

import math

import pytest

from app.cli.yaml_scalars import Scalar, plain

# As a kubectl of Kubernetes 1.36 reads them.
READ: list[tuple[str, Scalar, str]] = [
    ("yes", True, "YAML 1.1"),
    ("y", True, "also alone, unlike in PyYAML"),
    ("Off", False, "YAML 1.1"),
    ("yEs", "yEs", "but not in every spelling"),
    ("~", None, "a null"),
    ("", None, "and so is nothing"),
    ("=", "=", "no value key"),
    ("12", 12, "a number"),
    ("1_000", 1000, "with its digits in groups"),
    ("0777", 511, "octal, as modes of files are written"),
    ("0o17", 15, "octal, as YAML 1.2 writes it"),
    ("08", 8, "no octal number, so a decimal one"),
    ("0x1F", 31, "hexadecimal"),
    ("-0b11", -3, "binary"),
    ("1e3", 1000, "a float that is whole is stored as an integer"),
    ("1.50", 1.5, "a float"),
    (".5", 0.5, "a float"),
    ("1:30", "1:30", "no number of base 60"),
    ("2030-01-01", "2030-01-01", "a date has no type in JSON"),
    ("1.2.3", "1.2.3", "a version"),
    ("-", "-", "no number"),
    ("9223372036854775807", 2**63 - 1, "what 64 bits hold is exact"),
    ("9223372036854775808", float(2**63), "what they don't is a float"),
    ("99999999999999999999999999", 1e26, "however long"),
    ("9" * 400, "9" * 400, "until no float holds it"),
    ("1e400", "1e400", "which is a text then"),
]


@pytest.mark.parametrize(("text", "value", "why"), READ)
def test_an_unquoted_text_is_what_kubectl_takes_it_for(text: str, value: Scalar, why: str) -> None:
    assert (plain(text), type(plain(text))) == (value, type(value)), why


def test_what_json_does_not_have_is_for_the_caller_to_refuse() -> None:
    assert plain("-.Inf") == -math.inf
    assert math.isnan(float(plain(".nan") or 0))
