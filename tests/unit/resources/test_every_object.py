"""What holds for every object, whatever the spec: legal, in its stored form, stable, and told apart from the proxy's pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import kubernetes_validate
import orjson
import pytest

from app.hooks.guard import child_breaches
from tests.unit.resources.fullest import ANOTHER, FULLEST
from tests.unit.resources.gateways import PLACE, everything, gateway

if TYPE_CHECKING:
    from app.hooks.objects import Object

SPECS = {"minimal": {}, "fullest": FULLEST, "another": ANOTHER}
FACTS = {"license_secret": "gw-license"}
NAMES = {
    "usual": "gw",
    "as long as a Service may be called": "g" * 63,
    "as long as a name may be": "g" * 253,
    "with dots, as no Service may be called": "gw.prod.example",
    "beginning with a digit, as no Service may be called": "7-of-nine",
}


@pytest.fixture(params=SPECS)
def spec(request: pytest.FixtureRequest) -> Object:
    return SPECS[request.param]


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_the_guard_lets_every_object_pass(spec: Object, name: str) -> None:
    breaches = [str(breach) for child in everything(gateway(spec, name, **FACTS)) for breach in child_breaches(child, PLACE)]
    assert breaches == []


def test_kubernetes_knows_every_field(spec: Object) -> None:
    for child in everything(gateway(spec, **FACTS)):
        kubernetes_validate.validate(child, "1.36", strict=True)


def test_the_second_build_gives_the_same_bytes(spec: Object) -> None:
    first, second = (orjson.dumps(list(everything(gateway(spec, **FACTS)))) for _ in range(2))
    assert first == second


def test_objects_of_one_kind_have_names_of_their_own(spec: Object) -> None:
    for name in NAMES.values():
        keys = [(child["kind"], child["metadata"]["name"]) for child in everything(gateway(spec, name))]
        assert len(keys) == len(set(keys))


def test_every_object_carries_the_three_labels(spec: Object) -> None:
    labels = {
        "app.kubernetes.io/name": "litellm",
        "app.kubernetes.io/managed-by": "litellm-operator",
        "litellm.palena.ai/instance": "gw",
    }
    for child in everything(gateway(spec)):
        assert labels.items() <= child["metadata"]["labels"].items(), child["kind"]


def test_only_the_proxys_own_pods_match_its_selector() -> None:
    children = list(everything(gateway(FULLEST)))
    selector = next(child for child in children if child["kind"] == "Service")["spec"]["selector"]
    selected = {
        child["kind"]
        for child in children
        if "template" in child.get("spec", {}) and selector.items() <= child["spec"]["template"]["metadata"]["labels"].items()
    }
    assert selected == {"Deployment"}, "a Job's or a database's pod behind the Service would be sent requests"


def test_what_is_switched_off_is_not_built() -> None:
    kinds = {child["kind"] for child in everything(gateway())}
    assert kinds == {"ServiceAccount", "ConfigMap", "Service", "Deployment", "ControllerRevision", "Secret"}


def test_no_secret_value_is_anywhere_but_in_secrets() -> None:
    for child in everything(gateway(FULLEST)):
        if child["kind"] != "Secret":
            assert b"p@ss" not in orjson.dumps(child)
            assert b"sk-" not in orjson.dumps(child)
