"""LiteLLMVectorStore: a store that exists at a provider, registered for searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.apis.litellm.credential import LITELLM_CREDENTIAL
from app.apis.litellm.team import LITELLM_TEAM
from app.apis.litellm.user import LITELLM_USER
from app.apis.litellm.vector_store import LITELLM_VECTOR_STORE, LiteLLMVectorStoreSpec
from app.controllers.entities.controller import entity_controller, spec_name
from app.controllers.entities.kind import Aim, EntityKind
from app.litellm.entities.vector_store import VectorStore, vector_store_fields
from app.resources.kinds import SECRET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object, Resource


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
        fields["litellm_credential_name"] = setting.referenced_id(
            LITELLM_CREDENTIAL, spec.credential_ref.name, "spec.credentialRef", "credentialName"
        )
    if spec.team_ref is not None:
        fields["team_id"] = setting.referenced_id(LITELLM_TEAM, spec.team_ref.name, "spec.teamRef", "litellmTeamId")
    if spec.user_ref is not None:
        fields["user_id"] = setting.referenced_id(LITELLM_USER, spec.user_ref.name, "spec.userRef", "litellmUserId")
    return Aim(wanted=setting.wanted(fields, secrets=secrets.values()), conditions=setting.id_change)


def _names(spec: Any) -> Iterator[tuple[Resource, Any]]:
    yield LITELLM_CREDENTIAL.resource, spec_name(spec, "credentialRef")
    yield LITELLM_TEAM.resource, spec_name(spec, "teamRef")
    yield LITELLM_USER.resource, spec_name(spec, "userRef")
    params: Any = cast("Object", spec).get("paramSecrets") if isinstance(spec, dict) else None
    for param in cast("list[Any]", params) if isinstance(params, list) else []:
        yield SECRET, spec_name(param, "secretRef")


VECTOR_STORE = EntityKind(
    resource=LITELLM_VECTOR_STORE,
    spec=LiteLLMVectorStoreSpec,
    entity=VectorStore(),
    id_field="litellmVectorStoreId",
    chosen_id=lambda spec, _: spec.vector_store_id,
    aim=_aim,
    names=_names,
    related=(LITELLM_CREDENTIAL.resource, LITELLM_TEAM.resource, LITELLM_USER.resource),
)

LITELLM_VECTOR_STORES = entity_controller(VECTOR_STORE)
