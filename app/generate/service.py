"""The service's own objects: two small pods that are called by Metacontroller and call nobody in the cluster's API.

They run under the ``restricted`` pod security standard. The hook token comes from a Secret that exists before (or soon
after) the installation: kubelet holds the pods back until then. Not here: autoscaling (the work is small and bounded) and
a rule on outgoing traffic (a proxy to attach to may be anywhere).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import __version__
from app.generate.names import (
    CONTAINER_PORT,
    IMAGE,
    LABELS,
    METACONTROLLER_NAMESPACE,
    NAME,
    NAMESPACE,
    PORT,
    SELECTOR,
    TOKEN,
)

if TYPE_CHECKING:
    from app.hooks.objects import Object

TOKEN_FOLDER = "/run/palena/hook-token"  # noqa: S105

OPTIONAL_APIS = "PALENA_OPTIONAL_APIS"
"""Variable with the API groups whose add-ons are installed."""

REPLICAS = 2
"""A hook call is answered while a node is drained. Each pod probes an attached proxy on its own."""

GRACE_SECONDS = 40
"""Longer than the server takes to drain and to finish what is in flight. It drains by itself, so there is no preStop hook."""


def namespace() -> Object:
    """The namespace, closed to pods that want more than ``restricted`` allows."""
    enforce = {f"pod-security.kubernetes.io/{mode}": "restricted" for mode in ("enforce", "warn")}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE, "labels": {**LABELS, **enforce}}}


def service_account() -> Object:
    """An account whose token is mounted by the service's own pods alone."""
    return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": _metadata(), "automountServiceAccountToken": False}


def service() -> Object:
    """Where Metacontroller reaches the hooks."""
    port = {"name": "hooks", "port": PORT, "targetPort": "hooks", "protocol": "TCP"}
    return {"apiVersion": "v1", "kind": "Service", "metadata": _metadata(), "spec": {"selector": SELECTOR, "ports": [port]}}


def disruption_budget() -> Object:
    """At most one pod is evicted at a time; a broken one never blocks a drain."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": _metadata(),
        "spec": {
            "maxUnavailable": 1,
            "unhealthyPodEvictionPolicy": "AlwaysAllow",
            "selector": {"matchLabels": SELECTOR},
        },
    }


def network_policy() -> Object:
    """Only Metacontroller's namespace reaches the hooks. Outgoing traffic is not limited."""
    source = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": METACONTROLLER_NAMESPACE}}}
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": _metadata(),
        "spec": {
            "podSelector": {"matchLabels": SELECTOR},
            "policyTypes": ["Ingress"],
            "ingress": [{"from": [source], "ports": [{"port": "hooks", "protocol": "TCP"}]}],
        },
    }


def deployment() -> Object:
    """The pods."""
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": _metadata(),
        "spec": {
            "replicas": REPLICAS,
            "selector": {"matchLabels": SELECTOR},
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
            "template": {"metadata": {"labels": {**LABELS, **SELECTOR}}, "spec": _pod()},
        },
    }


def _pod() -> Object:
    spread = {
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": SELECTOR},
    }
    return {
        "serviceAccountName": NAME,
        "automountServiceAccountToken": True,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": GRACE_SECONDS,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": 65532,
            "runAsGroup": 65532,
            "fsGroup": 65532,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "topologySpreadConstraints": [spread],
        "containers": [_container()],
        # The whole folder, not a subPath: only then does a rotated token arrive in a running pod.
        "volumes": [{"name": "hook-token", "secret": {"secretName": TOKEN.name, "defaultMode": 0o440}}],
    }


def _container() -> Object:
    return {
        "name": "hooks",
        "image": f"{IMAGE}:{__version__}",
        "args": ["serve"],
        "env": [
            {"name": "PALENA_HOOK_TOKEN_FILE", "value": f"{TOKEN_FOLDER}/{TOKEN.key}"},
            # Empty, for components to add to.
            {"name": OPTIONAL_APIS, "value": ""},
        ],
        "ports": [{"name": "hooks", "containerPort": CONTAINER_PORT, "protocol": "TCP"}],
        "readinessProbe": {"httpGet": {"path": "/readyz", "port": "hooks"}, "periodSeconds": 5, "timeoutSeconds": 2},
        "livenessProbe": {"httpGet": {"path": "/healthz", "port": "hooks"}, "periodSeconds": 10, "timeoutSeconds": 5},
        "resources": {"requests": {"cpu": "50m", "memory": "96Mi"}, "limits": {"memory": "512Mi"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": [{"name": "hook-token", "mountPath": TOKEN_FOLDER, "readOnly": True}],
    }


def _metadata() -> Object:
    return {"name": NAME, "namespace": NAMESPACE, "labels": LABELS}
