"""A gateway as the Go operator leaves it: its labels, owner references and finalizer, and no record of Metacontroller's.

Built-in kinds have every default of the API server spelled out, so that a cluster in memory stores what a real one does.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.hooks.objects import Object

API_VERSION = "litellm.palena.ai/v1alpha1"
FINALIZER = "litellm.palena.ai/finalizer"
LABELS = {
    "app.kubernetes.io/name": "litellm",
    "app.kubernetes.io/managed-by": "litellm-operator",
    "litellm.palena.ai/instance": "gw",
}


def instance(**spec: object) -> Object:
    """The custom resource."""
    whole: Object = {
        "image": {"tag": "v1.81.14"},
        "masterKey": {"autoGenerate": True},
        "database": {"external": {"connectionSecretRef": {"name": "pg", "key": "url"}}},
        **spec,
    }
    metadata = {"name": "gw", "finalizers": [FINALIZER]}
    return {"apiVersion": API_VERSION, "kind": "LiteLLMInstance", "metadata": metadata, "spec": whole}


def children(owner: Object) -> list[Object]:
    """What it has made: what the spec asks for, and an Ingress, a SCIM token and a migration that it no longer asks for."""
    return [
        _child(owner, "v1", "ServiceAccount", "gw"),
        _secret(owner, "gw-master-key", "master-key"),
        _secret(owner, "litellm-scim-token", "token"),
        _child(owner, "v1", "ConfigMap", "gw-config", data={"proxy_server_config.yaml": "model_list: []\n"}),
        _deployment(owner),
        _service(owner),
        _ingress(owner),
        _job(owner),
    ]


def route(owner: Object) -> Object:
    """The Route, where the spec asks for one."""
    spec = {"to": {"kind": "Service", "name": "gw", "weight": 100}, "port": {"targetPort": 4000}, "tls": {"termination": "edge"}}
    return _child(owner, "route.openshift.io/v1", "Route", "gw", spec=spec)


KEY = "sk-" + "7" * 48
"""The value of its virtual key."""
MODEL_ID = "7b0f1f0c-6a53-4f0a-9a55-0c2a5c6f3f11"


def entities() -> dict[str, Object]:
    """Objects that it has in LiteLLM, by name, as they are created; their status is :func:`status`."""
    synced = {"litellm.palena.ai/sync-hash": "0a1b2c3d4e5f6071"}
    return {
        "ci": _entity("LiteLLMVirtualKey", "ci", synced, keyAlias="ci", models=["flash"]),
        "flash": _entity(
            "LiteLLMModel",
            "flash",
            {**synced, "litellm.palena.ai/auth-mode": "inline"},
            modelName="flash",
            litellmParams={"model": "openai/flash", "apiKeySecretRef": {"name": "provider", "key": "key"}},
        ),
        "bob": _entity(
            "LiteLLMUser", "bob", {**synced, "litellm.palena.ai/adopted": "true"}, userId="bob", userEmail="bob@example.com"
        ),
    }


def rows() -> dict[str, Object]:
    """What was asked of LiteLLM for them, by route: nothing in it says whose they are."""
    model = {"model_name": "flash", "litellm_params": {"model": "openai/flash"}, "model_info": {"id": MODEL_ID}}
    return {
        "/model/new": model,
        "/user/new": {"user_id": "bob", "user_email": "bob@example.com", "auto_create_key": False},
        "/key/generate": {"key": KEY, "key_alias": "ci", "models": ["flash"]},
    }


def status(name: str) -> Object:
    """What it says of one of them."""
    token = hashlib.sha256(KEY.encode()).hexdigest()
    own: dict[str, Object] = {
        "ci": {"litellmKeyToken": token, "keySecretRef": {"name": "ci-key", "key": "api_key"}, "isActive": True},
        "flash": {"litellmModelId": MODEL_ID},
        "bob": {"litellmUserId": "bob"},
    }
    condition = {
        "type": "Synced",
        "status": "True",
        "reason": "Synced",
        "message": "",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }
    return {"synced": True, "lastSyncTime": "2026-01-01T00:00:00Z", "conditions": [condition], **own[name]}


def key_secret(owner: Object) -> Object:
    """The Secret of the virtual key."""
    secret = _child(owner, "v1", "Secret", "ci-key", type="Opaque", data={"api_key": base64.b64encode(KEY.encode()).decode()})
    secret["metadata"]["labels"] = {"litellm.palena.ai/instance": "gw", "litellm.palena.ai/resource-type": "virtual-key"}
    return secret


def _entity(kind: str, name: str, annotations: dict[str, str], **spec: object) -> Object:
    metadata = {"name": name, "finalizers": [FINALIZER], "annotations": annotations}
    return {"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "spec": {"instanceRef": {"name": "gw"}, **spec}}


def _child(owner: Object, api_version: str, kind: str, name: str, **body: object) -> Object:
    reference = {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }
    metadata = {
        "name": name,
        "namespace": owner["metadata"]["namespace"],
        "labels": dict(LABELS),
        "ownerReferences": [reference],
    }
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **body}


def _secret(owner: Object, name: str, key: str) -> Object:
    value = base64.b64encode(b"sk-" + b"5" * 64).decode()
    return _child(owner, "v1", "Secret", name, type="Opaque", data={key: value})


def _deployment(owner: Object) -> Object:
    probe = {"failureThreshold": 3, "successThreshold": 1, "timeoutSeconds": 5}
    live = {"path": "/health/liveliness", "port": 4000, "scheme": "HTTP"}
    container = {
        "name": "litellm",
        "image": "ghcr.io/berriai/litellm:v1.81.14",
        "imagePullPolicy": "IfNotPresent",
        "ports": [{"name": "http", "containerPort": 4000, "protocol": "TCP"}],
        "env": [
            {"name": "LITELLM_MASTER_KEY", "valueFrom": {"secretKeyRef": {"name": "gw-master-key", "key": "master-key"}}},
            {"name": "DATABASE_URL", "valueFrom": {"secretKeyRef": {"name": "pg", "key": "url"}}},
            {"name": "CONFIG_FILE_PATH", "value": "/app/config/proxy_server_config.yaml"},
        ],
        "resources": {"requests": {"cpu": "250m", "memory": "512Mi"}, "limits": {"cpu": "2", "memory": "2Gi"}},
        "livenessProbe": {**probe, "httpGet": live, "initialDelaySeconds": 15, "periodSeconds": 15},
        "readinessProbe": {
            **probe,
            "httpGet": {**live, "path": "/health/readiness"},
            "initialDelaySeconds": 10,
            "periodSeconds": 10,
        },
        "startupProbe": {**probe, "httpGet": live, "failureThreshold": 30, "periodSeconds": 5, "timeoutSeconds": 1},
        "securityContext": {"allowPrivilegeEscalation": False},
        "volumeMounts": [
            {"name": "config", "mountPath": "/app/config", "readOnly": True},
            {"name": "tmp", "mountPath": "/tmp"},
        ],
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
    }
    pod = {
        "serviceAccountName": "gw",
        "serviceAccount": "gw",
        "containers": [container],
        "volumes": [
            {"name": "config", "configMap": {"name": "gw-config", "defaultMode": 420}},
            {"name": "tmp", "emptyDir": {}},
        ],
        "dnsPolicy": "ClusterFirst",
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "securityContext": {},
        "terminationGracePeriodSeconds": 30,
    }
    digests = {"litellm.palena.ai/secret-hash": "5" * 64, "litellm.palena.ai/config-hash": "c" * 64}
    spec = {
        "replicas": 1,
        "selector": {"matchLabels": dict(LABELS)},
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}},
        "progressDeadlineSeconds": 600,
        "revisionHistoryLimit": 10,
        "template": {"metadata": {"labels": dict(LABELS), "annotations": digests}, "spec": pod},
    }
    return _child(owner, "apps/v1", "Deployment", "gw", spec=spec)


def _service(owner: Object) -> Object:
    spec = {
        "type": "ClusterIP",
        "ports": [{"name": "http", "port": 4000, "protocol": "TCP", "targetPort": 4000}],
        "selector": dict(LABELS),
        "sessionAffinity": "None",
    }
    return _child(owner, "v1", "Service", "gw", spec=spec)


def _ingress(owner: Object) -> Object:
    """From when ``spec.ingress`` was on: that operator never removes what is switched off."""
    backend = {"service": {"name": "gw", "port": {"number": 4000}}}
    rule = {"host": "llm.example.com", "http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": backend}]}}
    return _child(owner, "networking.k8s.io/v1", "Ingress", "gw", spec={"rules": [rule]})


def _job(owner: Object) -> Object:
    container = {"name": "migrate", "image": "ghcr.io/berriai/litellm:v1.81.14"}
    template = {"spec": {"restartPolicy": "Never", "containers": [container]}}
    return _child(owner, "batch/v1", "Job", "gw-migrate-0a1b2c3d", spec={"suspend": True, "template": template})
