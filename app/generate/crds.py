"""``crds/``: one CustomResourceDefinition a file, named as Kubernetes tools name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.generate.text import yaml_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.apis.custom_resource import CustomResource

COMMAND = "palena generate crds"


def crds(kinds: Iterable[CustomResource]) -> dict[str, str]:
    """Every definition by its path, ``crds/<group>_<plural>.yaml``."""
    return {f"crds/{kind.resource.group}_{kind.resource.plural}.yaml": yaml_text(kind.crd(), command=COMMAND) for kind in kinds}
