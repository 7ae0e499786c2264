"""What of an existing object cannot become what is wanted."""

from __future__ import annotations

from typing import Any

import pytest

from app.resources.immutable_fields import fixed_field

_LABELS = {"matchLabels": {"a": "b"}}
ROWS: list[tuple[str, str, dict[str, Any], dict[str, Any], str]] = [
    ("the same selector", "Deployment", {"spec": {"selector": _LABELS}}, {"spec": {"selector": _LABELS}}, ""),
    (
        "another label",
        "Deployment",
        {"spec": {"selector": _LABELS}},
        {"spec": {"selector": {"matchLabels": {"a": "c"}}}},
        "spec.selector.matchLabels.a",
    ),
    (
        "one label fewer selects more pods",
        "Deployment",
        {"spec": {"selector": {"matchLabels": {"a": "b", "c": "d"}}}},
        {"spec": {"selector": _LABELS}},
        "spec.selector.matchLabels",
    ),
    ("replicas are free", "StatefulSet", {"spec": {"replicas": 1}}, {"spec": {"replicas": 2}}, ""),
    (
        "the order in which pods start is not",
        "StatefulSet",
        {"spec": {"podManagementPolicy": "OrderedReady"}},
        {"spec": {"podManagementPolicy": "Parallel"}},
        "spec.podManagementPolicy",
    ),
    ("what the server chose stays where nothing is asked for", "Service", {"spec": {"clusterIP": "10.0.0.1"}}, {"spec": {}}, ""),
    (
        "an address is given once",
        "Service",
        {"spec": {"clusterIP": "10.0.0.1"}},
        {"spec": {"clusterIP": "None"}},
        "spec.clusterIP",
    ),
    ("none was given yet", "Service", {"spec": {"type": "ExternalName"}}, {"spec": {"clusterIP": "10.0.0.1"}}, ""),
    (
        "the server fills a claim in",
        "PersistentVolumeClaim",
        {"spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "standard", "volumeName": "v"}},
        {"spec": {"accessModes": ["ReadWriteOnce"]}},
        "",
    ),
    (
        "a claim is never updated",
        "PersistentVolumeClaim",
        {"spec": {"resources": {"requests": {"storage": "10Gi"}}}},
        {"spec": {"resources": {"requests": {"storage": "20Gi"}}}},
        "spec.resources.requests.storage",
    ),
    (
        "nor in how it is mounted",
        "PersistentVolumeClaim",
        {"spec": {"accessModes": ["ReadWriteOnce"]}},
        {"spec": {"accessModes": ["ReadWriteOnce", "ReadOnlyMany"]}},
        "spec.accessModes",
    ),
    ("a type is for life", "Secret", {"type": "Opaque"}, {"type": "kubernetes.io/tls"}, "type"),
    ("no mark, no seal", "ConfigMap", {"data": {"a": "b"}}, {"data": {"a": "c"}}, ""),
    ("sealed with what is wanted", "ConfigMap", {"immutable": True, "data": {"a": "b"}}, {"data": {"a": "b"}}, ""),
    (
        "sealed with something else",
        "ConfigMap",
        {"immutable": True, "data": {"a": "b"}},
        {"data": {"a": "c"}},
        "data (it is immutable)",
    ),
]


@pytest.mark.parametrize(("why", "kind", "observed", "wanted", "field"), ROWS, ids=[row[0] for row in ROWS])
def test_what_must_stay(why: str, kind: str, observed: dict[str, Any], wanted: dict[str, Any], field: str) -> None:
    assert fixed_field({"kind": kind, **observed}, {"kind": kind, **wanted}) == field, why
