"""Variables about what the proxy keeps outside itself: Redis, the cache, pass-through secrets, external secret stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.proxyconfig.secret_names import REDIS_PASSWORD, REDIS_URL, caching_variables, pass_through_variables
from app.resources.environment.variables import from_secret, given, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.apis.litellm.instance.secret_manager import HashicorpVault
    from app.hooks.objects import Object
    from app.resources.environment.variables import Variable
    from app.resources.gateway import Gateway


def redis(gateway: Gateway) -> Iterator[Variable]:
    """A whole URL, or its parts. LiteLLM prefers ``REDIS_URL``, so beside a password there is none: it would lack it."""
    wanted = gateway.spec.redis
    if wanted is None or not wanted.enabled:
        return
    if wanted.connection_secret_ref:
        yield from_secret(REDIS_URL, wanted.connection_secret_ref.name, wanted.connection_secret_ref.key)
        return
    if not wanted.host:
        return
    yield plain("REDIS_HOST", wanted.host)
    yield plain("REDIS_PORT", wanted.port)
    if wanted.password_secret_ref:
        yield from_secret(REDIS_PASSWORD, wanted.password_secret_ref.name, wanted.password_secret_ref.key)
    else:
        yield plain(REDIS_URL, f"redis://{wanted.host}:{wanted.port}")


def caching(gateway: Gateway) -> Iterator[Variable]:
    """Secrets of the cache's own store."""
    return (from_secret(variable.name, variable.secret, variable.key) for variable in caching_variables(gateway.spec))


def pass_through(gateway: Gateway) -> Iterator[Variable]:
    """Values of secret headers."""
    for headers in pass_through_variables(gateway.spec.pass_through_endpoints or ()):
        for header in headers:
            yield from_secret(header.variable.name, header.variable.secret, header.variable.key)


def secret_manager(gateway: Gateway) -> Iterator[Variable]:
    """Where the store is. Its credentials come whole, by :func:`credentials`."""
    manager = gateway.spec.secret_manager
    if manager is None:
        return
    if manager.aws:
        # The rest is configuration: as a variable, a role would also be taken by every call to Bedrock.
        yield from given({"AWS_REGION_NAME": manager.aws.region})
    if manager.azure:
        yield from given({"AZURE_KEY_VAULT_URI": manager.azure.vault_uri, "AZURE_TENANT_ID": manager.azure.tenant_id})
    if manager.vault:
        yield from _vault(manager.vault)


def credentials(gateway: Gateway) -> list[Object]:
    """The entry of ``envFrom`` with the external store's credentials, if any are given."""
    manager = gateway.spec.secret_manager
    reference = manager.credentials_secret_ref if manager else None
    return [{"secretRef": {"name": reference.name}}] if reference else []


_VAULT_METHODS = {
    "approle": ("HCP_VAULT_APPROLE_ROLE_ID", "HCP_VAULT_APPROLE_SECRET_ID"),
    "tls": ("HCP_VAULT_CLIENT_CERT", "HCP_VAULT_CLIENT_KEY"),
    "token": ("HCP_VAULT_TOKEN",),
}
"""Credentials of each way to sign in, in the order in which LiteLLM looks for them."""


def _vault(vault: HashicorpVault) -> Iterator[Variable]:
    """LiteLLM has no setting for the method: it takes the first whose credentials it finds, so those before it are emptied."""
    yield from given(
        {
            "HCP_VAULT_ADDR": vault.address,
            "HCP_VAULT_NAMESPACE": vault.namespace,
            "HCP_VAULT_MOUNT_NAME": vault.mount_name,
            "HCP_VAULT_PATH_PREFIX": vault.path_prefix,
            "HCP_VAULT_REFRESH_INTERVAL": vault.refresh_interval,
            "HCP_VAULT_APPROLE_MOUNT_PATH": vault.app_role_mount_path,
        }
    )
    for method, names in _VAULT_METHODS.items():
        if method == vault.auth_method:
            return
        yield from ({"name": name} for name in names)
