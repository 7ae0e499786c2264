"""Cut the schemas of the built-in kinds that an instance owns out of Kubernetes' OpenAPI document, as kubernetes-validate has it.

Run it once for a new Kubernetes version and commit the result::

    python tools/kubernetes_kinds.py 1.37.0 > app/apis/data/kubernetes-kinds.json

``app.apis.built_in`` holds patched children against what it writes. Left out are descriptions, what only clients need (patch
strategies, list types), ``status``, which no child carries, and what the API server alone writes. Nulls are gone before.
"""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from typing import Any

Schema = dict[str, Any]

ROOTS = (
    "io.k8s.api.apps.v1.ControllerRevision",
    "io.k8s.api.apps.v1.Deployment",
    "io.k8s.api.apps.v1.StatefulSet",
    "io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler",
    "io.k8s.api.batch.v1.Job",
    "io.k8s.api.core.v1.ConfigMap",
    "io.k8s.api.core.v1.PersistentVolumeClaim",
    "io.k8s.api.core.v1.Secret",
    "io.k8s.api.core.v1.Service",
    "io.k8s.api.core.v1.ServiceAccount",
    "io.k8s.api.networking.v1.Ingress",
    "io.k8s.api.networking.v1.NetworkPolicy",
    "io.k8s.api.policy.v1.PodDisruptionBudget",
)
WRITTEN_BY_HAND: dict[str, Schema] = {
    "Quantity": {"type": "quantity"},
    "IntOrString": {"type": "int-or-string"},
    "RawExtension": {"type": "any"},
}
LEFT_OUT = {"status", "managedFields"}


def short(name: str) -> str:
    """``ServicePort`` for ``#/$defs/io.k8s.api.core.v1.ServicePort``: within the roots' types that is unique."""
    return name.rpartition(".")[2]


def reduced(schema: Schema) -> Schema:
    """What is held against: types, formats, required and known fields; references by short name."""
    if (reference := schema.get("$ref")) is not None:
        return {"$ref": short(reference)}
    kind = schema.get("type")
    result: Schema = {"type": next(one for one in kind if one != "null") if isinstance(kind, list) else kind}
    result |= {key: schema[key] for key in ("format", "required") if key in schema}
    if "properties" in schema:
        fields = {name: field for name, field in schema["properties"].items() if name not in LEFT_OUT}
        result["properties"] = {name: reduced(field) for name, field in fields.items()}
    return result | {inner: reduced(schema[inner]) for inner in ("items", "additionalProperties") if inner in schema}


def references(schema: Schema) -> set[str]:
    """The names that a schema of the document refers to, from the fields that are kept."""
    found = {schema["$ref"].rpartition("/")[2]} if "$ref" in schema else set[str]()
    inner = [field for name, field in schema.get("properties", {}).items() if name not in LEFT_OUT]
    inner += [schema[name] for name in ("items", "additionalProperties") if name in schema]
    return found.union(*(references(one) for one in inner))


def extract(document: dict[str, Schema]) -> dict[str, Schema]:
    """Short name: schema, of the roots and all they refer to."""
    full: dict[str, str] = {}
    definitions: dict[str, Schema] = {}
    wanted = list(ROOTS)
    while wanted:
        name = wanted.pop()
        if full.setdefault(short(name), name) != name:
            raise SystemExit(f"{name} and {full[short(name)]} have one short name")
        if short(name) in definitions:
            continue
        definitions[short(name)] = WRITTEN_BY_HAND.get(short(name)) or reduced(document[name])
        if short(name) not in WRITTEN_BY_HAND:
            wanted.extend(references(document[name]))
    return dict(sorted(definitions.items()))


if __name__ == "__main__":
    place = files("kubernetes_validate").joinpath(f"kubernetes-json-schema/v{sys.argv[1]}-local/_definitions.json")
    found = extract(json.loads(place.read_text("utf-8"))["$defs"])
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(schema, separators=(',', ':'))}" for name, schema in found.items())
    sys.stdout.write(f'{{"kubernetesVersion":"v{sys.argv[1]}","definitions":{{\n{lines}\n}}}}\n')
