"""Objects that a spec refers to and that are in none of the files, or that lack the key. The cluster may have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from app.apis.litellm.credential import LITELLM_CREDENTIAL
from app.apis.litellm.instance import LITELLM_INSTANCE
from app.apis.litellm.organization import LITELLM_ORGANIZATION
from app.apis.litellm.team import LITELLM_TEAM
from app.apis.litellm.user import LITELLM_USER
from app.cli.checks.folder import namespace_of
from app.resources.cloudnativepg import cnpg_secret
from app.resources.kinds import CONFIG_MAP, SECRET
from app.sim.json_values import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.cli.checks.folder import Folder
    from app.hooks.objects import Object, Resource

_OURS = {
    "instanceRef": LITELLM_INSTANCE.resource,
    "credentialRef": LITELLM_CREDENTIAL.resource,
    "organizationRef": LITELLM_ORGANIZATION.resource,
    "teamRef": LITELLM_TEAM.resource,
    "userRef": LITELLM_USER.resource,
}
"""What a field of this name refers to, in every kind."""
_BY_ENDING = {"secretref": SECRET, "configmapref": CONFIG_MAP}
"""The same by how the name ends, in lower case. These have keys."""


_CNPG_CLUSTER = "Cluster.postgresql.cnpg.io/v1"


class Reference(NamedTuple):
    """A field that names an object of the namespace."""

    path: str
    resource: Resource
    name: str
    key: str
    """Of a Secret or a ConfigMap, or nothing."""


def key_warnings(item: Object, folder: Folder) -> list[str]:
    """The references to a key that the object of that name, which is in the files, does not have."""
    warnings: list[str] = []
    namespace = namespace_of(item)
    for path, resource, name, key in references(item.get("spec"), "spec"):
        found = folder.find(resource.key, namespace, name) if key else None
        if found and not any(key in _keys(found.item.get(data)) for data in ("data", "stringData", "binaryData")):
            warnings.append(f"{path}: {resource.kind} {namespace}/{name} in {found.origin} has no key {key!r}")
    return warnings


def elsewhere_warnings(item: Object, folder: Folder) -> list[str]:
    """The references to objects that are in none of the files, with the one of a name nearly so that is."""
    warnings: list[str] = []
    namespace = namespace_of(item)
    for path, resource, name, _ in references(item.get("spec"), "spec"):
        if folder.find(resource.key, namespace, name) is None:
            warning = f"{path}: {resource.kind} {namespace}/{name} is in none of the files; the cluster must have it"
            alike = folder.alike(resource.key, namespace, name)
            warnings.append(f"{warning}; did you mean {alike}?" if alike else warning)
    return warnings + _cloudnativepg_warnings(item, folder)


def _cloudnativepg_warnings(item: Object, folder: Folder) -> list[str]:
    """A managed gateway reads the Secret that CloudNativePG makes for a Cluster; either of them will do."""
    spec: Any = item.get("spec")
    cluster = _at(spec, "database", "cloudnativepg", "clusterName")
    unused = _at(spec, "workload", "managed") is False or _at(spec, "database", "external") is not None
    if item["kind"] != LITELLM_INSTANCE.resource.kind or unused or not isinstance(cluster, str) or not cluster:
        return []
    namespace, secret = namespace_of(item), cnpg_secret(cluster)
    if folder.find(SECRET.key, namespace, secret) or folder.find(_CNPG_CLUSTER, namespace, cluster):
        return []
    return [
        f"spec.database.cloudnativepg.clusterName: neither Cluster {namespace}/{cluster} nor its Secret {namespace}/{secret} "
        "is in the files; the cluster must have them"
    ]


def _at(value: Any, *path: str) -> Any:
    for name in path:
        value = value.get(name) if is_object(value) else None
    return value


def _keys(value: Any) -> Iterable[str]:
    return value if is_object(value) else ()


def references(value: Any, path: str) -> Iterator[Reference]:
    """Every reference in a spec, in its order."""
    if is_object(value):
        for name, field in value.items():
            here = f"{path}.{name}"
            keyed = next((kind for ending, kind in _BY_ENDING.items() if name.lower().endswith(ending)), None)
            resource = keyed or _OURS.get(name)
            if resource is not None and is_object(field) and isinstance(field.get("name"), str):
                yield Reference(here, resource, field["name"], str((field.get("key") if keyed else None) or ""))
            else:
                yield from references(field, here)
    elif is_list(value):
        for position, element in enumerate(value):
            yield from references(element, f"{path}[{position}]")
