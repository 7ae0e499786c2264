"""LiteLLMMCPServer: a server of the Model Context Protocol that the proxy offers to its clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.apis.litellm.mcp_server import LITELLM_MCP_SERVER, LiteLLMMCPServerSpec
from app.controllers.entities.controller import entity_controller
from app.controllers.entities.kind import Aim, EntityKind, Followed
from app.controllers.entities.references import spec_name
from app.controllers.entities.settling import look
from app.hooks.observed_fields import objects_in
from app.litellm.entities.mcp_server import MCPServer, forgotten, mcp_server_fields
from app.resources.kinds import SECRET
from app.status.entity.reasons import FIELDS_IGNORED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Resource
    from app.litellm.entities.entity import Plan

_CREDENTIALS = (
    ("auth_value", "auth_value_secret_ref", "authValueSecretRef"),
    ("client_id", "client_id_secret_ref", "clientIdSecretRef"),
    ("client_secret", "client_secret_secret_ref", "clientSecretSecretRef"),
)
"""LiteLLM's name, the model's and the spec's."""


async def _aim(setting: Setting[LiteLLMMCPServerSpec]) -> Aim:
    spec = setting.spec
    credentials: dict[str, str] = {}
    for name, attribute, field in _CREDENTIALS:
        reference = getattr(spec.credentials, attribute, None)
        if reference is not None:
            credentials[name] = await setting.secret_text(reference.name, reference.key, f"spec.credentials.{field}")
    headers: dict[str, str] = {}
    for place, header in enumerate(spec.static_header_secrets or ()):
        field = f"spec.staticHeaderSecrets[{place}].secretRef"
        value = await setting.secret_text(header.secret_ref.name, header.secret_ref.key, field)
        headers[header.header_name] = f"{header.prefix or ''}{value}"
    fields = mcp_server_fields(spec, setting.request.name, credentials, headers)
    wanted = setting.wanted(fields, secrets=(*credentials.values(), *headers.values()))
    return Aim(wanted=wanted, conditions=setting.id_change)


async def _follow_up(setting: Setting[LiteLLMMCPServerSpec], aim: Aim, _: Plan) -> Followed:
    """A look at what the release knows of it, where some do not know all."""
    fields = aim.wanted.fields
    if not forgotten(fields, {}):
        return Followed()
    row = await look(setting.link.admin, MCP_SERVER.entity, aim.wanted.id)
    names = forgotten(fields, row) if row is not None else ()
    if not names:
        return Followed()
    return Followed(conditions=(FIELDS_IGNORED.because(f"this LiteLLM knows no {', '.join(names)} of MCP servers"),))


def _names(spec: Any) -> Iterator[tuple[Resource, Any]]:
    for _, _, field in _CREDENTIALS:
        yield SECRET, spec_name(spec, "credentials", field)
    for header in objects_in(spec, "staticHeaderSecrets"):
        yield SECRET, spec_name(header, "secretRef")


MCP_SERVER = EntityKind(
    resource=LITELLM_MCP_SERVER,
    spec=LiteLLMMCPServerSpec,
    entity=MCPServer(),
    id_field="litellmServerId",
    aim=_aim,
    names=_names,
    follow_up=_follow_up,
    told_by_calls=frozenset({FIELDS_IGNORED.type}),
)

LITELLM_MCP_SERVERS = entity_controller(MCP_SERVER)
