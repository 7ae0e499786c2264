"""Gathers what there is to know about a proxy that an instance attaches to: Secrets, spec, and a look at the proxy itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.controllers.secrets import SecretUnavailable, bearer_token, has_key, secret_value
from app.hooks.objects import terminating
from app.litellm.endpoint import EndpointInvalid, endpoint_of
from app.litellm.probe import Target
from app.litellm.trust import CAInvalid, Trust, checked_trust
from app.status.instance.ignored_settings import ignored_database_settings, ignored_sections, ignored_settings
from app.status.instance.kept import about_same_proxy
from app.status.instance.proxy import AttachedProxy, MasterKeySource

if TYPE_CHECKING:
    from app.apis.litellm.instance import LiteLLMInstanceSpec
    from app.apis.litellm.sighting import Sighting
    from app.controllers.context import Context
    from app.hooks.request import SyncRequest

LICENSE_KEY = "license-key"
"""Key of a licence Secret."""


def license_secrets(name: str) -> tuple[str, str]:
    """Secrets that may hold the licence, the instance's own first."""
    return f"{name}-license", "litellm-license"


async def see_proxy(request: SyncRequest, spec: LiteLLMInstanceSpec, context: Context) -> AttachedProxy:
    """All facts. Never raises for what a user or a proxy does."""
    key, source = _master_key(request, spec)
    stored = request.parent["spec"]
    proxy = AttachedProxy(
        endpoint="",
        master_key=source,
        license_secret=next((name for name in license_secrets(request.name) if has_key(request, name, LICENSE_KEY)), ""),
        ignored_database_settings=ignored_database_settings(stored),
        config_sync=spec.config_sync is not None and spec.config_sync.enabled,
        ignored_sections=ignored_sections(stored),
        ignored_settings=ignored_settings(stored),
        retained=tuple(
            f"{child['kind']} {child['metadata']['name']}" for child in request.children.objects() if not terminating(child)
        ),
    )
    try:
        proxy = replace(proxy, endpoint=endpoint_of(spec, request.namespace, request.name))
    except EndpointInvalid as error:
        return replace(proxy, endpoint_problem=str(error))
    try:
        trust = _trust(request, spec, proxy.endpoint)
    except CAInvalid as error:
        return replace(proxy, ca_problem=str(error))
    return replace(proxy, sighting=await _look(request, proxy, trust, key, context))


async def _look(request: SyncRequest, proxy: AttachedProxy, trust: Trust, key: str, context: Context) -> Sighting:
    known = about_same_proxy(request.parent.get("status"), proxy, request.generation)
    return await context.prober.look(Target(proxy.endpoint, trust), key, known=known)


def _master_key(request: SyncRequest, spec: LiteLLMInstanceSpec) -> tuple[str, MasterKeySource]:
    """The key, empty where there is none, and where it comes from. A rule of the spec makes sure that there is a reference."""
    reference = spec.master_key.secret_ref
    if reference is None:
        raise AssertionError("an unmanaged instance without masterKey.secretRef is an invalid spec")
    source = MasterKeySource(secret_name=reference.name, key=reference.key, auto_generate=spec.master_key.auto_generate is True)
    try:
        key, version = bearer_token(request, reference.name, reference.key)
    except SecretUnavailable as error:
        return "", replace(source, problem=str(error), resource_version=error.resource_version)
    return key, replace(source, resource_version=version)


def _trust(request: SyncRequest, spec: LiteLLMInstanceSpec, endpoint: str) -> Trust:
    """Whom to believe at an https endpoint. Raises :class:`CAInvalid` naming the field.

    ``trustedCASecretRef`` says it outright; else ``ca.crt`` beside the proxy's own certificate, where there is one.
    """
    if spec.tls is None or not endpoint.lower().startswith("https://"):
        return Trust()
    if (authority := spec.tls.trusted_ca_secret_ref) is not None:
        return _trusted(request, "spec.tls.trustedCASecretRef", authority.name, authority.key)
    server = spec.tls.server_cert_secret_ref
    if server is not None and has_key(request, server.name, "ca.crt"):
        return _trusted(request, "spec.tls.serverCertSecretRef", server.name, "ca.crt")
    return Trust()


def _trusted(request: SyncRequest, field: str, name: str, key: str) -> Trust:
    try:
        return checked_trust(secret_value(request, name, key).data)
    except SecretUnavailable as error:
        raise CAInvalid(f"{field}: {error}") from error
    except CAInvalid as error:
        raise CAInvalid(f"{field}: key {key} of Secret {name} {error}") from error
