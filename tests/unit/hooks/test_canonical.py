"""Children in their stored form. The rows are the cases in which Metacontroller was seen to write a child on every sync."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.hooks.canonical.form import canonicalise

if TYPE_CHECKING:
    from app.hooks import Object


def deployment(container: Object | None = None, pod: Object | None = None, **spec: Any) -> Object:
    template = {"spec": {"containers": [{"name": "c", "image": "i"} | (container or {})]} | (pod or {})}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": {"template": template} | spec}


def of(kind: str, api_version: str = "v1", **fields: Any) -> Object:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x"}} | fields


POLICY = "networking.k8s.io/v1"


@pytest.mark.parametrize(
    ("written", "stored", "field", "why"),
    [
        (
            deployment({"resources": {"limits": {"cpu": "1000m", "memory": "1024Mi"}}}),
            deployment({"resources": {"limits": {"cpu": "1", "memory": "1Gi"}}}),
            "spec.template.spec.containers[0].resources.limits.cpu",
            "quantities are stored in their shortest form",
        ),
        (
            deployment({"env": [{"name": "A", "value": ""}]}),
            deployment({"env": [{"name": "A"}]}),
            "spec.template.spec.containers[0].env[0].value",
            "an empty value is no value",
        ),
        (
            deployment({"env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}, {"name": "A", "value": "3"}]}),
            deployment({"env": [{"name": "B", "value": "2"}, {"name": "A", "value": "3"}]}),
            "spec.template.spec.containers[0].env[0]",
            "of two variables of one name the last one counts",
        ),
        (
            deployment({"ports": [{"containerPort": 80}, {"containerPort": 80}]}),
            deployment({"ports": [{"containerPort": 80}]}),
            "spec.template.spec.containers[0].ports[0]",
            "the same port twice is one port",
        ),
        (deployment({"env": [], "args": []}), deployment(), "spec.template.spec.containers[0].env", "empty lists are left out"),
        (
            deployment({"resources": {}}, {"nodeSelector": {}, "volumes": []}),
            deployment(),
            "spec.template.spec.nodeSelector",
            "empty maps are left out",
        ),
        (
            deployment({"resources": {"limits": {"cpu": None}}}),
            deployment(),
            "spec.template.spec.containers[0].resources.limits.cpu",
            "what is empty once a null is gone goes too",
        ),
        (deployment({"tty": False}), deployment(), "spec.template.spec.containers[0].tty", "false is the absence of true"),
        (deployment(replicas=2.0), deployment(replicas=2), "spec.replicas", "2.0 and 2 differ for Metacontroller"),
        (deployment(minReadySeconds=0), deployment(), "spec.minReadySeconds", "zero is left out"),
        (of("Secret", stringData={"k": "v"}), of("Secret", data={"k": "dg=="}), "stringData", "stringData is never stored"),
        (of("Secret", data={}), of("Secret"), "data", "empty data is left out"),
        (of("ConfigMap", binaryData=None), of("ConfigMap"), "binaryData", "null is absence"),
        (of("Service", spec={"externalIPs": []}), of("Service", spec={}), "spec.externalIPs", "an empty list is left out"),
        (
            of("PersistentVolumeClaim", spec={"resources": {"requests": {"storage": "1024Mi"}}}),
            of("PersistentVolumeClaim", spec={"resources": {"requests": {"storage": "1Gi"}}}),
            "spec.resources.requests.storage",
            "storage is a quantity too",
        ),
        (
            of("NetworkPolicy", POLICY, spec={"ingress": [{"ports": [{"port": 80}]}]}),
            of("NetworkPolicy", POLICY, spec={"ingress": [{"ports": [{"protocol": "TCP", "port": 80}]}]}),
            "spec.ingress[0].ports[0]",
            "the protocol's default is filled in inside a list",
        ),
        (
            of("StatefulSet", "apps/v1", spec={"volumeClaimTemplates": [{"metadata": {"name": "d"}, "spec": {}}]}),
            of(
                "StatefulSet",
                "apps/v1",
                spec={
                    "volumeClaimTemplates": [
                        {
                            "apiVersion": "v1",
                            "kind": "PersistentVolumeClaim",
                            "metadata": {"name": "d"},
                            "spec": {"volumeMode": "Filesystem"},
                            "status": {"phase": "Pending"},
                        }
                    ]
                },
            ),
            "spec.volumeClaimTemplates[0]",
            "a claim template is stored in its full form",
        ),
        (
            deployment(pod={"volumes": [{"name": "t", "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}}]}),
            deployment(
                pod={
                    "volumes": [
                        {
                            "name": "t",
                            "projected": {"sources": [{"serviceAccountToken": {"expirationSeconds": 3600, "path": "t"}}]},
                        }
                    ]
                }
            ),
            "spec.template.spec.volumes[0].projected.sources[0].serviceAccountToken",
            "a projected token's lifetime is filled in inside a list",
        ),
    ],
)
def test_a_child_is_rewritten_into_its_stored_form(written: Object, stored: Object, field: str, why: str) -> None:
    form, changes, unreadable = canonicalise(written)
    assert form == stored, why
    assert field in [change.field for change in changes]
    assert unreadable == []
    assert canonicalise(form) == (form, [], []), "the stored form is canonical"


@pytest.mark.parametrize(
    ("child", "why"),
    [
        (of("ConfigMap", data={"a": ""}), "an empty string is stored in data"),
        (of("ConfigMap", data={"env": "", "tty": "false"}), "keys of data are a user's words"),
        (of("ServiceAccount", automountServiceAccountToken=False), "false is stored where the field is a pointer"),
        (deployment(pod={"volumes": [{"name": "v", "emptyDir": {}}]}), "an empty emptyDir says what the volume is"),
        (of("NetworkPolicy", POLICY, spec={"podSelector": {}}), "an empty selector selects everything"),
        (of("NetworkPolicy", POLICY, spec={"ingress": [{}]}), "an empty rule allows everything"),
        (of("Toy", "example.com/v1", spec={"env": [], "tty": False, "args": {}}), "a custom resource keeps empty values"),
        (deployment(replicas=0), "zero replicas is a wish"),
        (deployment(revisionHistoryLimit=0), "the field is a pointer"),
        (deployment({"resources": {"limits": {"cpu": "abc"}}}), "what is no quantity has no stored form"),
    ],
)
def test_a_child_in_its_stored_form_is_left_as_it_is(child: Object, why: str) -> None:
    form, changes, _ = canonicalise(child)
    assert form is child, why
    assert changes == []


def test_the_child_that_was_given_is_not_changed() -> None:
    child = deployment({"env": [], "resources": {"limits": {"cpu": 1}}})
    canonicalise(child)
    assert child == deployment({"env": [], "resources": {"limits": {"cpu": 1}}})
