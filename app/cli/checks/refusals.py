"""What the API server refuses about an object, in its words. It is the one in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    schema: Object = kind.crd()["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    unknown = prune(orjson.loads(orjson.dumps(item)), schema)
    errors = ["strict decoding error: " + ", ".join(f'unknown field "{path}"' for path in unknown)] if unknown else []
    try:
        await simulation.apply([item])
    except ApiError as refusal:
        errors.append(refusal.message)
    return errors


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
