"""A Deployment that somebody else made and that is now ours, as after ``palena migrate``: its pods run on as they are.

To take over must not be to restart. So the template stays, with the configuration that goes with it, until the user agrees: by
an edit of the spec after the takeover, or by an annotation. What would change is told. The mark on every Deployment that we
wrote (:data:`~app.controllers.rollout.TEMPLATE_DIGEST`) tells one from the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from app.controllers.rollout import TEMPLATE_DIGEST
from app.hooks.differing_fields import differing_fields
from app.hooks.objects import annotations_of, terminating
from app.hooks.replay import replay
from app.status.instance.gateway import Takeover
from app.status.instance.memory import taken_over_at

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest


AGREEMENT = "litellm.palena.ai/replace-pods"
"""Annotation of an instance by which a user agrees, with ``true``, that pods which somebody else made are replaced."""


def takeover(request: SyncRequest, observed: Object | None, template: Object | None) -> Takeover | None:
    """The takeover that is going on; None where the Deployment is our own, or is not there.

    ``template`` is the wanted one, None where it could not be made.
    """
    if observed is None or terminating(observed) or not _adopted(observed):
        return None
    before = taken_over_at(request.parent.get("status"))
    generation = request.generation if before is None else min(before, request.generation)
    if request.generation > generation or annotations_of(request.parent).get(AGREEMENT) == "true" or template is None:
        return Takeover(generation)
    agree = f"kubectl -n {request.namespace} annotate litellminstance {request.name} {AGREEMENT}=true"
    return Takeover(generation, tuple(differing_fields(template, observed["spec"].get("template"))), agree)


def _adopted(deployment: Object) -> bool:
    """Whether we never wrote its template. The record of one that we have only held says no more than who it is."""
    if TEMPLATE_DIGEST in annotations_of(deployment):
        return False
    record: Any = orjson.loads(replay(deployment).body).get("spec")
    return not (isinstance(record, dict) and "template" in record)
