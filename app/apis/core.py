"""Types of Kubernetes itself that our specs embed: schema only, never models.

Their content is Kubernetes' business: it is passed on as it came and checked when the API server gets the pod. As models, the
hundred-odd types would double the service's start; as schema they come from ``data/kubernetes-core.json``, an extract of one
Kubernetes version made by ``tools/kubernetes_core.py`` and read only when a definition is generated.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any, cast

from app.hooks.objects import Object

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic_core import CoreSchema

MARK = "x-core-type"
"""Stands for a core type in a schema that is not yet expanded; the value is the type's name."""


@dataclass(frozen=True)
class CoreType:
    """Marks an annotation as a core/v1 type."""

    name: str

    def __get_pydantic_json_schema__(self, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {MARK: self.name}


Affinity = Annotated[Object, CoreType("Affinity")]
EnvFromSource = Annotated[Object, CoreType("EnvFromSource")]
EnvVar = Annotated[Object, CoreType("EnvVar")]
ResourceRequirements = Annotated[Object, CoreType("ResourceRequirements")]
Toleration = Annotated[Object, CoreType("Toleration")]
TopologySpreadConstraint = Annotated[Object, CoreType("TopologySpreadConstraint")]
Volume = Annotated[Object, CoreType("Volume")]
VolumeMount = Annotated[Object, CoreType("VolumeMount")]


@cache
def _extract() -> Object:
    return cast("Object", json.loads(files("app.apis").joinpath("data/kubernetes-core.json").read_text("utf-8")))


def kubernetes_version() -> str:
    """The version the core types are from, e.g. ``v1.36.3``."""
    return str(_extract()["kubernetesVersion"])


def core_schema(name: str) -> Object:
    """The structural schema of a core/v1 type, e.g. ``EnvVar``, without descriptions and without references."""
    return cast("Object", _resolved(_extract()["definitions"][name]))


def _resolved(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    schema = cast("Object", schema)
    if isinstance(schema.get("$ref"), str):
        return core_schema(schema["$ref"])
    return {key: _resolved(value) for key, value in schema.items()}
