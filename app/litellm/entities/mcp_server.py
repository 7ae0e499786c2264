"""An MCP server in LiteLLM: where it is, how the proxy proves itself to it, and who may use it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.hooks.observed_fields import object_in
from app.litellm.admin.calls import Call, path
from app.litellm.entities.entity import Entity, Update
from app.litellm.entities.listing import Page, picked, rows_of
from app.litellm.entities.ownership import MARK, mark_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from app.apis.litellm.mcp_server import LiteLLMMCPServerSpec
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Wanted
    from app.litellm.entities.ownership import Mark

INFO = "mcp_info"
CREDENTIALS = "credentials"

_LISTS = ("extra_headers", "allowed_tools", "mcp_access_groups")
_MAPS = ("static_headers", "tool_name_to_display_name", "tool_name_to_description")
_FLAGS = ("allow_all_keys", "available_on_public_internet")
_NEWER = ("oauth2_flow", "tool_name_to_display_name", "tool_name_to_description", "instructions")
"""What 1.81 does not know, takes and forgets."""
_SET_BACK = ("alias", "mcp_access_groups", *_FLAGS)
"""What a PUT without them sets back, at 1.81."""
_COPIED = ("server_name", "description")
"""What LiteLLM shows in ``mcp_info`` and does not store there."""
_OFF = ("is_public", "is_public_explicit")
"""The same, while it is false."""
_SHOWN = (
    "server_name",
    "alias",
    "description",
    "url",
    "transport",
    "spec_path",
    "auth_type",
    "extra_headers",
    "allowed_tools",
    "tool_name_to_display_name",
    "tool_name_to_description",
    "mcp_access_groups",
    "instructions",
    *_FLAGS,
    INFO,
)
"""What the list shows as it was sent; headers with values may hold secrets."""
_CARRIED = (*(name for name in _SHOWN if name != INFO), "static_headers", "authorization_url", "token_url", "registration_url")
"""What the list shows, and a server that is made again is to have."""


def mcp_server_fields(
    spec: LiteLLMMCPServerSpec, name: str, credentials: Mapping[str, str], headers: Mapping[str, str]
) -> Object:
    """What LiteLLM is told of a server. ``name`` is the object's own; the values of ``headers`` win."""
    oauth2 = spec.oauth2
    scopes = spec.credentials.scopes if spec.credentials is not None else None
    return {
        "server_name": spec.server_name or name.replace("-", "_"),
        "alias": spec.alias,
        "description": spec.description,
        "url": spec.url,
        "transport": spec.transport,
        "spec_path": spec.spec_path,
        "auth_type": spec.auth_type,
        CREDENTIALS: {**credentials, **({"scopes": scopes} if scopes else {})},
        "oauth2_flow": oauth2.flow if oauth2 else None,
        "authorization_url": oauth2.authorization_url if oauth2 else None,
        "token_url": oauth2.token_url if oauth2 else None,
        "registration_url": oauth2.registration_url if oauth2 else None,
        "extra_headers": spec.extra_headers,
        "static_headers": {**(spec.static_headers or {}), **headers},
        "allowed_tools": spec.allowed_tools,
        "tool_name_to_display_name": spec.tool_name_to_display_name,
        "tool_name_to_description": spec.tool_name_to_description,
        "mcp_access_groups": spec.access_groups,
        "instructions": spec.instructions,
        "allow_all_keys": spec.allow_all_keys,
        "available_on_public_internet": spec.available_on_public_internet,
        INFO: spec.mcp_info,
    }


