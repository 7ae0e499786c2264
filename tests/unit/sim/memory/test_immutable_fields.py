"""Fields of built-in kinds that may not change, and the API server's words for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.hooks.objects import Object, Resource
from app.sim.cluster import Invalid
from tests.unit.sim.memory.objects import CONFIG_MAP, DEPLOYMENT, JOB, STATEFUL_SET, item

if TYPE_CHECKING:
    from app.sim.memory import MemoryCluster

SERVICE = Resource("v1", "Service", "services")
CLAIM = Resource("v1", "PersistentVolumeClaim", "persistentvolumeclaims")
REVISION = Resource("apps/v1", "ControllerRevision", "controllerrevisions")
BINDING = Resource("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings")


@pytest.mark.parametrize(
    ("resource", "content", "change", "text"),
    [
        pytest.param(
            DEPLOYMENT,
            {"spec": {"selector": {"matchLabels": {"a": "b"}}}},
            {"spec": {"selector": {"matchLabels": {"a": "c"}}}},
            'Deployment.apps "x" is invalid: spec.selector: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable',
            id="selector",
        ),
        pytest.param(
            JOB,
            {"spec": {"template": {"spec": {"restartPolicy": "Never"}}}},
            {"spec": {"template": {"spec": {"restartPolicy": "OnFailure"}}}},
            'Job.batch "x" is invalid: spec.template: Invalid value: {"spec":{"restartPolicy":"OnFailure"}}: field is immutable',
            id="job-template",
        ),
        pytest.param(
            STATEFUL_SET,
            {"spec": {"serviceName": "a", "replicas": 1}},
            {"spec": {"serviceName": "b"}},
            'StatefulSet.apps "x" is invalid: spec: Forbidden: updates to statefulset spec for fields other than',
            id="stateful-set",
        ),
        pytest.param(
            SERVICE,
            {"spec": {"clusterIP": "10.0.0.1"}},
            {"spec": {"clusterIP": "10.0.0.2"}},
            'Service "x" is invalid: spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set',
            id="cluster-ip",
        ),
        pytest.param(
            CLAIM,
            {"spec": {"accessModes": ["ReadWriteOnce"]}},
            {"spec": {"accessModes": ["ReadWriteMany"]}},
            'PersistentVolumeClaim "x" is invalid: spec: Forbidden: spec is immutable after creation',
            id="claim",
        ),
        pytest.param(
            REVISION,
            {"revision": 1, "data": {"a": 1}},
            {"data": {"a": 2}},
            'ControllerRevision.apps "x" is invalid: data: Invalid value: {"a":2}: field is immutable',
            id="revision",
        ),
        pytest.param(
            CONFIG_MAP,
            {"immutable": True, "data": {"a": "1"}},
            {"data": {"a": "2"}},
            'ConfigMap "x" is invalid: data: Forbidden: field is immutable when `immutable` is set',
            id="immutable-config-map",
        ),
        pytest.param(
            BINDING,
            {"roleRef": {"kind": "Role", "name": "a"}},
            {"roleRef": {"name": "b"}},
            'RoleBinding.rbac.authorization.k8s.io "x" is invalid: roleRef: Invalid value: {"kind":"Role","name":"b"}: cannot',
            id="role-reference",
        ),
    ],
)
async def test_a_change_is_refused(
    cluster: MemoryCluster, resource: Resource, content: Object, change: Object, text: str
) -> None:
    stored = await cluster.create(item(resource, "x", content))
    with pytest.raises(Invalid) as refused:
        await cluster.merge_patch(resource, "alpha", "x", change)
    assert refused.value.message.startswith(text)
    assert await cluster.get(resource, "alpha", "x") == stored


@pytest.mark.parametrize(
    ("resource", "content", "change", "why"),
    [
        pytest.param(JOB, {"spec": {"template": {}}}, {"spec": {"backoffLimit": 3}}, "only the template is fixed", id="job"),
        pytest.param(
            STATEFUL_SET,
            {"spec": {"serviceName": "a"}},
            {"spec": {"replicas": 2}},
            "scaling is what an autoscaler does",
            id="scale",
        ),
        pytest.param(
            SERVICE, {"spec": {"clusterIP": "10.0.0.1"}}, {"spec": {"clusterIP": None}}, "left out means kept", id="address"
        ),
    ],
)
async def test_a_change_beside_it_is_taken(
    cluster: MemoryCluster, resource: Resource, content: Object, change: Object, why: str
) -> None:
    stored = await cluster.create(item(resource, "x", content))
    patched = await cluster.merge_patch(resource, "alpha", "x", change)
    assert patched["metadata"]["resourceVersion"] != stored["metadata"]["resourceVersion"], why
