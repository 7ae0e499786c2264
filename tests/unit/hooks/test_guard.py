"""The guard on one child: what is a breach and what is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.hooks.guard import Place, child_breaches, place_breaches
from app.hooks.objects import CONTROLLER_UID, DECORATOR, LAST_APPLIED, Resource

if TYPE_CHECKING:
    from app.hooks import Object

KINDS = {
    resource.key: resource
    for resource in (
        Resource("v1", "ConfigMap", "configmaps"),
        Resource("v1", "Secret", "secrets"),
        Resource("v1", "Service", "services"),
        Resource("apps/v1", "Deployment", "deployments"),
        Resource("batch/v1", "Job", "jobs"),
        Resource("rbac.authorization.k8s.io/v1", "Role", "roles"),
        Resource("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", namespaced=False),
    )
}
PLACE = Place("play", KINDS, KINDS.keys())


def child(kind: str = "ConfigMap", api_version: str = "v1", name: str = "box", **fields: Any) -> Object:
    metadata = {"name": name, "namespace": "play"} | fields.pop("metadata", {})
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata} | fields


def pod(**container: Any) -> Object:
    template = {"spec": {"containers": [{"name": "c"} | container]}}
    return child("Deployment", "apps/v1", spec={"template": template})


@pytest.mark.parametrize(
    ("built", "field", "why"),
    [
        (child(metadata={"namespace": "other"}), "metadata.namespace", "it would be collected and made again for ever"),
        (child(metadata={"namespace": None}), "metadata.namespace", "a namespaced kind says its namespace"),
        (child(name=""), "metadata.name", "a child without name is an error on every sync"),
        (child(name="a" * 254), "metadata.name", "names end at 253 characters"),
        (child("Service", name="a" * 64), "metadata.name", "a Service's name is a DNS label"),
        (child("Service", name="1st"), "metadata.name", "a Service's name starts with a letter"),
        (child("Service", name="a.b"), "metadata.name", "a DNS label has no dots"),
        (child("Job", "batch/v1", name="a" * 64), "metadata.name", "a Job's name becomes a label of its pods"),
        (child(metadata={"labels": {"a": 1}}), "metadata.labels.a", "a label that is no string stops the whole pass"),
        (child(metadata={"labels": {"a": "x" * 64}}), "metadata.labels.a", "a label value ends at 63 characters"),
        (child(metadata={"labels": {"a b": "x"}}), "metadata.labels.a b", "a key has no blanks"),
        (child(metadata={"labels": []}), "metadata.labels", "labels are a map"),
        (child(metadata={"annotations": {"a": True}}), "metadata.annotations.a", "annotations are strings"),
        (child(metadata={"ownerReferences": []}), "metadata.ownerReferences", "Metacontroller sets the owner"),
        (child(metadata={"uid": "u"}), "metadata.uid", "an observed object must never be echoed"),
        (child(metadata={"generateName": "x-"}), "metadata.generateName", "the name is the key"),
        (child(metadata={"labels": {CONTROLLER_UID: "u"}}), "metadata.labels.controller-uid", "Metacontroller sets its label"),
        (child(metadata={"annotations": {LAST_APPLIED: "{}"}}), f"metadata.annotations['{LAST_APPLIED}']", "its record too"),
        (child(metadata={"annotations": {DECORATOR: "d"}}), f"metadata.annotations['{DECORATOR}']", "and its mark"),
        (child(status={}), "status", "a child's status cannot be written"),
        (child(data={"a": None}), "data.a", "a null differs on every sync"),
        (child("Deployment", "apps/v1", spec={"list": [1, None]}), "spec.list[1]", "in a list too"),
        (child("Deployment", "apps/v1", spec={"replicas": 1.0}), "spec.replicas", "1.0 is another value than 1"),
        (child("Deployment", "apps/v1", spec={"ratio": float("inf")}), "spec.ratio", "infinity is no JSON"),
        (
            pod(resources={"limits": {"cpu": "1 Gi"}}),
            "spec.template.spec.containers[0].resources.limits.cpu",
            "the API server refuses what is no quantity, and the whole pass stops there",
        ),
        (
            pod(resources={"requests": {"memory": True}}),
            "spec.template.spec.containers[0].resources.requests.memory",
            "true is no quantity either",
        ),
        (
            child(
                "Deployment", "apps/v1", spec={"template": {"spec": {"volumes": [{"name": "v", "emptyDir": {"sizeLimit": ""}}]}}}
            ),
            "spec.template.spec.volumes[0].emptyDir.sizeLimit",
            "nor is nothing",
        ),
        (child("Secret", stringData={"a": "b"}), "stringData", "stringData is never stored"),
        (
            pod(ports=[{"containerPort": 53, "protocol": "UDP"}, {"containerPort": 53, "protocol": "TCP"}]),
            "spec.template.spec.containers[0].ports[1].containerPort",
            "the merge would write one of them twice",
        ),
        (
            pod(volumeMounts=[{"name": "a", "mountPath": "/x"}, {"name": "b", "mountPath": "/x"}]),
            "spec.template.spec.containers[0].volumeMounts[1].mountPath",
            "mounts are merged by path, not by name",
        ),
        (child(data={"a": "x" * 262_144}), "metadata.annotations", "the last-applied record would not fit"),
        (child(data={"a": "<" * 50_000}), "metadata.annotations", "the record writes these in six bytes each"),
        (
            child("ClusterRole", "rbac.authorization.k8s.io/v1"),
            "metadata.namespace",
            "a namespace on a cluster-scoped child is an endless loop",
        ),
        (child("Pod"), "kind", "only declared kinds are ever seen again"),
    ],
)
def test_a_built_child_is_checked_strictly(built: Object, field: str, why: str) -> None:
    assert field in [breach.field for breach in child_breaches(built, PLACE)], why


@pytest.mark.parametrize(
    ("built", "why"),
    [
        (child(data={"a": ""}), "an ordinary child"),
        (child(name="a" * 253), "names may have 253 characters"),
        (child("Service", name="a" * 63), "a Service's name may have 63"),
        (child("Role", "rbac.authorization.k8s.io/v1", name="system:reader"), "a role's name is a path segment"),
        (child(metadata={"labels": {"app.kubernetes.io/name": "x", "empty": ""}}), "legal labels"),
        (pod(env=[{"name": "A", "value": "1"}, {"name": "B", "value": "1"}]), "different names"),
        (pod(volumeMounts=[{"name": "a", "mountPath": "/x"}, {"name": "a", "mountPath": "/y"}]), "one volume mounted twice"),
        (child(data={"a": "x" * 200_000}), "a big child whose record fits"),
    ],
)
def test_a_good_child_has_no_breach(built: Object, why: str) -> None:
    assert child_breaches(built, PLACE) == [], why


@pytest.mark.parametrize(
    "kept",
    [
        child(metadata={"labels": {CONTROLLER_UID: "u"}}, data={}, spec={"tty": False, "replicas": 1.0}),
        child(data={"a": None}),
        child(data={"a": "x" * 262_144}),
        child(metadata={"name": "1Box"}),
    ],
    ids=[
        "its label and odd forms",
        "a null of another renderer",
        "applied by server-side apply, without a record",
        "a stored name",
    ],
)
def test_a_retained_child_may_be_whatever_was_applied(kept: Object) -> None:
    assert place_breaches(kept, PLACE, retained=True) == []


@pytest.mark.parametrize("kept", [child(metadata={"namespace": "other"}), child("Pod")], ids=["namespace", "kind"])
def test_a_retained_child_is_still_held_to_its_place(kept: Object) -> None:
    assert place_breaches(kept, PLACE, retained=True)


def test_a_breach_never_repeats_a_value() -> None:
    secret = child("Secret", data={"key": None, "b": "canary"}, stringData={"a": "canary"}, metadata={"labels": {"l": "canary!"}})
    assert not any("canary" in str(breach) for breach in child_breaches(secret, PLACE))
