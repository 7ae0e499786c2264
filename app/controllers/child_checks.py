"""A built object on its way into an answer: patched, and held against what Kubernetes and Metacontroller would refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from app.controllers.migration_form import named_by_content
from app.controllers.patching import PatchFailed, patched
from app.hooks.digests import Digests, digest
from app.hooks.guard import child_breaches
from app.resources.illegal_references import illegal_reference, where_written
from app.resources.kinds import DEPLOYMENT, JOB, STATEFUL_SET
from app.status.instance.gateway import ChildProblem
from app.status.instance.gateway_reasons import CHILD_INVALID, PATCH_FAILED

if TYPE_CHECKING:
    from app.hooks.guard import Place
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway


def checked(child: Object, gateway: Gateway, place: Place) -> Object | ChildProblem:
    """The child with the spec's patches, or why it cannot be sent."""
    try:
        form = patched(child, gateway.spec.patches)
    except PatchFailed as error:
        name = f"{child['kind']} {child['metadata']['name']}"
        return ChildProblem(name, PATCH_FAILED, f"{name} is kept as it was: {error}")
    if child["kind"] == JOB.kind:
        form = named_by_content(gateway, child, form)
    key = digest(orjson.dumps((form, place.namespace, sorted(place.installed))))
    if key in _sound:
        return form
    if (why := _unsound(form, gateway, place)) is None:
        _sound.add(key)
        return form
    return invalid(child["kind"], child["metadata"]["name"], " ".join(why))


def _unsound(form: Object, gateway: Gateway, place: Place) -> tuple[str, str] | None:
    """Field and problem of what the API server would refuse."""
    for breach in child_breaches(form, place):
        return breach.field, breach.problem
    if form["kind"] not in _WITH_PODS:
        return None
    found = illegal_reference(form["spec"]["template"])
    if found is None:
        return None
    return where_written(found, gateway.spec.model_dump(by_alias=True, exclude_none=True)), found.problem


def invalid(kind: str, name: str, why: str) -> ChildProblem:
    """A child that Kubernetes would refuse."""
    return ChildProblem(f"{kind} {name}", CHILD_INVALID, f"{kind} {name} is kept as it was: {why}")


_WITH_PODS = {DEPLOYMENT.kind, JOB.kind, STATEFUL_SET.kind}
_sound = Digests(limit=16_384)
"""Children in which the guard found nothing, so that unchanged ones are not walked again."""
