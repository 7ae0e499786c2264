"""``general_settings.key_management_*``: the store that the proxy reads secrets from, or writes virtual keys to.

What the clients of Azure and Vault need is in the pod's environment; AWS is configured here.
"""

from __future__ import annotations

from app.proxyconfig.table import Setting


def token_in_file(path: str) -> str:
    """A file with a token as LiteLLM refers to it (``get_secret``); a reference that is written out stays."""
    return path if path.startswith("oidc/") else f"oidc/file/{path}"


SECRET_MANAGER = (
    Setting("secretManager.provider", "key_management_system"),
    Setting("secretManager.hostedKeys", "key_management_settings.hosted_keys"),
    Setting("secretManager.storeVirtualKeys", "key_management_settings.store_virtual_keys"),
    Setting("secretManager.prefixForStoredVirtualKeys", "key_management_settings.prefix_for_stored_virtual_keys"),
    Setting("secretManager.accessMode", "key_management_settings.access_mode"),
    Setting("secretManager.primarySecretName", "key_management_settings.primary_secret_name"),
    Setting("secretManager.aws.region", "key_management_settings.aws_region_name"),
    Setting("secretManager.aws.roleARN", "key_management_settings.aws_role_name"),
    Setting("secretManager.aws.sessionName", "key_management_settings.aws_session_name"),
    Setting("secretManager.aws.webIdentityTokenPath", "key_management_settings.aws_web_identity_token", form=token_in_file),
    Setting("secretManager.aws.stsEndpoint", "key_management_settings.aws_sts_endpoint"),
)
