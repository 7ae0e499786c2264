"""How the objects of an instance are called.

Everything carries the instance's name, whole where the kind permits it and shortened with a digest where it does not. Two
instances may want one name (``gw`` and ``gw-db`` both want a Service ``gw-db``); who owns it is found by observing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.names import dns_label, fitted
from app.resources.kinds import (
    AUTOSCALER,
    CONFIG_MAP,
    DEPLOYMENT,
    DISRUPTION_BUDGET,
    INGRESS,
    NETWORK_POLICY,
    SECRET,
    SERVICE,
    SERVICE_ACCOUNT,
    STATEFUL_SET,
    VOLUME_CLAIM,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.hooks.objects import Resource

_LONGEST = 253
_REPLICA_SET_SUFFIX = 11
_REVISION_LABEL_SUFFIX = 11
_LABEL = 63
_BACKUP_SUFFIX = 15

SHARED_SCIM_SECRET = "litellm-scim-token"  # noqa: S105 - the name of a Secret
"""The schema's default for ``scim.generatedTokenSecretName``. Instances of one namespace must not share it, so it counts as
not set."""


def deployment(instance: str) -> str:
    """Leaves room for what the Deployment adds for its ReplicaSets."""
    return fitted(instance, _LONGEST - _REPLICA_SET_SUFFIX)


def service(instance: str) -> str:
    """The proxy's Service; part of the instance's endpoint."""
    return dns_label(instance)


def service_account(instance: str) -> str:
    """The proxy's ServiceAccount."""
    return instance


def config(instance: str) -> str:
    """The ConfigMap with the proxy's configuration."""
    return fitted(f"{instance}-config", _LONGEST)


def master_key(instance: str) -> str:
    """The Secret of a generated master key."""
    return fitted(f"{instance}-master-key", _LONGEST)


def salt_key(instance: str) -> str:
    """The Secret of a generated salt key."""
    return fitted(f"{instance}-salt-key", _LONGEST)


def scim_token(instance: str, wanted: str = SHARED_SCIM_SECRET) -> str:
    """The Secret of a generated SCIM token: the wanted name, or the instance's own."""
    return wanted if wanted and wanted != SHARED_SCIM_SECRET else fitted(f"{instance}-scim-token", _LONGEST)


def database(instance: str) -> str:
    """The managed database's Secret and PersistentVolumeClaim."""
    return fitted(f"{instance}-db", _LONGEST)


def database_service(instance: str) -> str:
    """The managed database's Service; part of its URL."""
    return dns_label(f"{instance}-db")


def database_stateful_set(instance: str) -> str:
    """A DNS label, as the API server demands, with room for the revision that a label of its pods adds to it."""
    return fitted(dns_label(f"{instance}-db"), _LABEL - _REVISION_LABEL_SUFFIX)


def database_url(instance: str) -> str:
    """The Secret of a URL that was put together from another Secret's parts."""
    return fitted(f"{instance}-database-url", _LONGEST)


def dashboard(instance: str) -> str:
    """The ConfigMap with the Grafana dashboard."""
    return fitted(f"{instance}-grafana-dashboard", _LONGEST)


def alerts(instance: str) -> str:
    """The PrometheusRule."""
    return fitted(f"{instance}-alerts", _LONGEST)


def scheduled_backup(instance: str) -> str:
    """The ScheduledBackup. Its backups are called after it and a time, and their names become labels."""
    return fitted(f"{instance}-backup", _LABEL - _BACKUP_SUFFIX)


def http_route(instance: str, index: int) -> str:
    """The HTTPRoute, and after it those with more parents of the same name."""
    return fitted(f"{instance}-route-{index + 1}", _LONGEST) if index else instance


def migration_job(instance: str, digest: str) -> str:
    """A migration Job; the digest (8 characters) is of all that it runs. Its pods carry the name as a label."""
    return f"{fitted(f'{instance}-migrate', _LABEL - 9)}-{digest}"


def revision(instance: str, digest: str) -> str:
    """The ControllerRevision of a pod template with this digest (8 characters)."""
    return f"{fitted(instance, _LONGEST - 9)}-{digest}"


def label_value(instance: str) -> str:
    """The instance's name as the value of a label."""
    return fitted(instance, _LABEL)


def taken_names(instance: str, scim_secret: str = SHARED_SCIM_SECRET) -> Mapping[Resource, tuple[str, ...]]:
    """Every name that some spec of the instance may give to a child, by kind; those with a digest of content apart."""
    return {
        CONFIG_MAP: (config(instance), dashboard(instance)),
        SECRET: (
            master_key(instance),
            salt_key(instance),
            scim_token(instance, scim_secret),
            database(instance),
            database_url(instance),
        ),
        SERVICE: (service(instance), database_service(instance)),
        SERVICE_ACCOUNT: (service_account(instance),),
        VOLUME_CLAIM: (database(instance),),
        DEPLOYMENT: (deployment(instance),),
        STATEFUL_SET: (database_stateful_set(instance),),
        AUTOSCALER: (instance,),
        INGRESS: (instance,),
        NETWORK_POLICY: (instance,),
        DISRUPTION_BUDGET: (instance,),
    }
