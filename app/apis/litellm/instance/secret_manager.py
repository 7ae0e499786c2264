"""``spec.secretManager``: secrets that the proxy reads from, or writes to, a store outside the cluster."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.apis.section import Section
from app.apis.types import SecretRef

Provider = Literal[
    "aws_secret_manager",
    "aws_kms",
    "azure_key_vault",
    "google_secret_manager",
    "google_kms",
    "hashicorp_vault",
]


class AWSSecretManager(Section):
    """Settings for AWS."""

    region: str
    """Region."""
    role_arn: Annotated[str | None, Field(alias="roleARN")] = None
    """Role to assume."""
    session_name: str | None = None
    """Name of the session."""
    web_identity_token_path: str | None = None
    """File with the web identity token."""
    sts_endpoint: str | None = None
    """URL of the Security Token Service."""


class AzureKeyVault(Section):
    """Settings for Azure."""

    vault_uri: Annotated[str, Field(alias="vaultURI")]
    """URI of the vault."""
    tenant_id: Annotated[str, Field(alias="tenantID")]
    """Tenant."""


class HashicorpVault(Section):
    """Settings for HashiCorp Vault."""

    address: str
    """URL of the server."""
    namespace: str | None = None
    """Vault namespace."""
    auth_method: Literal["approle", "tls", "token"] = "approle"
    """How the proxy signs in."""
    app_role_mount_path: str | None = None
    """Mount of the AppRole method; absent means approle."""
    mount_name: str | None = None
    """Mount of the secrets; absent means secret."""
    path_prefix: str | None = None
    """Prefix of the secrets' paths."""
    refresh_interval: int | None = None
    """Seconds that a secret is kept before it is read again."""


class SecretManager(Section):
    """A secret store that the proxy uses."""

    provider: Provider
    """Which store."""
    credentials_secret_ref: SecretRef | None = None
    """Secret whose keys become environment variables for the store's client; leave it out with a workload identity."""
    hosted_keys: list[str] | None = None
    """Names that are looked up in the store; absent means all."""
    store_virtual_keys: bool | None = None
    """Write virtual keys into the store."""
    prefix_for_stored_virtual_keys: str | None = None
    """Prefix of their names."""
    access_mode: Literal["read_only", "write_only", "read_and_write"] = "read_only"
    """What the proxy may do in the store."""
    primary_secret_name: str | None = None
    """One JSON secret that holds them all."""
    aws: AWSSecretManager | None = None
    azure: AzureKeyVault | None = None
    vault: HashicorpVault | None = None
