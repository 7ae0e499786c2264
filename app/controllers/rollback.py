"""Automatic rollback: the last pods that were all available are kept, template and configuration, and run again when new ones
do not become ready in time. They run until the wanted template is another one than the one that failed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.controllers.rollout import deployment_revision, failed_template
from app.hooks.objects import terminating
from app.resources import names
from app.resources.digests import short_digest
from app.resources.kinds import CONTROLLER_REVISION
from app.resources.revision import holds_pods, kept_config, kept_template, revision
from app.status.instance.gateway import RolledBack
from app.status.instance.memory import rolled_back

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest
    from app.resources.gateway import Gateway
    from app.status.instance.gateway import Rollout


@dataclass(frozen=True, slots=True)
class Pods:
    """A pod template and the configuration that its pods read."""

    template: Object
    digest: str
    """Of the template; the configuration counts, because its digest is among the annotations."""
    config: str
    """Text of the ConfigMap."""


@dataclass(frozen=True, slots=True)
class Rollback:
    """What is kept, and whether it runs."""

    pods: Pods
    """What should run."""
    rolled_back: RolledBack | None
    new: Object | None
    """The ControllerRevision to make, if one is to be made."""
    kept: tuple[Object, ...]
    """The observed ones to keep."""


def rollback(request: SyncRequest, gateway: Gateway, wanted: Pods, rollout: Rollout, observed: Object | None) -> Rollback:
    """What should run instead of, or as, the wanted pods. Only with ``upgrade.autoRollback`` is anything kept.

    ``observed`` is the Deployment.
    """
    if gateway.spec.upgrade is None or not gateway.spec.upgrade.auto_rollback:
        return Rollback(wanted, None, None, ())
    kept = revisions(request)
    good = [item for item in kept if short_digest(kept_template(item)) != wanted.digest]
    told = rolled_back(request.parent.get("status"))
    before = {failed_template(observed), told.failed if told else ""}
    failed = wanted.digest in before or (rollout.current and rollout.stalled)
    if failed and good:
        state = RolledBack(failed=wanted.digest, revision=str(good[-1]["metadata"]["name"]))
        return Rollback(_pods(good[-1]), state, None, tuple(kept))
    if not (rollout.complete and rollout.wanted):
        return Rollback(wanted, None, None, tuple(kept))
    same = [item for item in kept if item["metadata"]["name"] == names.revision(gateway.name, wanted.digest)]
    if same:
        return Rollback(wanted, None, None, tuple(same))
    # The older one goes once the newer one is stored: at no moment is there none.
    new = revision(gateway, wanted.template, wanted.config, deployment_revision(observed))
    return Rollback(wanted, None, new, tuple(kept))


def last_good(request: SyncRequest) -> Pods | None:
    """The last pods that were all available; None where none are kept."""
    kept = revisions(request)
    return _pods(kept[-1]) if kept else None


def in_force(request: SyncRequest, observed: Object | None) -> RolledBack | None:
    """The rollback that status tells of, else the one that the Deployment was written for; None if there is none."""
    told = rolled_back(request.parent.get("status"))
    failed, kept = failed_template(observed), revisions(request)
    if told is not None or not failed or not kept:
        return told
    return RolledBack(failed=failed, revision=str(kept[-1]["metadata"]["name"]))


def _pods(revision: Object) -> Pods:
    template = kept_template(revision)
    return Pods(template, short_digest(template), kept_config(revision))


def revisions(request: SyncRequest) -> list[Object]:
    """The observed ControllerRevisions that hold pods, oldest first."""
    observed = request.children.of(CONTROLLER_REVISION)
    found = [item for item in observed if not terminating(item) and holds_pods(item)]
    return sorted(found, key=lambda item: (str(item["metadata"].get("creationTimestamp", "")), str(item["metadata"]["name"])))
