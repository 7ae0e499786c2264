"""An instance's children kept as they are, but for what somebody else decides about them.

The number of pods is an autoscaler's while one of ours is there. What was applied last says another one that it had decided
before, and to answer that again would undo each of its decisions for as long as nothing else is answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import orjson

from app.hooks.replay import replay_all
from app.hooks.response import Retained
from app.resources.kinds import AUTOSCALER

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest


def retain(request: SyncRequest) -> list[Retained]:
    """Every observed child that is not terminating, ready to be answered."""
    scaled = {_target(autoscaler) for autoscaler in request.children.of(AUTOSCALER)}
    return [
        with_replicas(one, one.observed["spec"].get("replicas"))
        if (one.observed["kind"], one.observed["metadata"]["name"]) in scaled
        else one
        for one in replay_all(request.children)
    ]


def with_replicas(retained: Retained, replicas: Any) -> Retained:
    """The child with that number of replicas, where it has one of ours."""
    if not isinstance(replicas, int):
        return retained
    form: Object = orjson.loads(retained.body)
    spec: Any = form.get("spec")
    if not isinstance(spec, dict) or "replicas" not in spec:
        return retained
    return Retained(retained.observed, orjson.dumps({**form, "spec": {**cast("Object", spec), "replicas": replicas}}))


def _target(autoscaler: Object) -> tuple[str, str]:
    target: Any = autoscaler["spec"].get("scaleTargetRef")
    fields = cast("Object", target) if isinstance(target, dict) else {}
    return str(fields.get("kind", "")), str(fields.get("name", ""))
