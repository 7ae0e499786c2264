"""LiteLLMCredential: a provider's key and address, kept in the gateway for models to name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.apis.litellm.credential import LITELLM_CREDENTIAL, LiteLLMCredentialSpec
from app.apis.litellm.model import LITELLM_MODEL
from app.controllers.entities.controller import entity_controller
from app.controllers.entities.kind import Aim, EntityKind
from app.controllers.entities.references import spec_name
from app.kube.reader import ReadFailed
from app.litellm.entities.credential import Credential, credential_fields
from app.resources.kinds import SECRET
from app.status.entity.reasons import API_ERROR, INSTANCE_NOT_FOUND, SYNC_FAILED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object, Resource


async def _aim(setting: Setting[LiteLLMCredentialSpec]) -> Aim:
    reference, field = setting.spec.api_key_secret_ref, "spec.apiKeySecretRef"
    key = await setting.secret_text(reference.name, reference.key, field)
    secret = await setting.secret(reference.name, field)
    return Aim(
        wanted=setting.wanted(credential_fields(setting.spec, key), secrets=(key,)),
        # Models read this Secret by name: the version makes its change an event to them.
        fields={"secretResourceVersion": secret["metadata"].get("resourceVersion")},
        conditions=setting.id_change,
    )


async def _observe(setting: Setting[LiteLLMCredentialSpec], _: Aim) -> Object:
    """How many models name the credential: one list of the namespace's models, as often as an entity in step is looked at.

    Having them with the request instead would start a sync of each credential with each write to any model's status.
    """
    try:
        models = await setting.context.reader.list(LITELLM_MODEL.resource, setting.request.namespace)
    except ReadFailed:
        return {}
    return {"referencedByModels": sum(_credential_of(model) == setting.request.name for model in models)}


def _credential_of(model: Object) -> Any:
    spec: Any = model.get("spec")
    return spec_name(spec, "litellmParams", "credentialRef")


def _names(spec: Any) -> Iterator[tuple[Resource, Any]]:
    yield SECRET, spec_name(spec, "apiKeySecretRef")


def _made_upstream(status: Object) -> bool:
    return status.get("configured") is True and "syncHash" not in status


CREDENTIAL = EntityKind(
    resource=LITELLM_CREDENTIAL,
    spec=LiteLLMCredentialSpec,
    entity=Credential(),
    id_field="credentialName",
    chosen_id=lambda spec, _: spec.credential_name,
    aim=_aim,
    names=_names,
    observe=_observe,
    accepted_field="configured",
    made_upstream=_made_upstream,
    other_words={INSTANCE_NOT_FOUND: INSTANCE_NOT_FOUND, SYNC_FAILED: API_ERROR},
)

LITELLM_CREDENTIALS = entity_controller(CREDENTIAL)
