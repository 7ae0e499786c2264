"""A kind of ours as data: its names, models and columns, and the CustomResourceDefinition made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.apis.schema import structural_schema

if TYPE_CHECKING:
    from app.apis.section import Section
    from app.hooks.objects import Object, Resource


@dataclass(frozen=True)
class PrinterColumn:
    """One column of ``kubectl get``."""

    name: str
    json_path: str
    type: str = "string"
    priority: int = 0
    """Above 0 the column shows only with ``-o wide``."""

    def definition(self) -> Object:
        """The entry of ``additionalPrinterColumns``."""
        wide = {"priority": self.priority} if self.priority else {}
        return {"name": self.name, "type": self.type, "jsonPath": self.json_path, **wide}


AGE = PrinterColumn("Age", ".metadata.creationTimestamp", "date")


def condition_column(condition: str) -> PrinterColumn:
    """A column that shows the status of a condition."""
    return PrinterColumn(condition, f".status.conditions[?(@.type=='{condition}')].status")


@dataclass(frozen=True, kw_only=True)
class CustomResource:
    """A kind that we define. Served in one version, which is also the stored one; status is a subresource."""

    resource: Resource
    singular: str
    short_names: tuple[str, ...]
    categories: tuple[str, ...]
    description: str
    """What the kind is for, in a sentence or two: the schema's own description."""
    spec: type[Section]
    status: type[Section]
    columns: tuple[PrinterColumn, ...]

    @property
    def name(self) -> str:
        """The definition's name: ``<plural>.<group>``."""
        return f"{self.resource.plural}.{self.resource.group}"

    def schema(self, *, expand_core: bool = True) -> Object:
        """The structural schema of a whole object. ``spec`` is not required here: its absence is reported in status."""
        return {
            "type": "object",
            "description": self.description,
            "properties": {
                "apiVersion": {"type": "string", "description": f"Always {self.resource.api_version}."},
                "kind": {"type": "string", "description": f"Always {self.resource.kind}."},
                "metadata": {"type": "object"},
                "spec": structural_schema(self.spec, expand_core=expand_core),
                "status": structural_schema(self.status, expand_core=expand_core),
            },
        }

    def crd(self) -> Object:
        """The CustomResourceDefinition (``apiextensions.k8s.io/v1``)."""
        resource = self.resource
        return {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": self.name},
            "spec": {
                "group": resource.group,
                "names": {
                    "kind": resource.kind,
                    "listKind": f"{resource.kind}List",
                    "plural": resource.plural,
                    "singular": self.singular,
                    "shortNames": list(self.short_names),
                    "categories": list(self.categories),
                },
                "scope": "Namespaced" if resource.namespaced else "Cluster",
                "versions": [
                    {
                        "name": resource.version,
                        "served": True,
                        "storage": True,
                        "additionalPrinterColumns": [column.definition() for column in self.columns],
                        "schema": {"openAPIV3Schema": self.schema()},
                        "subresources": {"status": {}},
                    }
                ],
            },
        }
