"""Secrets that a spec refers to and that are in none of the files, or lack the key. The cluster may have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.cli.checks.folder import namespace_of

if TYPE_CHECKING:
    from collections.abc import Iterator

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
        if key and key not in {**(found.item.get("data") or {}), **(found.item.get("stringData") or {})}:
            warnings.append(f"{path}: Secret {namespace}/{name} in {found.origin} has no key {key!r}")
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
