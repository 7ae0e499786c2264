"""What the API server refuses about an object, in its words. It is the one in memory."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import orjson

from app.hooks.objects import resource_key
from app.sim.cluster import ApiError
from app.sim.memory import admission
from app.sim.memory.decoding import undecodable
from app.sim.memory.kinds import built_in_kinds
from app.sim.validation.pruning import prune

if TYPE_CHECKING:
    from app.apis.custom_resource import CustomResource
    from app.hooks.objects import Object
    from app.sim.simulation import Simulation


async def refusals(item: Object, kind: CustomResource, simulation: Simulation) -> list[str]:
    """Unknown fields, schema and rules. An object that passes is applied to the simulation."""
    errors = [text] if (text := unknown_fields(item, kind)) else []
    try:
        await simulation.apply([item])
    except ApiError as refusal:
        errors.append(refusal.message)
    return errors


def unknown_fields(item: Object, kind: CustomResource) -> str:
    """The refusal of fields that the schema does not have, in the words of the API server; empty without one.

    What such a field may have been meant to be is added.
    """
    schema: Object = kind.crd()["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    unknown = prune(orjson.loads(orjson.dumps(item)), schema)
    if not unknown:
        return ""
    refusal = "strict decoding error: " + ", ".join(f'unknown field "{path}"' for path in unknown)
    meant = [f'"{known}"' for path in unknown if (known := _meant(path, schema))]
    return f"{refusal}; did you mean {' and '.join(meant)}?" if meant else refusal


_ALIKE = 0.8
"""How much of two names has to agree, from 0 to 1: a slip of the fingers, and not another field that begins alike."""

_TELLING = 3
"""Characters of a beginning that tell what is meant, if one field alone begins so."""


def _meant(path: str, schema: Object) -> str:
    """The path of the known field beside an unknown one that is written nearly like it; empty without one."""
    parent, _, name = path.rpartition(".")
    beside: Any = schema
    for step in re.findall(r"[^.\[\]]+|\[\d+\]", parent):
        beside = beside.get("items" if step.startswith("[") else "properties", {})
        beside = beside if step.startswith("[") else beside.get(step, {})
    known = {_plain(field): field for field in beside.get("properties", {})}
    begun = [field for field in known if len(name) >= _TELLING and field.startswith(_plain(name))]
    alike = begun if len(begun) == 1 else get_close_matches(_plain(name), known, 1, _ALIKE)
    return f"{parent}.{known[alike[0]]}".removeprefix(".") if alike else ""


def _plain(name: str) -> str:
    """Without case and underscores: LiteLLM's own fields are written otherwise than ours."""
    return name.replace("_", "").lower()


_BUILT_IN = {kind.resource.key: kind for kind in built_in_kinds()}


def foreign_refusals(item: Object) -> list[str]:
    """The same of a kind that is not ours, without a schema: metadata, and the little that is known of built-in kinds."""
    kind = _BUILT_IN.get(resource_key(item))
    if text := undecodable(item, custom=kind is None):
        return [text]
    if kind is not None:
        completed: Object = orjson.loads(orjson.dumps(item))
        admission.complete(completed, kind)
        try:
            admission.check(completed, None, kind)
        except ApiError as refusal:
            return [refusal.message]
    return []
