"""The PostgreSQL of ``spec.database.managed``: one pod, for trying things out.

Its volume is a PersistentVolumeClaim of its own and no claim template, because templates cannot change and because volume and
password must live and go together: a new password does not open an old volume. Both are made once (the claim's rule is
OnDelete), and both are kept when the section is switched off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources import names
from app.resources.checks import object_name, quantity
from app.resources.child import child
from app.resources.database_url import URL_KEY, assembled_url, uses_managed_database
from app.resources.errors import Unbuildable
from app.resources.generated_secrets import opaque_secret
from app.resources.kinds import SERVICE, STATEFUL_SET, VOLUME_CLAIM
from app.resources.security_contexts import container_context, non_root_pod_context

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

IMAGE = "docker.io/library/postgres:17.6"
"""Pinned: a new major version does not read the old one's files."""

COMPONENT = "litellm-database"
USER = "litellm"
PASSWORD_KEY = "password"  # noqa: S105 - the name of a key
_POSTGRES_USER = 999
_PORT = 5432
_DATA = "/var/lib/postgresql/data"


def database_secret(gateway: Gateway, password: bytes) -> Object | None:
    """``<name>-db``: the URL and its parts, all from the one password. None while no database is to be managed."""
    if not uses_managed_database(gateway):
        return None
    parts = {
        "username": USER.encode(),
        PASSWORD_KEY: password,
        "host": f"{names.database_service(gateway.name)}.{gateway.namespace}.svc".encode(),
        "port": str(_PORT).encode(),
        "dbname": USER.encode(),
    }
    return opaque_secret(gateway, names.database(gateway.name), {URL_KEY: assembled_url(parts) or b"", **parts})


def database_volume(gateway: Gateway) -> Object | None:
    """The claim. Its size and class count when it is made. None while no database is to be managed."""
    managed = gateway.spec.database.managed
    if managed is None or not uses_managed_database(gateway):
        return None
    spec: Object = {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": _size(managed.storage_size)}},
    }
    if managed.storage_class_name:
        spec["storageClassName"] = object_name(managed.storage_class_name, "spec.database.managed.storageClassName")
    return child(VOLUME_CLAIM, gateway, names.database(gateway.name), spec=spec)


def _size(given: str) -> str:
    size = quantity(given, "spec.database.managed.storageSize")
    if size == "0":
        raise Unbuildable("spec.database.managed.storageSize", "must be more than nothing")
    return size


def database_service(gateway: Gateway) -> Object | None:
    """None while no database is to be managed."""
    if not uses_managed_database(gateway):
        return None
    port = {"name": "postgresql", "port": _PORT, "protocol": "TCP", "targetPort": _PORT}
    spec = {"type": "ClusterIP", "selector": gateway.pod_labels(COMPONENT), "ports": [port]}
    return child(SERVICE, gateway, names.database_service(gateway.name), spec=spec)


def database_stateful_set(gateway: Gateway) -> Object | None:
    """None while no database is to be managed."""
    if not uses_managed_database(gateway):
        return None
    labels = gateway.pod_labels(COMPONENT)
    spec: Object = {
        "serviceName": names.database_service(gateway.name),
        "replicas": 1,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": _pod(gateway)},
    }
    return child(STATEFUL_SET, gateway, names.database_stateful_set(gateway.name), spec=spec)


def _pod(gateway: Gateway) -> Object:
    volumes: dict[str, Object] = {
        "data": {"persistentVolumeClaim": {"claimName": names.database(gateway.name)}},
        "run": {"emptyDir": {}},
        "tmp": {"emptyDir": {}},
    }
    return {
        "enableServiceLinks": False,
        "automountServiceAccountToken": False,
        "securityContext": non_root_pod_context(gateway, _POSTGRES_USER),
        "containers": [_container(gateway)],
        "volumes": [{"name": name, **source} for name, source in volumes.items()],
    }


def _container(gateway: Gateway) -> Object:
    ready = {"exec": {"command": ["pg_isready", "-h", "127.0.0.1", "-U", USER, "-d", USER]}, "timeoutSeconds": 5}
    password = {"secretKeyRef": {"name": names.database(gateway.name), "key": PASSWORD_KEY}}
    return {
        "name": "postgres",
        "image": IMAGE,
        "imagePullPolicy": "IfNotPresent",
        "ports": [{"name": "postgresql", "containerPort": _PORT, "protocol": "TCP"}],
        "env": [
            {"name": "POSTGRES_USER", "value": USER},
            {"name": "POSTGRES_DB", "value": USER},
            {"name": "POSTGRES_PASSWORD", "valueFrom": password},
            # Below the mount: the root of a fresh volume is not empty ("lost+found").
            {"name": "PGDATA", "value": f"{_DATA}/pgdata"},
        ],
        "resources": {"requests": {"cpu": "100m", "memory": "256Mi"}, "limits": {"cpu": "1", "memory": "1Gi"}},
        "securityContext": container_context(restricted=True),
        "volumeMounts": [
            {"name": "data", "mountPath": _DATA},
            {"name": "run", "mountPath": "/var/run/postgresql"},
            {"name": "tmp", "mountPath": "/tmp"},  # noqa: S108 - in the container
        ],
        # The first start makes the database, on a slow disk for minutes.
        "startupProbe": {**ready, "periodSeconds": 5, "failureThreshold": 60},
        "livenessProbe": {**ready, "periodSeconds": 15, "failureThreshold": 6},
        "readinessProbe": {**ready, "periodSeconds": 5},
    }
