"""Children that were answered and do not come to be: what the API server refuses it tells only Metacontroller.

No schema foresees a quota, an admission webhook, a policy, a value that does not exist. What can be seen is that a child is
not there, or not as it was answered, a minute after. When that began is remembered in this process and nowhere else: status
would otherwise be written twice at each change. A restart costs a minute, and what status told already is told on.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from app.controllers.rollout import TEMPLATE_DIGEST
from app.hooks.differing_fields import differing_fields
from app.hooks.digests import digest
from app.hooks.objects import CONTROLLER_UID, LAST_APPLIED, annotations_of, terminating
from app.resources.kinds import CONTROLLER_REVISION, JOB, SECRET, VOLUME_CLAIM
from app.status.conditions import observed_conditions
from app.status.instance.gateway import ChildProblem
from app.status.instance.gateway_reasons import CHILD_NOT_APPLIED, CHILDREN_APPLIED
from app.status.instance.words import shortened

if TYPE_CHECKING:
    from app.controllers.sequence import Desired, View
    from app.hooks.objects import Object

GRACE = timedelta(seconds=60)
"""How long a child may take. Metacontroller writes it within the second, and tries again for minutes."""
PAUSE = timedelta(seconds=20)
"""Where nothing was lacking, nobody looks again before: comparing every child is dear beside the rest of a sync."""
FOR_EVER = datetime.max.replace(tzinfo=UTC)
"""Where it was looked and nothing was lacking, the same request shows the same at any time."""
_MADE_ONCE = {CONTROLLER_REVISION.kind, JOB.kind, VOLUME_CLAIM.kind}
"""Kinds that are never updated (OnDelete)."""


class Lacking(NamedTuple):
    """A child that is not as it was answered."""

    wanted: bytes
    """Digest of what was answered."""
    since: datetime


@dataclass(frozen=True, slots=True)
class _Look:
    at: datetime
    lacking: dict[str, Lacking]


class Unapplied:
    """When each instance was looked at, and what was lacking then."""

    def __init__(self, *, limit: int = 16_384) -> None:
        self._looks: OrderedDict[str, _Look] = OrderedDict()
        self._limit = limit

    def rests_until(self, uid: str, now: datetime) -> datetime | None:
        """When it is time to look again; nothing if it is now."""
        look = self._looks.get(uid)
        if look is None or look.lacking:
            return None
        end = look.at + PAUSE
        # By a clock that was set back nobody knows when the look was.
        return end if look.at <= now < end else None

    def lacks(self, uid: str) -> bool:
        """Whether something was lacking at the last look."""
        look = self._looks.get(uid)
        return look is not None and bool(look.lacking)

    def note(self, uid: str, now: datetime, wanted: dict[str, bytes]) -> dict[str, Lacking]:
        """What is lacking now, by child, each since when."""
        look = self._looks.pop(uid, None)
        before = look.lacking if look is not None else {}
        lacking = {
            child: known if (known := before.get(child)) and known.wanted == form and known.since <= now else Lacking(form, now)
            for child, form in wanted.items()
        }
        self._looks[uid] = _Look(now, lacking)
        while len(self._looks) > self._limit:
            self._looks.popitem(last=False)
        return lacking


def tell_unapplied(view: View, answer: Desired, unapplied: Unapplied, now: datetime) -> datetime | None:
    """Add a problem for each child that was lacking for longer than :data:`GRACE`.

    Returns until when the same request is told the same; nothing if it may be told something else at any time.
    """
    uid = view.request.uid
    if (rest := unapplied.rests_until(uid, now)) is not None:
        return rest
    wanted = {_name(child): child for child in answer.children if _lacks(view.present(child), child)}
    digests = {name: digest(orjson.dumps(_asked(child), option=orjson.OPT_SORT_KEYS)) for name, child in wanted.items()}
    told = _told(view.request.parent.get("status"))
    for name, lacking in unapplied.note(uid, now, digests).items():
        if f"{name} {_WORDS}" in told or now - lacking.since >= GRACE:
            observed = view.present(wanted[name])
            fields = shortened(_differing(wanted[name], observed)) if observed is not None else ""
            differs = f"; {name} differs in {fields}" if fields else ""
            answer.problems.append(ChildProblem(name, CHILD_NOT_APPLIED, f"{name} {_WORDS}{differs}"))
    return None if wanted else FOR_EVER


_WORDS = (
    "was answered and is not applied; Metacontroller's log has the API server's words, "
    "as has kubectl apply --dry-run=server of what palena render prints"
)


def _asked(child: Object) -> Object:
    """The child, a Secret without its values: one that is made up is another in each answer until it is stored."""
    return {**child, "data": [*child.get("data", {})]} if child["kind"] == SECRET.kind else child


def _lacks(observed: Object | None, child: Object) -> bool:
    if observed is None:
        return True
    if terminating(observed) or child["kind"] in _MADE_ONCE:
        return False
    if isinstance(record := annotations_of(observed).get(LAST_APPLIED), str):
        return not _recorded(record, child)
    # Server-side apply keeps no record: it leaves to be seen that everything that is wanted is there.
    return bool(_differing(child, observed))


def _differing(child: Object, observed: Object) -> list[str]:
    """The fields in which an object is not as wanted.

    A pod template under the mark of the wanted one was applied: what is otherwise in it, a webhook has put there.
    """
    fields = [*differing_fields(child, observed)]
    mark = annotations_of(observed).get(TEMPLATE_DIGEST)
    if mark and mark == annotations_of(child).get(TEMPLATE_DIGEST):
        return [field for field in fields if not field.startswith("spec.template.")]
    return fields


def _recorded(record: str, child: Object) -> bool:
    """Whether dynamic apply has written exactly this; its record has Metacontroller's label besides."""
    try:
        form = orjson.loads(record)
        labels = {key: value for key, value in form["metadata"].get("labels", {}).items() if key != CONTROLLER_UID}
        return bool({**form, "metadata": {**form["metadata"], "labels": labels}} == _labelled(child))
    except (orjson.JSONDecodeError, TypeError, KeyError, AttributeError):
        return False


def _labelled(child: Object) -> Object:
    return {**child, "metadata": {**child["metadata"], "labels": child["metadata"].get("labels", {})}}


def _told(status: Any) -> str:
    """What an observed status says of children."""
    return str(observed_conditions(status).get(CHILDREN_APPLIED, {}).get("message", ""))


def _name(child: Object) -> str:
    return f"{child['kind']} {child['metadata']['name']}"
