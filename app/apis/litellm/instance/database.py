"""``spec.database``: where the proxy keeps its data, and who migrates the schema."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from app.apis.section import Section
from app.apis.types import CASecretRef, SecretKeyRef, SecretRef


class ExternalDatabase(Section):
    """A PostgreSQL that is run elsewhere."""

    connection_secret_ref: SecretKeyRef
    """Secret key with the whole DATABASE_URL."""


class DatabaseBackup(Section):
    """Scheduled backups of the CloudNativePG cluster."""

    enabled: bool
    """Make a ScheduledBackup."""
    schedule: str = "0 0 * * *"
    """When, as a cron expression."""
    retention: Annotated[int, Field(ge=1)] = 7
    """How many backups are kept."""
    suspend: bool | None = None
    """Pause the schedule without deleting it."""
    method: Literal["snapshot", "barmanObjectStore"] = "snapshot"
    """Volume snapshots, or Barman to an object store."""


class CloudNativePG(Section):
    """A cluster run by the CloudNativePG operator."""

    cluster_name: str
    """Name of the Cluster; its URL is read from the Secret <clusterName>-app, key uri."""
    backup: DatabaseBackup | None = None


class ManagedDatabase(Section):
    """A single-pod PostgreSQL made for this instance: for trying things out, not for production."""

    enabled: bool
    """Run it."""
    storage_size: str = "10Gi"
    """Size of its volume."""
    storage_class_name: str | None = None
    """Storage class of its volume; absent means the cluster's default."""


class ConnectionPool(Section):
    """The proxy's pool of database connections."""

    max_connections: int = 10
    """Connections per proxy process; general_settings.database_connection_pool_limit."""


class MigrationImage(Section):
    """Image of the migration Job."""

    repository: str | None = None
    """Repository; absent means ghcr.io/berriai/litellm-migrations."""
    tag: str | None = None
    """Tag; absent means that of spec.image."""
    pull_policy: str | None = None
    """When the image is pulled."""


class Migration(Section):
    """A Job that migrates the schema before the proxy of a new image starts. Absent means that the proxy migrates by itself."""

    # A default and required at once, as the API has it: the default makes the requirement unbreakable.
    model_config = ConfigDict(json_schema_extra={"required": ["enabled"]})

    enabled: bool = True
    """Run the Job."""
    timeout: str = "300s"
    """How long the Job may take."""
    use_database_image: bool | None = None
    """Run LiteLLM's separate migrations image instead of the proxy's own."""
    database_image: MigrationImage | None = None


class DatabaseTLS(Section):
    """Files for TLS to the database. They are mounted; the URL must name them in its own SSL parameters."""

    ca_secret_ref: CASecretRef | None = None
    """Authorities that the database's certificate is checked against; mounted at /etc/litellm/db-tls/ca/<key>."""
    client_cert_secret_ref: SecretRef | None = None
    """Secret with the client's tls.crt and tls.key; mounted at /etc/litellm/db-tls/client/."""


class Database(Section):
    """The proxy's database. The first of external, cloudnativepg and managed that is set counts. Empty is allowed, and is
    what an instance attached to a running proxy has."""

    external: ExternalDatabase | None = None
    cloudnativepg: CloudNativePG | None = None
    managed: ManagedDatabase | None = None
    connection_pool: ConnectionPool | None = None
    migration: Migration | None = None
    tls: DatabaseTLS | None = None
