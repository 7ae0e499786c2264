"""What scenarios create: instances, Secrets, foreign workloads, and children as a managed past has left them.

Built-in kinds are written with every default of the API server spelled out, so that the in-memory cluster, which knows the
defaults of custom resources only, stores the same.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

from app.hooks.objects import CONTROLLER_UID, LAST_APPLIED
from app.sim.loop import Strategy
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.e2e.world import World

KEY = {"name": "litellm-master-key", "key": "LITELLM_MASTER_KEY"}
CONTAINER = {
    "name": "litellm",
    "image": "example/litellm:1",
    "imagePullPolicy": "IfNotPresent",
    "env": [{"name": "MODE", "value": "fast"}],
    "ports": [{"name": "http", "containerPort": 4000, "protocol": "TCP"}],
    "resources": {},
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}
POD = {
    "dnsPolicy": "ClusterFirst",
    "restartPolicy": "Always",
    "schedulerName": "default-scheduler",
    "securityContext": {},
    "terminationGracePeriodSeconds": 30,
    "containers": [CONTAINER],
}


def instance(name: str, endpoint: str = "", **spec: object) -> Object:
    """An instance that attaches to a proxy."""
    workload = {"managed": False, **({"endpoint": endpoint} if endpoint else {})}
    whole = {"workload": workload, "masterKey": {"secretRef": KEY}, "database": {}, **spec}
    return {"apiVersion": INSTANCE.api_version, "kind": INSTANCE.kind, "metadata": {"name": name}, "spec": whole}


def managed_instance(name: str) -> Object:
    """The same without a word on the workload, which means managed."""
    whole = {"masterKey": {"secretRef": KEY}, "database": {}}
    return {"apiVersion": INSTANCE.api_version, "kind": INSTANCE.kind, "metadata": {"name": name}, "spec": whole}


def master_key(value: str = "sk-master") -> Object:
    """The Secret with the key that the fake proxy takes."""
    data = {KEY["key"]: b64(value)}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": KEY["name"]}, "type": "Opaque", "data": data}


def deployment(name: str, replicas: int = 0) -> Object:
    """A Deployment; without replicas the controller-manager finds it complete, with some it never becomes ready here."""
    labels = {"app": name}
    spec = {
        "progressDeadlineSeconds": 600,
        "replicas": replicas,
        "revisionHistoryLimit": 10,
        "selector": {"matchLabels": labels},
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}},
        "template": {"metadata": {"labels": labels}, "spec": POD},
    }
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": spec}


def stateful_set(name: str) -> Object:
    """A StatefulSet without replicas."""
    labels = {"app": name}
    spec = {
        "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"},
        "podManagementPolicy": "OrderedReady",
        "replicas": 0,
        "revisionHistoryLimit": 10,
        "selector": {"matchLabels": labels},
        "serviceName": name,
        "template": {"metadata": {"labels": labels}, "spec": POD},
        "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}},
    }
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": name}, "spec": spec}


def service(name: str) -> Object:
    """A headless Service: no address that differs from run to run."""
    spec = {
        "clusterIP": "None",
        "clusterIPs": ["None"],
        "internalTrafficPolicy": "Cluster",
        "ipFamilies": ["IPv4"],
        "ipFamilyPolicy": "SingleStack",
        "ports": [{"name": "http", "port": 4000, "protocol": "TCP", "targetPort": 4000}],
        "selector": {"app": name},
        "sessionAffinity": "None",
        "type": "ClusterIP",
    }
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name}, "spec": spec}


def config_map(name: str) -> Object:
    """Settings of the proxy."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"proxy_server_config.yaml": "{}"}}


def secret(name: str) -> Object:
    """A generated key."""
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "type": "Opaque", "data": {"salt": b64("pepper")}}


async def managed_before(world: World, owner: Object, *children: Object) -> None:
    """Create children as Metacontroller has left them: label, owner reference, and its record of what it applied.

    Under server-side apply the record is in ``managedFields``, so they are applied as its manager.
    """
    metadata = owner["metadata"]
    reference = {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": metadata["name"],
        "uid": metadata["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }
    for child in children:
        labels = {"app.kubernetes.io/instance": metadata["name"], CONTROLLER_UID: metadata["uid"]}
        desired = {**child, "metadata": {**child["metadata"], "namespace": world.namespace, "labels": labels}}
        owned = {**desired, "metadata": {**desired["metadata"], "ownerReferences": [reference]}}
        if world.strategy is Strategy.SERVER_SIDE_APPLY:
            await world.user.apply(owned, manager="metacontroller")
        else:
            record = json.dumps(desired, sort_keys=True, separators=(",", ":"))
            owned["metadata"]["annotations"] = {LAST_APPLIED: record}
            await world.user.create(owned)


def condition(item: Object, kind: str) -> Object:
    """A condition of an object's status; empty if it has none of that type."""
    return next((one for one in item.get("status", {}).get("conditions", []) if one["type"] == kind), {})


def ready(item: Object) -> tuple[str, str]:
    """Status and reason of ``Ready``; empty before the first sync."""
    found = condition(item, "Ready")
    return found.get("status", ""), found.get("reason", "")


def b64(text: str) -> str:
    """A value of a Secret's ``data``."""
    return base64.b64encode(text.encode()).decode()


def own_writes(*names: str) -> set[str]:
    """What a driver writes of instances without children, as :meth:`~tests.e2e.world.World.written` has it: its finalizer once,
    and their status.
    """
    return {f"update litellminstances/{name}{subresource}" for name in names for subresource in ("", "/status")}
