"""The schemas of built-in kinds against which patched children are held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.apis.built_in import schema_problem
from app.controllers.litellm_instance import CHILDREN
from tests.unit.resources.fullest import ANOTHER, FULLEST
from tests.unit.resources.gateways import everything, gateway

if TYPE_CHECKING:
    from app.hooks.objects import Object


@pytest.mark.parametrize("rule", CHILDREN, ids=lambda rule: rule.resource.kind)
def test_every_kind_that_an_instance_owns_has_a_schema(rule: Any) -> None:
    item = {"apiVersion": rule.resource.api_version, "kind": rule.resource.kind, "no": "field"}
    assert schema_problem(item), "a kind without a schema passes unseen"


@pytest.mark.parametrize("spec", [{}, FULLEST, ANOTHER], ids=["minimal", "fullest", "another"])
def test_whatever_is_rendered_passes(spec: Object) -> None:
    """Else a patch would be blamed for what it did not do."""
    assert [problem for child in everything(gateway(spec)) if (problem := schema_problem(child))] == []


@pytest.mark.parametrize(
    "port",
    [
        {"port": 80},
        {"port": 80, "targetPort": "http"},
        {"port": 80, "targetPort": 4000},
        {"port": 80, "appProtocol": None},
    ],
    ids=str,
)
def test_every_legal_spelling_passes(port: Object) -> None:
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "gw"}, "spec": {"ports": [port]}}
    assert schema_problem(service) == ""


@pytest.mark.parametrize("amount", ["1", "0.5", ".5", "1.", "500m", "1e3", "1E-3", "+2Gi", "-1", 1, 0.5, "12Ki", "3E"])
def test_every_spelling_of_a_quantity_passes(amount: Any) -> None:
    claim = {"kind": "PersistentVolumeClaim", "spec": {"resources": {"requests": {"storage": amount}}}}
    assert schema_problem(claim) == ""


@pytest.mark.parametrize("amount", ["", "lots", "1 Gi", "1gi", "1e", "--1", True, [], {}], ids=repr)
def test_what_is_no_quantity_is_told_without_repeating_it(amount: Any) -> None:
    claim = {"kind": "PersistentVolumeClaim", "spec": {"resources": {"requests": {"storage": amount}}}}
    assert schema_problem(claim) == "spec.resources.requests.storage must be a quantity"


def test_a_kind_of_another_api_is_left_to_its_server() -> None:
    assert schema_problem({"kind": "Route", "spec": 5}) == ""
