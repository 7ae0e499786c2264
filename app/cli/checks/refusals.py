"""What the API server refuses about an object, in its words. It is the one in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from app.sim.cluster import ApiError
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
