"""Cut the Kubernetes core types that our custom resources embed out of an API server's OpenAPI document.

Run it once for a new Kubernetes version, against an API server of that version, and commit the result::

    kubectl get --raw /openapi/v3/api/v1 | python tools/kubernetes_core.py v1.36.3 > app/apis/data/kubernetes-core.json

What it writes is structural schema, ready to be put into a CustomResourceDefinition once ``app.apis.core`` has resolved the
references. It differs from the document in what a CustomResourceDefinition forbids or takes otherwise:

- descriptions are left out: with them the definition of one kind is over the limit of ``kubectl apply``;
- quantities and int-or-strings use ``x-kubernetes-int-or-string``;
- ``default: ""``, ``0`` and ``{}`` are left out: in the document they mark Go's zero values of required fields, while in a
  custom resource they would make the fields optional;
- enums are left out: Kubernetes takes the empty string for "unset" and new values in later versions; it checks them itself
  when it gets the pods;
- list-map keys stay only where every key is required or has a default;
- a claim template's ``metadata`` is reduced to what may be set in it (``creationTimestamp`` because Go clients send a null).
"""

from __future__ import annotations

import json
import sys
from typing import Any

Schema = dict[str, Any]

ROOTS = (
    "Affinity",
    "EnvFromSource",
    "EnvVar",
    "ResourceRequirements",
    "Toleration",
    "TopologySpreadConstraint",
    "Volume",
    "VolumeMount",
)
REFERENCE = "#/components/schemas/"
QUANTITY_PATTERN = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
INT_OR_STRING: Schema = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}
STRINGS: Schema = {"type": "object", "additionalProperties": {"type": "string"}}
WRITTEN_BY_HAND: dict[str, Schema] = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {**INT_OR_STRING, "pattern": QUANTITY_PATTERN},
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": INT_OR_STRING,
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {
        "type": "object",
        "properties": {
            "annotations": STRINGS,
            "creationTimestamp": {"type": "string", "format": "date-time"},
            "labels": STRINGS,
        },
    },
}
KEPT = ("type", "format", "required", "pattern", "minimum", "maximum")
KEPT_EXTENSIONS = ("x-kubernetes-map-type", "x-kubernetes-list-type", "x-kubernetes-list-map-keys")


def short(name: str) -> str:
    """``EnvVar`` for ``io.k8s.api.core.v1.EnvVar``."""
    return name.rpartition(".")[2]


def reduced(schema: Schema) -> Schema:
    """One schema of the document as a custom resource may have it, its references still by (short) name."""
    if (reference := schema.get("$ref")) is not None:
        return {"$ref": short(reference.removeprefix(REFERENCE))}
    if "allOf" in schema:
        (only,) = schema["allOf"]
        return reduced(only)
    result = {key: schema[key] for key in (*KEPT, *KEPT_EXTENSIONS) if key in schema}
    if schema.get("default"):
        result["default"] = schema["default"]
    if "properties" in schema:
        result["properties"] = {name: reduced(value) for name, value in schema["properties"].items()}
    for inner in ("items", "additionalProperties"):
        if inner in schema:
            result[inner] = reduced(schema[inner])
    return result


def references(schema: object) -> set[str]:
    """The names that a reduced schema refers to."""
    if isinstance(schema, dict):
        named = {schema["$ref"]} if isinstance(schema.get("$ref"), str) else set()
        return named.union(*(references(value) for value in schema.values()))
    return set()


def drop_impossible_keys(definitions: dict[str, Schema]) -> None:
    """Take the list-map marks from lists whose items do not require their keys: the API server refuses such a definition."""
    for definition in definitions.values():
        for field in definition.get("properties", {}).values():
            keys = field.get("x-kubernetes-list-map-keys")
            if keys is None:
                continue
            item = field["items"]
            item = definitions[item["$ref"]] if "$ref" in item else item
            certain = {*item.get("required", ()), *(name for name, value in item["properties"].items() if "default" in value)}
            if not certain.issuperset(keys):
                del field["x-kubernetes-list-map-keys"], field["x-kubernetes-list-type"]


def extract(document: Schema, version: str) -> Schema:
    """``{"kubernetesVersion": …, "definitions": {short name: schema}}`` with the roots and all they refer to."""
    groups = ("io.k8s.api.core.v1.", "io.k8s.apimachinery.")
    full = {short(name): name for name in document["components"]["schemas"] if name.startswith(groups)}
    definitions: dict[str, Schema] = {}
    wanted = list(ROOTS)
    while wanted:
        name = wanted.pop()
        if name in definitions:
            continue
        definitions[name] = WRITTEN_BY_HAND.get(full[name]) or reduced(document["components"]["schemas"][full[name]])
        wanted.extend(references(definitions[name]))
    drop_impossible_keys(definitions)
    return {"kubernetesVersion": version, "definitions": dict(sorted(definitions.items()))}


if __name__ == "__main__":
    json.dump(extract(json.load(sys.stdin), sys.argv[1]), sys.stdout, indent=1)
    sys.stdout.write("\n")
