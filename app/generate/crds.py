"""``crds/``: one CustomResourceDefinition a file, named as Kubernetes tools name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.generate.text import yaml_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.apis.custom_resource import CustomResource
    from app.hooks.objects import Resource

COMMAND = "palena generate crds"


def crds(kinds: Iterable[CustomResource]) -> dict[str, str]:
    """Every definition by its path."""
    return {f"crds/{file_name(kind.resource)}": yaml_text(kind.crd(), command=COMMAND) for kind in kinds}


def file_name(resource: Resource) -> str:
    """``<group>_<plural>.yaml``."""
    return f"{resource.group}_{resource.plural}.yaml"
