"""The table of what an API server says to bad objects, for the in-memory one and for the comparison with a real one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from app.hooks.objects import Object

_TABLE = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text())
CRD: Object = _TABLE["crd"]


@dataclass(frozen=True)
class ValidationCase:
    """One object and what became of it. ``message`` is none where it was taken; ``stored`` is its spec then."""

    why: str
    message: str | None
    spec: Object | None = None
    stored: Object | None = None
    old: Object | None = None
    metadata: Object = field(default_factory=dict)
    object: Object | None = None

    def item(self, namespace: str, spec: Object | None = None) -> Object:
        """The object to send, or with another spec the one that it replaces."""
        content = {"spec": self.spec if spec is None else spec} if self.object is None else self.object
        metadata = {"name": "s", "namespace": namespace, **self.metadata}
        return {"apiVersion": "toy.example.com/v1", "kind": "Sample", "metadata": metadata, **content}


CASES = [ValidationCase(**case) for case in _TABLE["cases"]]


def unordered(message: str) -> list[str]:
    """The parts of a refusal; a real API server names the errors of different fields in no fixed order."""
    start, bracket, errors = message.partition(": [")
    return [start, *sorted(errors.removesuffix("]").split(", "))] if bracket else [message]
