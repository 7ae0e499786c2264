"""What is reported about a LiteLLMInstance."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.apis.section import Section
from app.apis.types import Condition, Int32, Int64, Time


class DatabaseStatus(Section):
    """The proxy's database."""

    connected: bool | None = None
    """Whether the proxy reaches it."""
    migration_version: str | None = None
    """Version of its schema."""


class RedisStatus(Section):
    """The proxy's Redis; absent while it is off."""

    connected: bool | None = None
    """Whether the proxy reaches it."""


class ConfigSyncStatus(Section):
    """The last comparison with the proxy; absent while it is off."""

    last_sync_time: Time | None = None
    """When a comparison last found something new."""
    synced_models: int | None = None
    """Models that a custom resource describes."""
    synced_teams: int | None = None
    """Teams that a custom resource describes."""
    synced_users: int | None = None
    """Users that a custom resource describes."""
    synced_keys: int | None = None
    """Keys that a custom resource describes."""
    synced_organizations: int | None = None
    """Organizations that a custom resource describes."""
    synced_customers: int | None = None
    """Customers that a custom resource describes."""
    unmanaged_models: int | None = None
    """Models that only the proxy has."""
    unmanaged_teams: int | None = None
    """Teams that only the proxy has."""
    unmanaged_users: int | None = None
    """Users that only the proxy has."""
    unmanaged_keys: int | None = None
    """Keys that only the proxy has."""
    unmanaged_organizations: int | None = None
    """Organizations that only the proxy has."""
    unmanaged_customers: int | None = None
    """Customers that only the proxy has."""
    sync_errors: list[str] | None = None
    """What went wrong."""


class SSOStatus(Section):
    """Single sign-on; absent while it is off."""

    configured: bool | None = None
    """Whether the proxy is told to use it."""
    provider: str | None = None
    """Identity provider."""


class SCIMStatus(Section):
    """SCIM; absent while it is off."""

    configured: bool | None = None
    """Whether the proxy is told to serve it."""
    token_secret_name: str | None = None
    """Secret with the bearer token."""


class SecretManagerStatus(Section):
    """The secret store; absent where none is set."""

    configured: bool
    """Whether the credentials are there."""
    provider: str | None = None
    """Which store."""


class MasterKeyStatus(Section):
    """Where the proxy's admin key is, for the objects that use it; never the key itself."""

    secret_name: str
    """Name of the Secret."""
    key: str
    """Key within the Secret."""
    resource_version: str | None = None
    """The Secret's version when it was last read; absent where it never was. It changes when the key is rotated."""


class LicenseStatus(Section):
    """The licence of LiteLLM Enterprise."""

    active: bool
    """Whether a Secret with a licence was found."""
    secret_name: str | None = None
    """Name of that Secret."""


class BackupStatus(Section):
    """Backups of the database; absent while they are off."""

    configured: bool | None = None
    """Whether they are scheduled."""
    last_backup_time: Time | None = None
    """When the last one ended."""
    last_backup_status: str | None = None
    """How it ended."""


class MigrationStatus(Section):
    """The schema's migrations; absent before the first one."""

    finished: str
    """Digest of what the last Job ran that succeeded; a Job that is gone is not run again."""
    earlier: list[str] | None = None
    """Digests of those before it, the latest first; an image of before comes back without another Job."""


class RollbackStatus(Section):
    """An automatic rollback; absent while the pods are what the spec asks for."""

    failed: str
    """Digest of the pod template that did not become ready."""
    revision: str
    """Name of the ControllerRevision whose pod template runs instead."""


class TakeoverStatus(Section):
    """A Deployment that somebody else made and whose pod template is still theirs; absent for our own."""

    generation: Int64
    """Generation of the spec at which it was taken over; a later one replaces the pods."""


class GuardrailNote(Section):
    """A LiteLLMGuardrail that names this instance."""

    name: str
    """Name of the object."""
    guardrail_name: str | None = None
    """Its name in LiteLLM."""
    configured: bool
    """Whether the proxy's configuration has it."""
    reason: str | None = None
    """Why it is left out, or served as it last was, in one word."""
    message: str | None = None
    """Why it is left out, or served as it last was, in a sentence."""
    ignored_variables: list[str] | None = None
    """Environment variables that it sets and the gateway has otherwise: the gateway's count."""


class UnhealthyPod(Section):
    """A pod that keeps the instance from being ready."""

    name: str
    """Name of the pod."""
    phase: str | None = None
    """Its phase."""
    reason: str | None = None
    """What is wrong, in one word."""
    message: Annotated[str | None, Field(max_length=512)] = None
    """What is wrong, in a sentence."""
    restart_count: Int32 | None = None
    """How often its container was restarted."""


class LiteLLMInstanceStatus(Section):
    """What was seen of the proxy."""

    observed_generation: Int64 | None = None
    """Generation of the spec that this status is about."""
    ready: bool | None = None
    """Whether the proxy can be used: a replica is ready, or the attached proxy answers."""
    replicas: Int32 | None = None
    """Pods of the Deployment; 0 for an attached proxy."""
    ready_replicas: Int32 | None = None
    """Ready pods of the Deployment; 0 for an attached proxy."""
    endpoint: str | None = None
    """URL that the proxy is called at."""
    version: str | None = None
    """Version of the proxy: the image's tag, or what an attached proxy discloses; empty means not known."""
    master_key: MasterKeyStatus | None = None
    database: DatabaseStatus | None = None
    redis: RedisStatus | None = None
    config_sync: ConfigSyncStatus | None = None
    sso: SSOStatus | None = None
    scim: SCIMStatus | None = None
    secret_manager: SecretManagerStatus | None = None
    license: LicenseStatus | None = None
    backup: BackupStatus | None = None
    last_successful_revision: str | None = None
    """Revision of the Deployment that last had all its pods available; kept while spec.upgrade.autoRollback is on."""
    migration: MigrationStatus | None = None
    rollback: RollbackStatus | None = None
    takeover: TakeoverStatus | None = None
    guardrails: list[GuardrailNote] | None = None
    """The guardrails that name this instance, by name, and whether the proxy's configuration has them."""
    unhealthy_pods: Annotated[list[UnhealthyPod] | None, Field(max_length=3)] = None
    """Up to three pods that keep the instance from being ready."""
    conditions: list[Condition] | None = None
    """The aspects of the state, each with its reason and what to do next. Ready is always there."""
