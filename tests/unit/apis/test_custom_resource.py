"""The CustomResourceDefinition made of a declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import pytest

from app.apis.litellm.guardrail import LITELLM_GUARDRAIL
from app.apis.litellm.instance import LITELLM_INSTANCE
from app.registry import KINDS

if TYPE_CHECKING:
    from app.apis.custom_resource import CustomResource

APPLY_LIMIT = 262_144
"""What ``kubectl apply`` may put into an object's annotations, its copy of the object included."""

every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.resource.kind)


@every_kind
def test_the_definition_fits_plain_kubectl_apply(kind: CustomResource) -> None:
    size = len(orjson.dumps(kind.crd()))
    assert size < APPLY_LIMIT, f"{kind.name} is {size} bytes of compact JSON"


@every_kind
def test_a_new_generation_of_status_is_reported(kind: CustomResource) -> None:
    status = kind.schema()["properties"]["status"]["properties"]
    assert status["observedGeneration"]["format"] == "int64"
    assert status["conditions"]["items"]["properties"]["observedGeneration"]["format"] == "int64"


@every_kind
def test_conditions_are_a_plain_list_as_in_the_api(kind: CustomResource) -> None:
    conditions = kind.schema()["properties"]["status"]["properties"]["conditions"]
    assert "x-kubernetes-list-type" not in conditions


def test_the_instance_is_named_and_listed_as_in_the_api() -> None:
    crd = LITELLM_INSTANCE.crd()
    assert crd["metadata"]["name"] == "litellminstances.litellm.palena.ai"
    assert crd["spec"]["names"] == {
        "kind": "LiteLLMInstance",
        "listKind": "LiteLLMInstanceList",
        "plural": "litellminstances",
        "singular": "litellminstance",
        "shortNames": ["li"],
        "categories": ["litellm", "palena"],
    }
    (version,) = crd["spec"]["versions"]
    assert (version["name"], version["served"], version["storage"]) == ("v1alpha1", True, True)
    assert version["subresources"] == {"status": {}}
    assert version["additionalPrinterColumns"] == [
        {"name": "Ready", "type": "string", "jsonPath": ".status.conditions[?(@.type=='Ready')].status"},
        {"name": "Endpoint", "type": "string", "jsonPath": ".status.endpoint"},
        {"name": "Version", "type": "string", "jsonPath": ".status.version"},
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
    ]


def test_an_object_without_spec_passes_the_schema_because_status_tells_it() -> None:
    assert "required" not in LITELLM_INSTANCE.schema()


def test_the_guardrail_is_named_and_listed_as_in_the_api() -> None:
    crd = LITELLM_GUARDRAIL.crd()
    assert crd["metadata"]["name"] == "litellmguardrails.litellm.palena.ai"
    assert crd["spec"]["names"]["shortNames"] == ["lg"]
    (version,) = crd["spec"]["versions"]
    assert version["subresources"] == {"status": {}}
    assert version["additionalPrinterColumns"] == [
        {"name": "Guardrail", "type": "string", "jsonPath": ".spec.guardrailName"},
        {"name": "Provider", "type": "string", "jsonPath": ".spec.provider"},
        {"name": "Mode", "type": "string", "jsonPath": ".spec.mode"},
        {"name": "Instance", "type": "string", "jsonPath": ".spec.instanceRef.name"},
        {"name": "Configured", "type": "boolean", "jsonPath": ".status.configured"},
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
    ]
