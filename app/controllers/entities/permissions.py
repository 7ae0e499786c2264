"""``spec.objectPermission``: names of our own MCP servers and vector stores become the ids that LiteLLM knows them by.

A name that is no custom resource of the namespace is LiteLLM's own and passed on as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.apis.litellm.mcp_server import LITELLM_MCP_SERVER
from app.apis.litellm.vector_store import LITELLM_VECTOR_STORE
from app.controllers.entities.unsettled import reference_not_ready
from app.hooks.observed_fields import object_in, text_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.apis.custom_resource import CustomResource
    from app.apis.litellm.object_permission import ObjectPermission
    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object, Resource

RELATED = (LITELLM_MCP_SERVER.resource, LITELLM_VECTOR_STORE.resource)
"""Kinds that :func:`names` may name."""

_FIELD = "spec.objectPermission"


def names(spec: Any) -> Iterator[tuple[Resource, Any]]:
    """Kind and name of whatever a raw spec's permission may refer to."""
    permission = object_in(spec, "objectPermission")
    for field, kind in (("mcpServers", LITELLM_MCP_SERVER), ("vectorStores", LITELLM_VECTOR_STORE)):
        listed: Any = permission.get(field)
        for name in cast("list[Any]", listed) if isinstance(listed, list) else []:
            yield kind.resource, name


def object_permission(setting: Setting[Any], permission: ObjectPermission | None) -> Object | None:
    """LiteLLM's ``object_permission``; nothing for a spec without one.

    Raises :class:`~app.controllers.entities.unsettled.Unsettled` for one of our objects that LiteLLM does not have yet.
    """
    if permission is None:
        return None
    fields = {
        "mcp_servers": [_id(setting, LITELLM_MCP_SERVER, name, "mcpServers") for name in permission.mcp_servers or ()],
        "mcp_access_groups": permission.access_groups,
        "vector_stores": [_id(setting, LITELLM_VECTOR_STORE, name, "vectorStores") for name in permission.vector_stores or ()],
        "agents": permission.agents,
    }
    return {name: value for name, value in fields.items() if value} or None


def _id(setting: Setting[Any], kind: CustomResource, name: str, field: str) -> str:
    """The remote id of one of our objects, else the name as it is."""
    found = setting.request.related.find(kind.resource, setting.request.namespace, name)
    if found is None:
        return name
    id_field = "litellmServerId" if kind is LITELLM_MCP_SERVER else "litellmVectorStoreId"
    known = text_in(object_in(found, "status"), id_field)
    if not known:
        raise reference_not_ready(f"{kind.resource.kind} {name} ({_FIELD}.{field}) is not in LiteLLM yet")
    return known
