"""The API server's regular expressions are Go's RE2: no look-around, no back references, classes are ASCII."""

from __future__ import annotations

import re

import pytest

from app.registry import KINDS
from tests.unit.apis.test_structural_schema import nodes

PATTERNS = sorted({node["pattern"] for kind in KINDS for _, node in nodes(kind.schema(), "") if "pattern" in node})
NOT_RE2 = re.compile(r"\(\?[=!<>P(]|\\[1-9ZGA]|[*+?}]\+")


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_is_one_that_go_understands(pattern: str) -> None:
    assert re.compile(pattern, re.ASCII)
    assert not NOT_RE2.search(pattern)


@pytest.mark.parametrize("pattern", [r"(?=a)", r"(?<!a)b", r"(a)\1", r"a++", r"(?P<n>a)(?P=n)"])
def test_the_check_sees_what_go_refuses(pattern: str) -> None:
    assert NOT_RE2.search(pattern)
