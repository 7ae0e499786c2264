"""What ``palena lint`` looks at: each object as the API server would, then what only several objects together can show.

The API server is the one in memory: the refusals are its texts. Kinds that Palena does not define are looked at for their
names only; they may be anything that lies in the same folder.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import orjson

from app.hooks.objects import Object, object_key, resource_key
from app.sim.cluster import AlreadyExists, ApiError
from app.sim.validation.pruning import prune

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from app.apis.custom_resource import CustomResource
    from app.cli.files import Manifest
    from app.sim.cluster import Cluster

NAMESPACE = "default"
"""Where an object without a namespace goes."""


NEEDED_MEMBER = {"add": "value", "replace": "value", "test": "value", "move": "from", "copy": "from"}
"""What an operation of a JSON Patch must have beside ``op`` and ``path``."""


class Severity(StrEnum):
    """An error fails the command; a warning is something that only the cluster can settle."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or may be."""

    origin: str
    object: str
    severity: Severity
    message: str


async def findings(manifests: Sequence[Manifest], kinds: Sequence[CustomResource], cluster: Cluster) -> list[Finding]:
    """Everything found, in the order of the files. ``cluster`` serves the kinds and has no objects yet."""
    found: list[Finding] = []
    known = {kind.resource.key: kind for kind in kinds}
    groups = {kind.resource.group for kind in kinds}
    present = _by_key(manifests)
    for manifest in manifests:
        item, key = manifest.item, resource_key(manifest.item)
        errors: list[str] = []
        warnings: list[str] = []
        first = present[_identity(item)][0]
        if first is not manifest:
            if first.item != item:
                errors.append(f"another version of this object is in {first.origin}; only one of them can last")
        elif key in known:
            errors += await _refusals(item, known[key], cluster)
            errors += patch_errors(item)
            warnings += reference_warnings(item, present)
        elif item["apiVersion"].rpartition("/")[0] in groups:
            errors.append(f'no matches for kind "{item["kind"]}" in version "{item["apiVersion"]}"')
        found += [Finding(manifest.origin, str(manifest), Severity.ERROR, message) for message in errors]
        found += [Finding(manifest.origin, str(manifest), Severity.WARNING, message) for message in warnings]
    return found


async def _refusals(item: Object, kind: CustomResource, cluster: Cluster) -> list[str]:
    schema: Object = kind.crd()["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    stored = in_namespace(item)
    unknown = prune(in_namespace(item), schema)
    errors = ["strict decoding error: " + ", ".join(f'unknown field "{path}"' for path in unknown)] if unknown else []
    try:
        await _ensure_namespace(cluster, stored["metadata"]["namespace"])
        await cluster.create(stored)
    except ApiError as refusal:
        errors.append(refusal.message)
    return errors


def patch_errors(item: Object) -> list[str]:
    """Operations of ``spec.patches`` that lack what RFC 6902 asks of them; the schema sees to everything else."""
    errors: list[str] = []
    spec: Object = item.get("spec") or {}
    patches: list[Any] = spec.get("patches") or []
    for position, entry in enumerate(patches):
        operations: list[Object] = entry.get("patch") or []
        for number, operation in enumerate(operations):
            needed = NEEDED_MEMBER.get(str(operation.get("op")))
            if needed and needed not in operation:
                path = f"spec.patches[{position}].patch[{number}].{needed}"
                errors.append(f"{path}: Required value: {operation['op']} needs it (RFC 6902)")
    return errors


def reference_warnings(item: Object, present: Mapping[tuple[str, str], Sequence[Manifest]]) -> list[str]:
    """Secrets that the spec refers to and that are in none of the files, or lack the key."""
    warnings: list[str] = []
    namespace = item["metadata"].get("namespace", NAMESPACE)
    for path, name, key in secret_references(item.get("spec"), "spec"):
        found = present.get(("Secret.v1", f"{namespace}/{name}"))
        if not found:
            warnings.append(f"{path}: Secret {namespace}/{name} is in none of the files; the cluster must have it")
            continue
        secret = found[0].item
        if key and key not in {**(secret.get("data") or {}), **(secret.get("stringData") or {})}:
            warnings.append(f"{path}: Secret {namespace}/{name} in {found[0].origin} has no key {key!r}")
    return warnings


def secret_references(value: Any, path: str) -> Iterator[tuple[str, str, str]]:
    """Path, name and key (or nothing) of every field whose name ends in ``secretRef``."""
    if isinstance(value, dict):
        field: Any
        for name, field in value.items():  # pyright: ignore[reportUnknownVariableType]
            here = f"{path}.{name}"
            if str(name).lower().endswith("secretref") and isinstance(field, dict) and isinstance(field.get("name"), str):  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
                yield here, field["name"], str(field.get("key") or "")  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
            else:
                yield from secret_references(field, here)
    elif isinstance(value, list):
        for position, element in enumerate(value):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
            yield from secret_references(element, f"{path}[{position}]")


def in_namespace(item: Object) -> Object:
    """A copy that says its namespace."""
    copy: Object = orjson.loads(orjson.dumps(item))
    copy["metadata"].setdefault("namespace", NAMESPACE)
    return copy


async def _ensure_namespace(cluster: Cluster, name: str) -> None:
    with suppress(AlreadyExists):
        await cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})


def _identity(item: Object) -> tuple[str, str]:
    metadata = item["metadata"]
    return resource_key(item), object_key({**item, "metadata": {"namespace": metadata.get("namespace", NAMESPACE), **metadata}})


def _by_key(manifests: Sequence[Manifest]) -> dict[tuple[str, str], list[Manifest]]:
    present: defaultdict[tuple[str, str], list[Manifest]] = defaultdict(list)
    for manifest in manifests:
        present[_identity(manifest.item)].append(manifest)
    return dict(present)
