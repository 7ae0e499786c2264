"""Automatic rollback: the last pods that were all available are kept, template and configuration, and run again when new ones
do not become ready in time. They run until the wanted template is another one than the one that failed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.hooks.objects import terminating
from app.resources import names
from app.resources.digests import short_digest
from app.resources.kinds import CONTROLLER_REVISION
from app.resources.revision import kept_config, kept_template, revision
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


def rollback(request: SyncRequest, gateway: Gateway, wanted: Pods, rollout: Rollout, number: str) -> Rollback:
    """What should run instead of, or as, the wanted pods. Only with ``upgrade.autoRollback`` is anything kept.

    ``number`` is the Deployment's revision.
    """
    if gateway.spec.upgrade is None or not gateway.spec.upgrade.auto_rollback:
        return Rollback(wanted, None, None, ())
    kept = revisions(request)
    good = [item for item in kept if short_digest(kept_template(item)) != wanted.digest]
    failed = _failed(request) == wanted.digest or (rollout.current and rollout.stalled)
    if failed and good:
        latest = good[-1]
        state = RolledBack(failed=wanted.digest, revision=str(latest["metadata"]["name"]))
        template = kept_template(latest)
        pods = Pods(template, short_digest(template), kept_config(latest))
        return Rollback(pods, state, None, tuple(kept))
    if not (rollout.current and rollout.complete):
        return Rollback(wanted, None, None, tuple(kept))
    observed = [item for item in kept if item["metadata"]["name"] == names.revision(gateway.name, wanted.digest)]
    if observed:
        return Rollback(wanted, None, None, tuple(observed))
    # The older one goes once the newer one is stored: at no moment is there none.
    return Rollback(wanted, None, revision(gateway, wanted.template, wanted.config, number), tuple(kept))


def _failed(request: SyncRequest) -> str:
    before = rolled_back(request.parent.get("status"))
    return before.failed if before else ""


def revisions(request: SyncRequest) -> list[Object]:
    """The observed ControllerRevisions, oldest first."""
    found = [item for item in request.children.get(CONTROLLER_REVISION.key, {}).values() if not terminating(item)]
    return sorted(found, key=lambda item: (str(item["metadata"].get("creationTimestamp", "")), str(item["metadata"]["name"])))
