"""Where a variable may be read from: refused here is what the API server refuses, so that one entry never holds all pods."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from app.proxyconfig.variables import variable_problem
from tests.e2e.kubectl import KubectlError

if TYPE_CHECKING:
    from tests.e2e.kubectl import Kubectl

PATHS = [
    *("metadata.name", "metadata.namespace", "metadata.uid", "metadata.labels['a']", "metadata.annotations['a.b/c']"),
    *("metadata.labels", "metadata.labels['']", "metadata.labels['a b']", "metadata.finalizers", "spec.nodeName"),
    *("spec.serviceAccountName", "spec.containers", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"),
    *("status.phase", "nowhere", "", "metadata.labels['A.b/c']", "metadata.annotations['A.b/c']"),
]
AMOUNTS = [
    *("limits.cpu", "limits.memory", "limits.ephemeral-storage", "requests.cpu", "requests.memory", "requests.ephemeral-storage"),
    *("limits.hugepages-2Mi", "requests.hugepages-1Gi", "limits.disk", "limits.hugepages-", "requests", "cpu", ""),
]
DIVISORS = ["0", "1", 1, "1m", "1000m", "1Mi", "1024Ki", "1000", "1e3", "3", "-1", "2Gi", "1n"]
KEYS = ["K", "a.b-c_d", ".a", ".", "..", "..a", "a/b", "a b", "", "k" * 253, "k" * 254]
SOURCES: list[dict[str, Any]] = [
    *({"fieldRef": {"fieldPath": path}} for path in PATHS),
    *({"resourceFieldRef": {"resource": amount}} for amount in AMOUNTS),
    *(
        {"resourceFieldRef": {"resource": amount, "divisor": divisor}}
        for amount in ("limits.cpu", "requests.memory", "limits.ephemeral-storage", "limits.hugepages-2Mi")
        for divisor in DIVISORS
    ),
    *({"fieldRef": {"fieldPath": "metadata.name", "apiVersion": version}} for version in ("", "v1", "v2")),
    *({kind: {"name": "a", "key": key}} for key in KEYS for kind in ("secretKeyRef", "configMapKeyRef")),
    {"secretKeyRef": {"key": "K"}},
    {"secretKeyRef": {"name": "", "key": "K"}},
    {},
    {"fieldRef": {"fieldPath": "metadata.name"}, "secretKeyRef": {"name": "a", "key": "K"}},
]


@pytest.mark.parametrize("source", SOURCES, ids=json.dumps)
def test_a_source_is_refused_here_where_the_api_server_refuses_it(kubectl: Kubectl, source: dict[str, Any]) -> None:
    variable = {"name": "A", "valueFrom": source}
    container = {"name": "c", "image": "i", "env": [variable]}
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [container]}}
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template},
    }
    command = ("apply", "--dry-run=server", "--validate=ignore", "-f", "-")
    if variable_problem(variable) is None:
        kubectl(*command, stdin=json.dumps(deployment))
    else:
        with pytest.raises(KubectlError, match=r"env\[0\].valueFrom"):
            kubectl(*command, stdin=json.dumps(deployment))
