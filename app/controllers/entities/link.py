"""From an entity to its proxy: the instance, where its proxy is, whom to believe there, and the master key.

The instance comes with the request. What the instance refers to in turn is a second hop, read by name; the instance tells the
version of its master key's Secret, so that a rotation is seen at once and an unchanged key costs no read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.instance import LITELLM_INSTANCE, LiteLLMInstanceSpec
from app.controllers.entities.secrets import find_secret
from app.controllers.entities.unsettled import instance_not_ready, missing_instance
from app.controllers.secrets import SecretUnavailable, token_in, value_in
from app.hooks.observed_fields import object_in, text_in
from app.kube.reader import ReadFailed
from app.litellm.endpoint import EndpointInvalid, endpoint_of
from app.litellm.target import Target
from app.litellm.trust import SYSTEM_STORE, CAInvalid, Trust, checked_trust
from app.resources import names
from app.resources.generated_secrets import MASTER_KEY
from app.status.conditions import observed_conditions

if TYPE_CHECKING:
    from app.controllers.context import Context
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest
    from app.litellm.admin.client import Admin


@dataclass(frozen=True, slots=True)
class Link:
    """A proxy that can be called."""

    spec: LiteLLMInstanceSpec
    admin: Admin


def instance_of(request: SyncRequest, name: str) -> Object | None:
    """The LiteLLMInstance of that name, or nothing."""
    return request.related.find(LITELLM_INSTANCE.resource, request.namespace, name)


async def link_to(request: SyncRequest, name: str, context: Context, *, ready: bool = True) -> Link:
    """The proxy of the instance of that name. Raises :class:`~app.controllers.entities.unsettled.Unsettled`.

    Without ``ready`` an instance will do that is not ready: a deletion asks the proxy itself.
    """
    instance = instance_of(request, name)
    if instance is None:
        raise missing_instance(name)
    spec = check_spec(LiteLLMInstanceSpec, instance.get("spec"))
    if isinstance(spec, InvalidSpec):
        raise instance_not_ready(f"LiteLLMInstance {name} has an invalid spec: {spec.message}")
    status = object_in(instance, "status")
    if ready and status.get("ready") is not True:
        told = observed_conditions(status).get("Ready", {}).get("message")
        raise instance_not_ready(f"LiteLLMInstance {name} is not ready" + (f": {told}" if told else " yet"))
    target = await proxy_of(request, name, spec, context)
    key = await master_key_of(request, name, spec, status, context)
    return Link(spec, context.admin.at(target, key))


async def proxy_of(request: SyncRequest, name: str, spec: LiteLLMInstanceSpec, context: Context) -> Target:
    """Where the proxy of an instance is, and whom to believe there. Raises ``Unsettled``."""
    try:
        endpoint = endpoint_of(spec, request.namespace, name)
    except EndpointInvalid as error:
        raise instance_not_ready(f"LiteLLMInstance {name}: {error}") from error
    return Target(endpoint, await _trust(request, name, spec, endpoint, context))


async def master_key_of(request: SyncRequest, name: str, spec: LiteLLMInstanceSpec, status: Object, context: Context) -> str:
    """Its master key, given its status. Raises ``Unsettled``."""
    reference = spec.master_key.secret_ref
    secret, key = (reference.name, reference.key) if reference else (names.master_key(name), MASTER_KEY)
    version = text_in(object_in(status, "masterKey"), "resourceVersion")
    try:
        found = await find_secret(request, secret, context, version=version)
        return token_in(found, secret, key)
    except (SecretUnavailable, ReadFailed) as error:
        unnamed = reference is None and spec.master_key.auto_generate is not True
        remedy = "; set its spec.masterKey.secretRef, or spec.masterKey.autoGenerate: true" if unnamed else ""
        raise instance_not_ready(f"the master key of LiteLLMInstance {name} cannot be used: {error}{remedy}") from error


async def _trust(request: SyncRequest, name: str, spec: LiteLLMInstanceSpec, endpoint: str, context: Context) -> Trust:
    tls = spec.tls
    if tls is None or not endpoint.lower().startswith("https://"):
        return SYSTEM_STORE
    try:
        if (authority := tls.trusted_ca_secret_ref) is not None:
            secret = await find_secret(request, authority.name, context)
            return checked_trust(value_in(secret, authority.name, authority.key).data)
        if (server := tls.server_cert_secret_ref) is not None:
            secret = await find_secret(request, server.name, context)
            try:
                return checked_trust(value_in(secret, server.name, "ca.crt").data)
            except SecretUnavailable:
                return SYSTEM_STORE
    except (SecretUnavailable, ReadFailed, CAInvalid) as error:
        raise instance_not_ready(f"the CA of LiteLLMInstance {name} (spec.tls) cannot be used: {error}") from error
    return SYSTEM_STORE
