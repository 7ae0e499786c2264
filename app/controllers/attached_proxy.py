"""Gathers what there is to know about a proxy that an instance attaches to: Secrets, spec, and a look at the proxy itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.apis.litellm.sighting import UNSEEN
from app.controllers.licence import present_license
from app.controllers.secrets import SecretUnavailable, bearer_token, has_key, secret_value
from app.litellm.endpoint import EndpointInvalid, endpoint_of
from app.litellm.probe import Target
from app.litellm.trust import SYSTEM_STORE, CAInvalid, Trust, checked_trust
from app.status.instance.ignored_settings import ignored
from app.status.instance.kept import about_same_proxy
from app.status.instance.proxy import AttachedProxy, MasterKeySource

if TYPE_CHECKING:
    from app.apis.litellm.instance import LiteLLMInstanceSpec
    from app.apis.litellm.instance.security import TLS
    from app.apis.litellm.sighting import Sighting
    from app.controllers.context import Context
    from app.hooks.request import SyncRequest
    from app.hooks.response import Retained


async def see_proxy(request: SyncRequest, spec: LiteLLMInstanceSpec, retained: list[Retained], context: Context) -> AttachedProxy:
    """All facts. Never raises for what a user or a proxy does."""
    key, source = _master_key(request, spec)
    endpoint, endpoint_problem = _endpoint(request, spec)
    trust, ca_problem = trust_at(request, spec, endpoint)
    asked = not endpoint_problem and not ca_problem
    return AttachedProxy(
        endpoint=endpoint,
        endpoint_problem=endpoint_problem,
        ca_problem=ca_problem,
        master_key=source,
        sighting=await _look(request, endpoint, source, trust, key, context) if asked else UNSEEN,
        license_secret=present_license(request),
        ignored=ignored(request.parent["spec"]),
        retained=tuple(f"{kept.observed['kind']} {kept.observed['metadata']['name']}" for kept in retained),
    )


async def _look(
    request: SyncRequest, endpoint: str, source: MasterKeySource, trust: Trust, key: str, context: Context
) -> Sighting:
    target = Target(endpoint, trust)
    if (sighting := context.prober.at_hand(target, key)) is not None:
        return sighting
    known = about_same_proxy(request.parent.get("status"), endpoint, source, request.generation)
    return await context.prober.look(target, key, known=known)


def _endpoint(request: SyncRequest, spec: LiteLLMInstanceSpec) -> tuple[str, str]:
    """Where the proxy is, or why that cannot be said."""
    try:
        return endpoint_of(spec, request.namespace, request.name), ""
    except EndpointInvalid as error:
        return "", str(error)


def _master_key(request: SyncRequest, spec: LiteLLMInstanceSpec) -> tuple[str, MasterKeySource]:
    """The key, empty where there is none, and where it comes from. A rule of the spec makes sure that there is a reference."""
    reference = spec.master_key.secret_ref
    if reference is None:
        raise AssertionError("an unmanaged instance without masterKey.secretRef is an invalid spec")
    problem = ""
    try:
        key, version = bearer_token(request, reference.name, reference.key)
    except SecretUnavailable as error:
        key, version, problem = "", error.resource_version, str(error)
    return key, MasterKeySource(
        secret_name=reference.name,
        key=reference.key,
        resource_version=version,
        problem=problem,
        auto_generate=spec.master_key.auto_generate is True,
    )


def trust_at(request: SyncRequest, spec: LiteLLMInstanceSpec, endpoint: str) -> tuple[Trust, str]:
    """Whom to believe at the endpoint, and what is wrong with the CA that the spec names for it."""
    if spec.tls is None or not endpoint.lower().startswith("https://"):
        return SYSTEM_STORE, ""
    try:
        return _named_trust(request, spec.tls), ""
    except CAInvalid as error:
        return SYSTEM_STORE, str(error)


def _named_trust(request: SyncRequest, tls: TLS) -> Trust:
    """``trustedCASecretRef`` says it outright; else ``ca.crt`` beside the proxy's own certificate, where there is one.

    Raises :class:`CAInvalid` naming the field.
    """
    if (authority := tls.trusted_ca_secret_ref) is not None:
        return _trusted(request, "spec.tls.trustedCASecretRef", authority.name, authority.key)
    server = tls.server_cert_secret_ref
    if server is not None and has_key(request, server.name, "ca.crt"):
        return _trusted(request, "spec.tls.serverCertSecretRef", server.name, "ca.crt")
    return SYSTEM_STORE


def _trusted(request: SyncRequest, field: str, name: str, key: str) -> Trust:
    try:
        return checked_trust(secret_value(request, name, key).data)
    except SecretUnavailable as error:
        raise CAInvalid(f"{field}: {error}") from error
    except CAInvalid as error:
        raise CAInvalid(f"{field}: key {key} of Secret {name} {error}") from error
