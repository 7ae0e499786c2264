"""What is written from the declarations: ``crds/``, ``metacontroller/``, ``chart/files/``, ``docs/reference/``.

Every part is a pure function to ``{path in the checkout: text}``; writing and comparing files is the command line's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import registry
from app.generate.chart import chart
from app.generate.crds import crds
from app.generate.manifests import manifests
from app.generate.reference import reference

if TYPE_CHECKING:
    from collections.abc import Callable

PARTS: dict[str, Callable[[], dict[str, str]]] = {
    "crds": lambda: crds(registry.KINDS),
    "manifests": lambda: manifests(registry.CONTROLLERS, [kind.resource for kind in registry.KINDS]),
    "chart": lambda: chart(registry.CONTROLLERS, registry.KINDS),
    "docs": lambda: reference(registry.KINDS),
}
"""What ``palena generate`` takes as its argument, and what each makes."""


def generated(part: str | None = None) -> dict[str, str]:
    """The files of one part, or of all."""
    parts = PARTS.values() if part is None else [PARTS[part]]
    return {path: text for make in parts for path, text in make().items()}
