"""LiteLLMModel: a deployment of a model, with the provider's key of its own or of a LiteLLMCredential."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.credential import LITELLM_CREDENTIAL, LiteLLMCredentialSpec
from app.apis.litellm.model import LITELLM_MODEL, LiteLLMModelSpec
from app.controllers.entities.controller import entity_controller
from app.controllers.entities.kind import Aim, EntityKind
from app.controllers.entities.references import spec_name
from app.controllers.entities.unsettled import reference_not_ready
from app.hooks.observed_fields import object_in, text_in
from app.litellm.admin.model_health import UNKNOWN
from app.litellm.entities.model import CREDENTIAL, Model, model_fields
from app.resources.kinds import SECRET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.apis.types import SecretKeyRef
    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object, Resource

BY_CREDENTIAL = 60
"""Seconds after which a model with a credential is looked at again. The credential's Secret is no reference of the model's own:
only the credential's status tells of a new key in it, and only while that is in LiteLLM."""

_CREDENTIAL_FIELD = "spec.litellmParams.credentialRef"


async def _aim(setting: Setting[LiteLLMModelSpec]) -> Aim:
    credential = setting.spec.litellm_params.credential_ref
    provider = await (_of_credential(setting, credential.name) if credential else _inline(setting))
    secrets = [provider[name] for name in ("api_key", "vertex_credentials") if provider.get(name)]
    wanted = setting.wanted(model_fields(setting.spec, provider), secrets=secrets)
    return Aim(wanted=wanted, again=BY_CREDENTIAL if credential else 0)


async def _inline(setting: Setting[LiteLLMModelSpec]) -> Object:
    """The provider's parameters of the spec's own. Raises :class:`~app.controllers.entities.unsettled.Unsettled`."""
    params = setting.spec.litellm_params
    return {
        "api_base": params.api_base,
        "api_version": params.api_version,
        "api_key": await _secret(setting, params.api_key_secret_ref, "spec.litellmParams.apiKeySecretRef"),
        "vertex_credentials": await _secret(
            setting, params.vertex_credentials_secret_ref, "spec.litellmParams.vertexCredentialsSecretRef"
        ),
    }


async def _of_credential(setting: Setting[LiteLLMModelSpec], name: str) -> Object:
    """The credential's values and its name, so that the model works whether LiteLLM has loaded the credential or not.

    Raises :class:`~app.controllers.entities.unsettled.Unsettled`.
    """
    found = setting.referenced(LITELLM_CREDENTIAL, name, _CREDENTIAL_FIELD)
    spec = check_spec(LiteLLMCredentialSpec, found.get("spec"))
    if isinstance(spec, InvalidSpec):
        raise reference_not_ready(f"LiteLLMCredential {name} ({_CREDENTIAL_FIELD}) has an invalid spec: {spec.message}")
    field = f"spec.apiKeySecretRef of LiteLLMCredential {name}"
    # What a credential told while it was in step may be too old once it is not.
    status = object_in(found, "status")
    version = text_in(status, "secretResourceVersion") if status.get("configured") is True else ""
    return {
        CREDENTIAL: text_in(status, "credentialName") or spec.credential_name,
        "api_base": spec.api_base,
        "api_version": spec.api_version,
        "api_key": await _secret(setting, spec.api_key_secret_ref, field, version),
    }


async def _secret(
    setting: Setting[LiteLLMModelSpec], reference: SecretKeyRef | None, field: str, version: str = ""
) -> str | None:
    if reference is None:
        return None
    return await setting.secret_text(reference.name, reference.key, field, version=version)


async def _observe(setting: Setting[LiteLLMModelSpec], aim: Aim) -> Object:
    """How the model did when the proxy last probed it by itself, where the instance says that it does."""
    general = setting.link.spec.general_settings
    if general is None or general.background_health_checks is not True:
        return {"health": UNKNOWN}
    told = await setting.context.model_health.of(setting.link.admin, aim.wanted.id, setting.context.now())
    return {} if told is None else {"health": told}


def _names(spec: Any) -> Iterator[tuple[Resource, Any]]:
    params = object_in(spec, "litellmParams")
    credential = spec_name(params, "credentialRef")
    if credential is not None:
        yield LITELLM_CREDENTIAL.resource, credential
        return
    for field in ("apiKeySecretRef", "vertexCredentialsSecretRef"):
        yield SECRET, spec_name(params, field)


MODEL = EntityKind(
    resource=LITELLM_MODEL,
    spec=LiteLLMModelSpec,
    entity=Model(),
    id_field="litellmModelId",
    aim=_aim,
    names=_names,
    related=(LITELLM_CREDENTIAL.resource,),
    observe=_observe,
)

LITELLM_MODELS = entity_controller(MODEL)
