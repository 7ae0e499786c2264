"""Objects of the files that ask one instance for the same name, of which LiteLLM gives one to each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.apis.litellm.budget import LITELLM_BUDGET
from app.apis.litellm.credential import LITELLM_CREDENTIAL
from app.apis.litellm.customer import LITELLM_CUSTOMER
from app.apis.litellm.mcp_server import LITELLM_MCP_SERVER
from app.apis.litellm.team import LITELLM_TEAM
from app.apis.litellm.user import LITELLM_USER
from app.apis.litellm.vector_store import LITELLM_VECTOR_STORE
from app.apis.litellm.virtual_key import LITELLM_VIRTUAL_KEY
from app.cli.checks.folder import identity, namespace_of
from app.hooks.objects import resource_key
from app.hooks.observed_fields import object_in, text_in

if TYPE_CHECKING:
    from app.cli.checks.folder import Folder, Identity
    from app.cli.files import Manifest

_OWN = {
    kind.resource.key: fields
    for kind, fields in (
        (LITELLM_BUDGET, ("budgetId",)),
        (LITELLM_CREDENTIAL, ("credentialName",)),
        (LITELLM_CUSTOMER, ("customerId",)),
        (LITELLM_MCP_SERVER, ("serverName", "alias")),
        (LITELLM_TEAM, ("teamId",)),
        (LITELLM_USER, ("userId", "userEmail")),
        (LITELLM_VECTOR_STORE, ("vectorStoreId",)),
        (LITELLM_VIRTUAL_KEY, ("keyAlias",)),
    )
}
"""Fields of the spec that no two objects of a proxy share, by kind. Aliases of teams and organizations may be shared."""


def same_name_warnings(folder: Folder) -> dict[Identity, list[str]]:
    """What each object asks for that one before it in the files asks for, too."""
    first: dict[tuple[str, ...], Manifest] = {}
    warnings: dict[Identity, list[str]] = {}
    for manifest in folder.objects():
        kind, spec = resource_key(manifest.item), object_in(manifest.item, "spec")
        instance = text_in(object_in(spec, "instanceRef"), "name")
        for field in _OWN.get(kind, ()) if instance else ():
            if value := text_in(spec, field):
                holder = first.setdefault((kind, namespace_of(manifest.item), instance, field, value), manifest)
                if holder is not manifest:
                    warnings.setdefault(identity(manifest.item), []).append(_told(field, instance, holder))
    return warnings


def _told(field: str, instance: str, holder: Manifest) -> str:
    metadata: Any = holder.item["metadata"]
    other = f"{holder.item['kind']} {namespace_of(holder.item)}/{metadata['name']} in {holder.origin}"
    return f"spec.{field}: {other} has the same at LiteLLMInstance {instance}; LiteLLM takes only one of them"