class MCPServer(Entity):
    """``/v1/mcp/server``. The mark is in ``mcp_info``."""

    noun = "MCP server"
    late = True

    def read(self, object_id: str) -> Call:
        """The list of all servers: reading one by its id has the proxy call the server."""
        return Call("GET", "/v1/mcp/server")

    def row(self, object_id: str, answer: Any) -> Object | None:
        """The server of that id in the list."""
        return next((row for row in rows_of(answer) if row.get("server_id") == object_id), None)

    def tells_absence(self, answer: Any) -> bool:
        """A list without it."""
        return True

    def mark_of(self, row: Object) -> Mark | None:
        """In ``mcp_info``, to which releases add keys of their own."""
        return mark_in(row.get(INFO))

    def create(self, wanted: Wanted, mark: Mark) -> Call:
        """A new server. One of that id is refused with 400, one of that name too since 1.108."""
        return Call("POST", "/v1/mcp/server", body=_body(wanted, mark, {}, frozenset()))

    def update(self, wanted: Wanted, mark: Mark, row: Object, dropped: frozenset[str]) -> Update:
        """A PUT with all that 1.81 sets back without being told so.

        A single value goes by making the server again: 1.81 keeps it whatever a PUT says, newer releases keep a credential that
        a PUT leaves out, and no two releases agree on what a server without the flag for the internet is.
        """
        emptied: Object = {name: [] for name in _LISTS if name in dropped}
        emptied |= {name: {} for name in _MAPS if name in dropped}
        if "allow_all_keys" in dropped:
            emptied["allow_all_keys"] = False
        if any(_is_single(name) and not _has(wanted, name) for name in dropped - emptied.keys()):
            body = {**_theirs(row, _CARRIED, dropped), **_body(wanted, mark, row, dropped)}
            return Update((self.delete(wanted.id), Call("POST", "/v1/mcp/server", body=body)), remade=True)
        body = {**_theirs(row, _SET_BACK), **emptied, **_body(wanted, mark, row, dropped)}
        return Update((Call("PUT", "/v1/mcp/server", body=body),))

    def delete(self, object_id: str) -> Call:
        """404 for one that is gone."""
        return Call("DELETE", path("v1", "mcp", "server", object_id))

    def listing(self, page: int) -> Call:
        """The same list that :meth:`read` is of."""
        return self.read("")

    def listed(self, answer: Any, page: int) -> Page:
        """A bare list."""
        return Page(rows_of(answer))

    def id_of(self, row: Object) -> str:
        """The id that was chosen."""
        return str(row.get("server_id") or "")

    def comparable(self, row: Object) -> Object:
        """Without credentials and headers."""
        return picked(row, _SHOWN)


def forgotten(wanted: Object, row: Object) -> tuple[str, ...]:
    """The names of the wanted fields that the release does not know, given what it shows of the server."""
    return tuple(name for name in _NEWER if name in wanted and name not in row)


def _is_single(name: str) -> bool:
    return name != INFO and not name.startswith(f"{INFO}.")


def _has(wanted: Wanted, name: str) -> bool:
    """Whether a credential by the name that marks have for it is wanted."""
    field, _, entry = name.partition(".")
    return bool(entry) and entry in wanted.fields.get(field, {})


def _theirs(row: Object, names: Iterable[str], dropped: frozenset[str] = frozenset()) -> Object:
    """What others may have set. The usual alias is nobody's: it follows the name."""
    shown = {name: row[name] for name in names if name not in dropped and row.get(name) not in (None, [], {})}
    if shown.get("alias") == row.get("server_name"):
        shown.pop("alias", None)
    return shown


def _body(wanted: Wanted, mark: Mark, row: Object, dropped: frozenset[str]) -> Object:
    shown = object_in(row, INFO)
    gone = {MARK, *_COPIED, *(name for name in _OFF if not shown.get(name)), *(name.removeprefix(f"{INFO}.") for name in dropped)}
    kept = {name: value for name, value in shown.items() if name not in gone}
    entries = {f"{field}.{name}" for field in (INFO, CREDENTIALS) for name in wanted.fields.get(field, {})}
    written = replace(mark, fields=mark.fields | entries).written()
    return {
        "server_id": wanted.id,
        **wanted.fields,
        INFO: {**kept, **wanted.fields.get(INFO, {}), MARK: written},
    }
