"""What config sync finds of an entity that is in step as far as its status knows: gone from LiteLLM, changed there, or well.

The object is looked for in the snapshot that all objects of its proxy share. What a snapshot shows counts only if it was begun
after LiteLLM was last told of the object.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from app.apis.section import Section
from app.controllers import config_sync
from app.litellm.entities.fingerprint import fingerprint
from app.litellm.entities.listing import differing
from app.litellm.entities.ownership import Claim, claim
from app.litellm.entities.times import parsed_time
from app.status.conditions import decided_again, observed_conditions
from app.status.entity.drift import DRIFTED, GONE, LEFT_AS_IT_IS, NOT_KEPT, PUT_BACK, RECREATED
from app.status.instance.words import shortened

if TYPE_CHECKING:
    from app.controllers.entities.kind import Aim, EntityKind
    from app.controllers.entities.link import Link
    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object
    from app.litellm.snapshot import Seen, Snapshot
    from app.status.entity.reasons import EntityReason
    from app.status.reason import Condition

S = TypeVar("S", bound=Section)

SOON = 10
"""Seconds after which a hook comes back for a snapshot that is under way."""
LAG = timedelta(minutes=1)
"""For so long lists may not show what a late kind was told: twice what replicas take to see each other's."""
AHEAD = timedelta(minutes=5)
"""A time that is further ahead is of a clock that was put right since, and counts for nothing."""
WITHIN = timedelta(seconds=1) - timedelta.resolution
"""A status tells times by the second: what it tells was so at most by so much later."""
SPEND = timedelta(minutes=5)
"""A spend in a status is no younger than this: each change is a write."""

_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_WITH_OUR_MARK = (Claim.OURS, Claim.ADOPTED)
_OWNER = "the mark of its owner"
_NOTHING = "the object itself"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What is to be done and told of an entity that is in step."""

    push: bool = False
    """Whether LiteLLM is to be told the spec again."""
    reason: EntityReason | None = None
    """Of ``Ready``, instead of the usual one."""
    message: str = ""
    conditions: tuple[Condition, ...] = ()
    fields: Object = field(default_factory=dict[str, Any])
    soon: bool = False
    """Whether the snapshot is under way."""


def again_after(kind_again: int, link: Link, found: Finding) -> int:
    """Seconds after which to look at an entity in step again, which would be ``kind_again`` without config sync."""
    sync = link.spec.config_sync
    if sync is None or not sync.enabled:
        return kind_again
    interval = math.ceil(min(sync.every, timedelta(seconds=kind_again)) / timedelta(seconds=1))
    return min(interval, SOON) if found.soon else interval


async def find_drift(kind: EntityKind[S], setting: Setting[S], aim: Aim) -> Finding:
    """Nothing where config sync is off: then nothing is listed either."""
    sync = setting.link.spec.config_sync
    if sync is None or not sync.enabled:
        return Finding()
    context, admin = setting.context, setting.link.admin
    now = context.now()
    snapshot = await context.snapshots.of(admin, sync.every, now)
    if snapshot is None:
        return Finding(conditions=_last_told(setting), soon=True)
    listing = snapshot.of(kind.entity)
    seen = listing.rows.get(aim.wanted.id)
    told = _last_told_at(kind, setting, aim)
    if (seen is None and not listing.complete) or not snapshot.begun > told + (LAG if kind.entity.late else timedelta(0)):
        return Finding(conditions=_last_told(setting))
    names = _differing(kind, setting, aim, seen, snapshot)
    if not names:
        return Finding(fields=_spend(kind, setting, seen))
    listed = f"LiteLLM differs from the spec in {shortened(names)}"
    if sync.conflict_resolution != "crd-wins":
        how = f"conflictResolution: {sync.conflict_resolution}"
        if seen is None:
            message = f"{kind.entity.noun} {aim.wanted.id} was deleted in LiteLLM and is left so ({how})"
            return Finding(reason=GONE, message=message)
        return Finding(conditions=(LEFT_AS_IT_IS.because(f"{listed}; it is left so ({how})"),))
    digest = fingerprint(admin.key, {name: _shown(seen, name) for name in names})
    if not context.drifts.to_be_told(admin, kind.entity.noun, aim.wanted.id, digest, now):
        return Finding(conditions=(NOT_KEPT.because(f"{listed}, although it was told the spec"),))
    condition: tuple[Condition, ...] = ()
    if seen is None:
        condition = (RECREATED.because(f"{kind.entity.noun} {aim.wanted.id} had been deleted in LiteLLM and was made again"),)
    elif sync.audit_changes:
        condition = (PUT_BACK.because(f"LiteLLM was told the spec again, since it differed in {shortened(names)}"),)
    context.changed(kind.resource.resource.kind, config_sync.RECREATED if seen is None else config_sync.PUT_BACK)
    return Finding(push=True, conditions=condition)


def _differing(kind: EntityKind[S], setting: Setting[S], aim: Aim, seen: Seen | None, snapshot: Snapshot) -> tuple[str, ...]:
    if seen is None:
        return (_NOTHING,)
    names = differing({**aim.wanted.fields, **aim.compared}, seen.fields, kind.entity.hidden)
    if kind.beyond_differing is not None:
        names = tuple(sorted({*names, *kind.beyond_differing(setting, aim, seen, snapshot)}))
    ours = claim(seen.mark, aim.wanted.owner, bound=False, adopting=False, strict=aim.wanted.strict) in _WITH_OUR_MARK
    return (*names, _OWNER) if kind.entity.marked and not ours else names


def _shown(seen: Seen | None, name: str) -> Any:
    if seen is None:
        return None
    whole = seen.fields.get(name, seen.fields.get(name.partition(".")[0]))
    return whole if name != _OWNER else seen.mark and seen.mark.owner


def _last_told_at(kind: EntityKind[S], setting: Setting[S], aim: Aim) -> datetime:
    """Not before LiteLLM was last told of the object: its status changed then, or this process knows."""
    known = setting.context.drifts.told_at(setting.link.admin, kind.entity.noun, aim.wanted.id)
    return max(_last_change(setting) + WITHIN, _credible(known, setting))


def _last_change(setting: Setting[S]) -> datetime:
    return _credible(parsed_time(setting.before.fields.get("lastSyncTime")), setting)


def _credible(time: datetime | None, setting: Setting[S]) -> datetime:
    """The time; long ago for none, and for one that is too far ahead."""
    return _LONG_AGO if time is None or time - setting.context.now() > AHEAD else time


def _last_told(setting: Setting[S]) -> tuple[Condition, ...]:
    """What was last told holds until a newer snapshot says something else."""
    last = observed_conditions(setting.before.fields).get(DRIFTED)
    return () if last is None else (decided_again(last),)


def _spend(kind: EntityKind[S], setting: Setting[S], seen: Seen | None) -> Object:
    if kind.spent is None or seen is None or seen.spend is None:
        return {}
    told, known = kind.spent(seen.spend), setting.before.fields.get("currentSpend")
    if told in (known, None) or setting.context.now() - _last_change(setting) < SPEND:
        return {}
    return {"currentSpend": told}
