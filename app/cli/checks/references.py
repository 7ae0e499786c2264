"""Secrets that a spec refers to and that are in none of the files, or lack the key. The cluster may have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.cli.checks.folder import namespace_of
from app.sim.json_values import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.cli.checks.folder import Folder
    from app.hooks.objects import Object


def reference_warnings(item: Object, folder: Folder) -> list[str]:
    """What each reference lacks, with its path."""
    warnings: list[str] = []
    namespace = namespace_of(item)
    for path, name, key in secret_references(item.get("spec"), "spec"):
        found = folder.find("Secret.v1", namespace, name)
        if found is None:
            warnings.append(f"{path}: Secret {namespace}/{name} is in none of the files; the cluster must have it")
            continue
        if key and not any(key in _keys(found.item.get(name)) for name in ("data", "stringData")):
            warnings.append(f"{path}: Secret {namespace}/{name} in {found.origin} has no key {key!r}")
    return warnings


def _keys(value: Any) -> Iterable[str]:
    return value if is_object(value) else ()


def secret_references(value: Any, path: str) -> Iterator[tuple[str, str, str]]:
    """Path, name and key (or nothing) of every field whose name ends in ``secretRef``."""
    if is_object(value):
        for name, field in value.items():
            here = f"{path}.{name}"
            if name.lower().endswith("secretref") and is_object(field) and isinstance(field.get("name"), str):
                yield here, field["name"], str(field.get("key") or "")
            else:
                yield from secret_references(field, here)
    elif is_list(value):
        for position, element in enumerate(value):
            yield from secret_references(element, f"{path}[{position}]")
