"""What is remembered of renderings: equal facts are served from memory, and nothing else ever is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.apis.litellm.guardrail import LiteLLMGuardrailSpec
from app.controllers.render_memo import RenderMemo
from tests.unit.resources.gateways import PLACE, gateway

if TYPE_CHECKING:
    from app.hooks.guard import Place
    from app.resources.gateway import Gateway

GATEWAY = gateway({"replicas": 1})


class Renderer:
    """Counts what it is asked for; its answers say what they were made of."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, given: Gateway, place: Place) -> str:
        self.asked += 1
        return f"{given} in {place.namespace} with {sorted(place.installed)}"


def memo(renderer: Renderer, limit: int = 1000, size: int = 10) -> RenderMemo[str]:
    return RenderMemo(renderer, lambda _: size, limit)


def test_equal_facts_are_rendered_once() -> None:
    renderer = Renderer()
    remembered = memo(renderer)
    first = remembered(gateway({"replicas": 1}), PLACE)
    assert remembered(gateway({"replicas": 1}), replace(PLACE, installed=set(PLACE.installed))) == first
    assert renderer.asked == 1


@pytest.mark.parametrize(
    ("edited", "place"),
    [
        (gateway({"replicas": 2}), PLACE),
        (gateway({"replicas": 1}, license_secret="bought"), PLACE),
        (gateway({"replicas": 1}, observed_replicas=7), PLACE),
        (gateway({"replicas": 1}, openshift=True), PLACE),
        (gateway({"replicas": 1}, guardrail_record="{}"), PLACE),
        (GATEWAY, replace(PLACE, installed=set(list(PLACE.installed)[1:]))),
        (GATEWAY, replace(PLACE, namespace="elsewhere")),
    ],
    ids=["spec", "licence", "replicas", "platform", "guardrails", "rules", "namespace"],
)
def test_other_facts_of_the_same_gateway_are_never_served_what_was_before(edited: Gateway, place: Place) -> None:
    remembered = memo(Renderer())
    assert remembered(GATEWAY, PLACE) == Renderer()(GATEWAY, PLACE)
    assert remembered(edited, place) == Renderer()(edited, place)
    assert remembered(GATEWAY, PLACE) == Renderer()(GATEWAY, PLACE)


@pytest.mark.parametrize(("before", "after"), [(1, True), (True, 1.0), (0, False), ([1], [True])])
def test_what_only_python_takes_for_equal_is_rendered_anew(before: object, after: object) -> None:
    first, edited = (gateway({"generalSettings": {"extra": {"flag": value}}}) for value in (before, after))
    remembered = memo(Renderer())
    assert remembered(first, PLACE) == Renderer()(first, PLACE)
    assert remembered(edited, PLACE) == Renderer()(edited, PLACE)


def test_a_guardrail_counts_as_it_is_written() -> None:
    reference = {"instanceRef": {"name": "gw"}, "guardrailName": "pii", "provider": "presidio", "mode": "pre_call"}
    first, edited = (
        gateway(guardrails=(LiteLLMGuardrailSpec.model_validate({**reference, "params": {"strict": value}}),))
        for value in (1, True)
    )
    remembered = memo(Renderer())
    assert remembered(first, PLACE) != remembered(edited, PLACE)


def test_rules_that_the_request_changes_later_are_not_those_that_were_seen() -> None:
    groups = dict.fromkeys(PLACE.installed)
    remembered = memo(Renderer())
    before = remembered(GATEWAY, replace(PLACE, installed=groups.keys()))
    groups.popitem()
    assert remembered(GATEWAY, replace(PLACE, installed=groups.keys())) != before


def test_the_gateway_that_was_not_asked_for_the_longest_is_forgotten_first() -> None:
    renderer = Renderer()
    remembered = memo(renderer, limit=20)
    for name in ("a", "b", "a", "c", "a"):
        remembered(gateway(name=name), PLACE)
    assert renderer.asked == 3
    remembered(gateway(name="b"), PLACE)
    assert renderer.asked == 4


def test_what_is_larger_than_the_whole_memory_is_rendered_each_time() -> None:
    renderer = Renderer()
    remembered = memo(renderer, limit=20, size=21)
    for _ in range(3):
        remembered(GATEWAY, PLACE)
    assert renderer.asked == 3


def test_an_edit_takes_the_place_of_what_was_there() -> None:
    renderer = Renderer()
    remembered = memo(renderer, limit=20)
    remembered(gateway(name="other"), PLACE)
    for replicas in range(5):
        remembered(gateway({"replicas": replicas}), PLACE)
    asked = renderer.asked
    remembered(gateway(name="other"), PLACE)
    assert renderer.asked == asked
