"""LiteLLMVectorStore: a store that exists at a provider, registered for searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.apis.litellm.credential import LITELLM_CREDENTIAL
from app.apis.litellm.vector_store import LITELLM_VECTOR_STORE, LiteLLMVectorStoreSpec
from app.controllers.entities.controller import entity_controller
from app.controllers.entities.kind import Aim, EntityKind
from app.controllers.entities.references import spec_name
from app.hooks.observed_fields import objects_in
from app.litellm.entities.vector_store import CREDENTIAL, VectorStore, vector_store_fields
from app.resources.kinds import SECRET
from app.status.entity.reasons import FIELDS_IGNORED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Resource
    from app.status.reason import Condition


async def _aim(setting: Setting[LiteLLMVectorStoreSpec]) -> Aim:
    spec = setting.spec
    secrets = {
        param.param_name: await setting.secret_text(
            param.secret_ref.name, param.secret_ref.key, f"spec.paramSecrets[{place}].secretRef"
        )
        for place, param in enumerate(spec.param_secrets or ())
    }
    fields = vector_store_fields(spec, secrets)
    if spec.credential_ref is not None:
        fields[CREDENTIAL] = setting.referenced_id(
            LITELLM_CREDENTIAL, spec.credential_ref.name, "spec.credentialRef", "credentialName"
        )
    return Aim(wanted=setting.wanted(fields, secrets=secrets.values()), conditions=(*setting.id_change, *_ignored(spec)))


def _ignored(spec: LiteLLMVectorStoreSpec) -> Iterator[Condition]:
    names = [name for name, value in (("spec.teamRef", spec.team_ref), ("spec.userRef", spec.user_ref)) if value is not None]
    if names:
        why = "LiteLLM takes team and user of a vector store from the key that registers it, which is the master key"
        yield FIELDS_IGNORED.because(f"{why}: {' and '.join(names)} has no effect; permit the store by spec.objectPermission")


def _names(spec: Any) -> Iterator[tuple[Resource, Any]]:
    yield LITELLM_CREDENTIAL.resource, spec_name(spec, "credentialRef")
    for param in objects_in(spec, "paramSecrets"):
        yield SECRET, spec_name(param, "secretRef")


VECTOR_STORE = EntityKind(
    resource=LITELLM_VECTOR_STORE,
    spec=LiteLLMVectorStoreSpec,
    entity=VectorStore(),
    id_field="litellmVectorStoreId",
    chosen_id=lambda spec, _: spec.vector_store_id,
    aim=_aim,
    names=_names,
    related=(LITELLM_CREDENTIAL.resource,),
)

LITELLM_VECTOR_STORES = entity_controller(VECTOR_STORE)
