"""Rules in the Common Expression Language, as the API server would evaluate them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from app.sim import cel
from app.sim.cel import CelError, CelUnavailable, Engine

if TYPE_CHECKING:
    from app.hooks.objects import Object

SCHEMA: Object = {
    "type": "object",
    "properties": {
        "namespace": {"type": "string"},
        "text": {"type": "string"},
        "a-b": {"type": "string"},
        "ratio": {"type": "number"},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}


@pytest.mark.parametrize(
    ("rule", "value", "why"),
    [
        ("self.__namespace__ == 'x'", {"namespace": "x"}, "a reserved word is escaped"),
        ("self.a__dash__b == 'x'", {"a-b": "x"}, "so is what is no identifier"),
        ("self.labels['a-b'] == 'x'", {"labels": {"a-b": "x"}}, "the keys of a map are not"),
        ("self.ratio / 2.0 == 1.5", {"ratio": 3}, "a whole number in a number field is a double"),
        ("!has(self.text)", {"text": None}, "a null is an absent field"),
        ("self.text.size() == 3", {"text": "äöü"}, "characters count, not bytes"),
        ("self.?text.orValue('none') == 'none'", {}, "there are optional fields"),
        ("self.text.lowerAscii() == 'abc'", {"text": "ABC"}, "and the string extension"),
        ("self.text.matches('^a+$')", {"text": "aaa"}, "and RE2"),
    ],
)
def test_a_rule_that_holds(rule: str, value: Any, why: str) -> None:
    assert Engine().compile(rule).evaluate(value, None, SCHEMA) is True, why


def test_a_transition_rule_sees_both_values() -> None:
    program = Engine().compile("self >= oldSelf")
    assert (program.evaluate(2, 1), program.evaluate(1, 2)) == (True, False)


@pytest.mark.parametrize(
    ("rule", "value"), [("self.missing == 1", {}), ("self > 3", "four"), ("int(self) > 3", "many"), ("self[3] == 1", [])]
)
def test_what_cannot_be_evaluated_is_an_error_and_no_verdict(rule: str, value: Any) -> None:
    with pytest.raises(CelError):
        Engine().compile(rule).evaluate(value)


def test_a_rule_that_is_no_cel_says_so() -> None:
    with pytest.raises(CelUnavailable, match=r"the CEL engine does not take it"):
        Engine().compile("self ==")


class TestWithoutTheEngine:
    @pytest.fixture(autouse=True)
    def not_installed(self, monkeypatch: pytest.MonkeyPatch) -> Any:
        monkeypatch.setitem(sys.modules, "cel_expr_python.cel", None)
        cel._environment.cache_clear()
        yield
        cel._environment.cache_clear()

    def test_the_twin_decides_and_the_engine_says_so(self) -> None:
        engine = Engine({"self > 3": lambda now, _: now > 3})
        assert engine.uses_twins
        assert engine.compile("self > 3").evaluate(4) is True

    def test_a_twin_that_fails_is_an_error_too(self) -> None:
        with pytest.raises(CelError):
            Engine({"self > 3": lambda now, _: now > 3}).compile("self > 3").evaluate("four")

    def test_a_rule_without_a_twin_names_what_to_install(self) -> None:
        with pytest.raises(CelUnavailable, match=r"pip install 'palena\[cel\]'"):
            Engine().compile("self > 3")
