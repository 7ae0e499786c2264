"""Objects of the files that want the same: a name at one instance, of which LiteLLM gives one to each, or the Secret of a key.

The controllers themselves say what a spec wants that leaves it out. A spec that they cannot read wants what is written in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from app.apis.checking import InvalidSpec, check_spec
from app.cli.checks.folder import identity, namespace_of
from app.controllers.entities.budget import BUDGET
from app.controllers.entities.credential import CREDENTIAL
from app.controllers.entities.customer import CUSTOMER
from app.controllers.entities.mcp_server import MCP_SERVER
from app.controllers.entities.team import TEAM
from app.controllers.entities.user import USER
from app.controllers.entities.vector_store import VECTOR_STORE
from app.controllers.entities.virtual_key import VIRTUAL_KEY
from app.hooks.objects import resource_key
from app.hooks.observed_fields import object_in, objects_in, text_in
from app.litellm.entities.mcp_server import mcp_server_fields
from app.resources.errors import Unbuildable
from app.resources.key_secret import key_secret_name
from app.resources.kinds import SECRET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.apis.litellm.mcp_server import LiteLLMMCPServerSpec
    from app.apis.litellm.user import LiteLLMUserSpec
    from app.apis.litellm.virtual_key import LiteLLMVirtualKeySpec
    from app.cli.checks.folder import Folder, Identity
    from app.cli.files import Manifest
    from app.controllers.entities.kind import EntityKind
    from app.hooks.objects import Object


def _server_name(spec: LiteLLMMCPServerSpec, name: str) -> str:
    return str(mcp_server_fields(spec, name, {}, {})["server_name"])


def _secret_name(spec: LiteLLMVirtualKeySpec, name: str) -> str:
    try:
        return key_secret_name(spec, name)
    except Unbuildable:
        return ""


def _server_alias(spec: LiteLLMMCPServerSpec, name: str) -> str:
    return spec.alias or ""


def _user_email(spec: LiteLLMUserSpec, name: str) -> str:
    return spec.user_email or ""


def _key_alias(spec: LiteLLMVirtualKeySpec, name: str) -> str:
    return spec.key_alias


class _Own(NamedTuple):
    """A field of the spec that no two objects share: of one instance, or, for the name of a Secret, of one namespace."""

    field: str
    wanted: Callable[[Any, str], str]
    """What a spec gets for it, given the name of its object; empty for nothing that is known before."""
    of_instance: bool = True


_OWN: dict[str, tuple[EntityKind[Any], tuple[_Own, ...]]] = {
    kind.resource.resource.key: (kind, fields)
    for kind, fields in (
        (BUDGET, (_Own("budgetId", BUDGET.chosen_id),)),
        (CREDENTIAL, (_Own("credentialName", CREDENTIAL.chosen_id),)),
        (CUSTOMER, (_Own("customerId", CUSTOMER.chosen_id),)),
        (MCP_SERVER, (_Own("serverName", _server_name), _Own("alias", _server_alias))),
        (TEAM, (_Own("teamId", TEAM.chosen_id),)),
        (USER, (_Own("userId", USER.chosen_id), _Own("userEmail", _user_email))),
        (VECTOR_STORE, (_Own("vectorStoreId", VECTOR_STORE.chosen_id),)),
        (VIRTUAL_KEY, (_Own("keyAlias", _key_alias), _Own("keySecretName", _secret_name, of_instance=False))),
    )
}
"""By kind. Aliases of teams and organizations may be shared."""


def same_name_warnings(folder: Folder) -> dict[Identity, list[str]]:
    """What each object asks for that one before it in the files asks for, too, or that a Secret of the files has."""
    first: dict[tuple[str, ...], Manifest] = {}
    warnings: dict[Identity, list[str]] = {}
    for manifest in folder.objects():
        item = manifest.item
        instance = text_in(object_in(object_in(item, "spec"), "instanceRef"), "name")
        for own, value in _wanted(item) if instance else ():
            place = (resource_key(item), namespace_of(item), own.field, value, instance if own.of_instance else "")
            holder = first.setdefault(place, manifest)
            if holder is not manifest:
                warnings.setdefault(identity(item), []).append(_told(own, value, manifest, holder))
            if not own.of_instance and (secret := folder.find(SECRET.key, namespace_of(item), value)) and not _made(secret, item):
                warnings.setdefault(identity(item), []).append(_in_the_way(own, secret))
    return warnings


def _wanted(item: Object) -> Iterable[tuple[_Own, str]]:
    if resource_key(item) not in _OWN:
        return
    kind, fields = _OWN[resource_key(item)]
    raw = object_in(item, "spec")
    spec = check_spec(kind.spec, raw)
    for own in fields:
        value = text_in(raw, own.field) if isinstance(spec, InvalidSpec) else own.wanted(spec, str(item["metadata"]["name"]))
        if value:
            yield own, value


def _made(secret: Manifest, item: Object) -> bool:
    """Whether the Secret, as it was read from a cluster, is the one that this object made."""
    owners = objects_in(secret.item["metadata"], "ownerReferences")
    names = [(owner.get("kind"), owner.get("name")) for owner in owners if owner.get("controller") is True]
    return (item["kind"], item["metadata"]["name"]) in names


def _in_the_way(own: _Own, secret: Manifest) -> str:
    return (
        f"spec.{own.field}: Secret {namespace_of(secret.item)}/{secret.item['metadata']['name']} in {secret.origin} has the name "
        "under which this key's Secret is made; it is left untouched, and the key is not made beside it: choose another name, "
        "or leave that Secret out"
    )


def _told(own: _Own, value: str, manifest: Manifest, holder: Manifest) -> str:
    other = f"{holder.item['kind']} {namespace_of(holder.item)}/{holder.item['metadata']['name']} in {holder.origin}"
    specs = [object_in(one.item, "spec") for one in (manifest, holder)]
    same = "the same" if all(text_in(spec, own.field) == value for spec in specs) else f"the same, {value},"
    if not own.of_instance:
        return f"spec.{own.field}: {other} has {same} for its Secret; only one of them gets it"
    instance = text_in(object_in(specs[0], "instanceRef"), "name")
    return f"spec.{own.field}: {other} has {same} at LiteLLMInstance {instance}; LiteLLM takes only one of them"
