"""Bodies of sync as Metacontroller sends them: children with record, managed fields and status, in three sizes.

They are templates as in :mod:`tests.bench.templates`. Instances differ in name, uid and Secret.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import orjson

from app import registry
from app.hooks.manifests import Address, manifest
from app.hooks.objects import LAST_APPLIED
from tests.bench.templates import PLACEHOLDER

_OWNER = {"apiVersion": "litellm.palena.ai/v1alpha1", "kind": "LiteLLMInstance", "name": PLACEHOLDER.decode(), "uid": "u-cr00000"}

SIZES = {"15 KB": (15_000, 3), "60 KB": (60_000, 10), "260 KB": (260_000, 10)}
"""By name: bytes to reach, and children."""


@lru_cache
def sync_body(size: str, endpoint: str) -> bytes:
    """One body of about that size, for an instance that attaches to ``endpoint`` and has children from a managed past."""
    wanted, children = SIZES[size]
    variables = 0
    while len(body := _body(children, variables, endpoint)) < wanted:
        variables += max(1, (wanted - len(body)) // (children * 400))
    return body


def _body(children: int, variables: int, endpoint: str) -> bytes:
    observed = [_observed(_deployment(index, variables)) for index in range(children)]
    controller = registry.CONTROLLERS[0]
    groups: dict[str, Any] = {rule.resource.key: {} for rule in getattr(controller, "children", ())}
    groups["Deployment.apps/v1"] = {f"apps/{child['metadata']['name']}": child for child in observed}
    key = {"name": f"{_OWNER['name']}-key", "namespace": "apps", "resourceVersion": "77", "uid": "s1"}
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": key, "data": {"key": "c2stbWFzdGVy"}, "type": "Opaque"}
    return orjson.dumps(
        {
            "controller": manifest(controller, Address(url="http://palena.palena-system")),
            "parent": _parent(endpoint),
            "children": groups,
            "related": {"Secret.v1": {f"apps/{key['name']}": secret}},
            "finalizing": False,
        }
    )


def _parent(endpoint: str) -> dict[str, Any]:
    spec = {
        "workload": {"managed": False, "endpoint": endpoint},
        "masterKey": {"secretRef": {"name": f"{_OWNER['name']}-key", "key": "key"}},
        "database": {},
        "replicas": 3,
        "caching": {"enabled": True},
        "image": {"repository": "ghcr.io/berriai/litellm", "tag": "v1.110.2"},
    }
    metadata = {"name": _OWNER["name"], "namespace": "apps", "uid": _OWNER["uid"], "generation": 2, "resourceVersion": "5"}
    identity = {"apiVersion": _OWNER["apiVersion"], "kind": _OWNER["kind"], "metadata": metadata}
    return {**identity, "spec": spec, "status": _settled(endpoint)}


def _settled(endpoint: str) -> dict[str, Any]:
    """The status that an earlier sync wrote, so that the proxy is known and no transition time moves."""
    reasons = {
        "Ready": "ProxyReachable",
        "ChildrenRetained": "ManagedBefore",
        "DatabaseReady": "WorkloadUnmanaged",
        "MasterKeyAccepted": "KeyAccepted",
        "SettingsIgnored": "ProxyNotManaged",
        "WorkloadUnmanaged": "ConfigSettingsIgnored",
    }
    message = f"{endpoint} answers (see docs/reasons/Ready-ProxyReachable.md)"
    common = {"status": "True", "message": message, "observedGeneration": 2, "lastTransitionTime": "2026-01-01T00:00:00Z"}
    return {
        "observedGeneration": 2,
        "ready": True,
        "endpoint": endpoint,
        "masterKey": {"secretName": f"{_OWNER['name']}-key", "key": "key", "resourceVersion": "77"},
        "conditions": [{"type": kind, "reason": reason, **common} for kind, reason in reasons.items()],
    }


def _deployment(index: int, variables: int) -> dict[str, Any]:
    labels = {"app.kubernetes.io/name": "litellm", "app.kubernetes.io/instance": f"{_OWNER['name']}-{index}"}
    container = {
        "name": "litellm",
        "image": "ghcr.io/berriai/litellm:v1.110.2",
        "ports": [{"containerPort": 4000, "name": "http"}],
        "env": [{"name": f"SETTING_{number}", "value": f"value of setting {number}"} for number in range(variables)],
        "resources": {"limits": {"cpu": "1", "memory": "1Gi"}},
    }
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": f"{_OWNER['name']}-{index}", "namespace": "apps", "labels": labels},
        "spec": {"replicas": 2, "selector": {"matchLabels": labels}, "template": template},
    }


def _observed(form: dict[str, Any]) -> dict[str, Any]:
    """A child as it comes back from the API server under dynamic apply."""
    metadata = {
        **form["metadata"],
        "uid": f"uid-{form['metadata']['name']}",
        "resourceVersion": "4711",
        "generation": 2,
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "annotations": {LAST_APPLIED: orjson.dumps(form).decode()},
        "ownerReferences": [{**_OWNER, "controller": True, "blockOwnerDeletion": True}],
        "managedFields": [
            {"manager": "metacontroller", "operation": "Update", "apiVersion": "apps/v1", "fieldsV1": _owned(form)},
        ],
    }
    condition = {"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable", "message": "ok"}
    return {**form, "metadata": metadata, "status": {"replicas": 2, "readyReplicas": 2, "conditions": [condition]}}


def _owned(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return {f"f:{key}": _owned(item) for key, item in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict) and "name" in value[0]:
        return {f'k:{{"name":"{item["name"]}"}}': {".": {}, **_owned(item)} for item in value}
    return {}
