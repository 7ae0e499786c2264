"""What can't be decoded is refused as Go's decoder words it. Custom resources: ``tests/cases/validation_messages.yaml``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.sim.cluster import ApiError
from app.sim.memory.decoding import undecodable
from tests.unit.sim.memory.objects import DEFINITIONS, config_map

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.sim.memory import MemoryCluster

# Measured at an API server of Kubernetes 1.36.3.
MISFITS: list[tuple[str, str, Object, str]] = [
    ("v1", "Secret", {"metadata": 5}, "json: cannot unmarshal number into Go struct field Secret.metadata of type v1.ObjectMeta"),
    (
        "v1",
        "Secret",
        {"metadata": {"labels": {"a": 5}}},
        "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
    ),
    (
        "v1",
        "Secret",
        {"metadata": {"ownerReferences": [{"uid": 5}]}},
        "json: cannot unmarshal number into Go struct field OwnerReference.metadata.ownerReferences.uid of type types.UID",
    ),
    (
        "v1",
        "Secret",
        {"data": "foo"},
        "json: cannot unmarshal string into Go struct field Secret.data of type map[string][]uint8",
    ),
    ("v1", "Secret", {"data": {"a": 5}}, "json: cannot unmarshal number into Go struct field Secret.data of type []uint8"),
    ("v1", "Secret", {"data": {"a": {}}}, "json: cannot unmarshal object into Go struct field Secret.data of type []uint8"),
    ("v1", "Secret", {"data": {"a": "%%"}}, "illegal base64 data at input byte 0"),
    (
        "v1",
        "Secret",
        {"stringData": ["a"]},
        "json: cannot unmarshal array into Go struct field Secret.stringData of type map[string]string",
    ),
    ("v1", "Secret", {"immutable": 5}, "json: cannot unmarshal number into Go struct field Secret.immutable of type bool"),
    ("v1", "Secret", {"type": 5}, "json: cannot unmarshal number into Go struct field Secret.type of type v1.SecretType"),
    (
        "v1",
        "ConfigMap",
        {"data": 5},
        "json: cannot unmarshal number into Go struct field ConfigMap.data of type map[string]string",
    ),
    (
        "apps/v1",
        "Deployment",
        {"spec": "foo"},
        "json: cannot unmarshal string into Go struct field Deployment.spec of type v1.DeploymentSpec",
    ),
    (
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        {"spec": {"versions": [1]}},
        "json: cannot unmarshal number into Go struct field CustomResourceDefinitionSpec.spec.versions"
        " of type v1.CustomResourceDefinitionVersion",
    ),
    (
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        {"spec": {"versions": [{"schema": {"openAPIV3Schema": {"properties": 5}}}]}},
        "json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties"
        " of type map[string]v1.JSONSchemaProps",
    ),
]


@pytest.mark.parametrize(("version", "kind", "content", "text"), MISFITS)
def test_a_built_in_kind_is_refused_in_the_words_of_the_decoder(version: str, kind: str, content: Object, text: str) -> None:
    refusal = undecodable({"apiVersion": version, "kind": kind, **content}, custom=False)
    assert refusal == f'{kind} in version "v1" cannot be handled as a {kind}: {text}'


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ({"data": {"a": None}}, "a null is the zero value of any type"),
        ({"data": {"a": "aG\nk="}}, "lines may be broken anywhere"),
        ({"spec": 5}, "a field that the kind does not have is none of the decoder's business"),
        ({"metadata": {"labels": None, "finalizers": [None]}}, "and so is a null in a list"),
    ],
)
def test_what_go_decodes_is_let_through(content: Object, why: str) -> None:
    assert undecodable({"apiVersion": "v1", "kind": "Secret", **content}, custom=False) == "", why


async def test_nulls_in_metadata_are_stored_as_the_empty_values_of_their_types(cluster: MemoryCluster) -> None:
    stored = await cluster.create(config_map(labels={"a": None}, annotations={"b": None}))
    assert stored["metadata"]["labels"] == {"a": ""}
    assert stored["metadata"]["annotations"] == {"b": ""}


def definition(**spec: Any) -> Object:
    schema = {"type": "object", "properties": {"spec": {"type": "object"}}}
    whole = {
        "group": "toy.example.com",
        "scope": "Namespaced",
        "names": {"kind": "Toy", "plural": "toys"},
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
    }
    head = {"apiVersion": DEFINITIONS.api_version, "kind": DEFINITIONS.kind, "metadata": {"name": "toys.toy.example.com"}}
    return {**head, "spec": {**whole, **spec}}


def versions(schema: Object | None) -> list[Object]:
    return [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}]


AT = "spec.versions[0].schema.openAPIV3Schema"
UNUSABLE: list[tuple[Object, str]] = [
    ({"group": ""}, 'metadata.name: Invalid value: "toys.toy.example.com": must be spec.names.plural+"."+spec.group'),
    ({"group": ""}, "spec.group: Required value"),
    ({"scope": ""}, "spec.scope: Required value"),
    ({"scope": "World"}, 'spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"'),
    ({"names": {"plural": "toys"}}, "spec.names.kind: Required value"),
    ({"versions": []}, "spec.versions: Invalid value: null: must have exactly one version marked as storage version"),
    ({"versions": [None]}, "spec.versions[0].name: Required value"),
    ({"versions": versions(None)}, f"{AT}: Required value"),
    ({"versions": versions({"type": "text"})}, f'{AT}.type: Unsupported value: "text"'),
    ({"versions": versions({"items": {"pattern": "("}})}, f'{AT}.items.pattern: Invalid value: "(": must be a valid regular'),
    ({"versions": versions({"properties": {"a": {"multipleOf": 0}}})}, f"{AT}.properties.a.multipleOf: Invalid value: 0"),
    ({"versions": versions({"allOf": [None]})}, f"{AT}.allOf[0]: Required value"),
    ({"versions": versions({"additionalProperties": {"type": "x"}})}, f"{AT}.additionalProperties.type: Unsupported value"),
    ({"versions": versions({"x-kubernetes-list-type": "map"})}, f"{AT}.x-kubernetes-list-map-keys: Required value"),
    ({"versions": versions({"x-kubernetes-validations": [{}]})}, f"{AT}.x-kubernetes-validations[0].rule: Required value"),
]


@pytest.mark.parametrize(("spec", "text"), UNUSABLE)
async def test_a_definition_that_nothing_can_be_served_by_is_refused_field_by_field(
    cluster: MemoryCluster, spec: Object, text: str
) -> None:
    with pytest.raises(ApiError) as refused:
        await cluster.create(definition(**spec))
    assert text in refused.value.message


async def test_a_sound_definition_is_served(cluster: MemoryCluster) -> None:
    await cluster.create(definition())
    assert (await cluster.resource_of("toy.example.com/v1", "Toy")).plural == "toys"
