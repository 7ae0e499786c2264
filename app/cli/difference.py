"""How rendered objects differ from those that are there: in files, or as they were applied last in a cluster.

What Secrets hold is not compared, only under which keys: made-up values are other ones each time, and none belongs on a screen.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

import orjson

from app.cli.problem import Problem
from app.hooks.objects import CONTROLLER_UID, reference
from app.hooks.replay import replay
from app.sim.cluster import ApiError, NotFound
from app.sim.json_values import is_object

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.hooks.objects import Object
    from app.sim.cluster import Cluster

HIDDEN = "(not compared)"


def difference(wanted: Sequence[Object], present: Sequence[Object], written: Callable[[Object], str]) -> list[str]:
    """A unified diff, object by object, from what is present to what is wanted; ``written`` makes them text."""
    old = {reference(item): written(_compared(item)).splitlines() for item in present}
    new = {reference(item): written(_compared(item)).splitlines() for item in wanted}
    lines: list[str] = []
    for name in sorted({*old, *new}):
        lines += difflib.unified_diff(old.get(name, []), new.get(name, []), f"{name} (there)", f"{name} (rendered)", lineterm="")
    return lines


async def applied(cluster: Cluster, wanted: Sequence[Object]) -> list[Object]:
    """Of the objects in the cluster that have the names of the wanted ones, what Metacontroller applied last.

    Raises :class:`Problem` where the cluster cannot be read.
    """
    found: list[Object] = []
    for item in wanted:
        metadata = item["metadata"]
        try:
            resource = await cluster.resource_of(item["apiVersion"], item["kind"])
            found.append(_applied(await cluster.get(resource, metadata.get("namespace", ""), metadata["name"])))
        except NotFound:
            continue
        except ApiError as error:
            raise Problem(f"{reference(item)} cannot be read: {error.message}") from error
    return found


def _applied(live: Object) -> Object:
    form: Object = orjson.loads(replay(live).body)
    labels = form["metadata"].get("labels")
    if is_object(labels):
        form["metadata"]["labels"] = {name: value for name, value in labels.items() if name != CONTROLLER_UID}
    return form


def _compared(item: Object) -> Object:
    if item["kind"] != "Secret":
        return item
    held = {field: values for field in ("data", "stringData") if is_object(values := item.get(field))}
    return {**item, **{field: dict.fromkeys(values, HIDDEN) for field, values in held.items()}}
