"""What happened between two looks at a cluster, in words: the plain form of a convergence, and its record for machines.

Pure: objects in, steps out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from app.hooks.objects import object_key, reference, resource_key, terminating
from app.sim.json_values import is_list, is_object
from app.status.entity.drift import DRIFT_REASONS
from app.status.entity.guardrail_reasons import GUARDRAIL_REASONS
from app.status.entity.reasons import ENTITY_REASONS
from app.status.instance.config_sync import CONFIG_SYNC_REASONS
from app.status.instance.gateway_reasons import GATEWAY_REASONS
from app.status.instance.reasons import REASONS
from app.status.reason import PAGES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hooks.objects import Object

_REASONS = (*REASONS, *GATEWAY_REASONS, *CONFIG_SYNC_REASONS, *ENTITY_REASONS, *DRIFT_REASONS, *GUARDRAIL_REASONS)
_ATTENTION = frozenset((reason.type, reason.status, reason.reason) for reason in _REASONS if reason.attention)
_PASSING = frozenset((reason.type, reason.status, reason.reason) for reason in _REASONS if reason.passing)
_FAILURES = frozenset({"Failed", "FailureTarget", "ReplicaFailure"})
"""Of Jobs and Deployments: true is bad."""
_PAGE = re.compile(rf" \(see {re.escape(PAGES)}/[^)]*\)$")


class Tone(StrEnum):
    """How a line is meant."""

    GOOD = "good"
    BAD = "bad"
    UNKNOWN = "unknown"
    ATTENTION = "attention"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Condition:
    """One status condition as it is shown."""

    type: str
    status: str
    reason: str
    message: str

    @property
    def text(self) -> str:
        """The message without the way to its page, which every message ends with."""
        return _PAGE.sub("", self.message)

    @property
    def tone(self) -> Tone:
        """Good or bad by the status, except for conditions whose mere presence is the news, steps on the way, and failures."""
        if self.type in _FAILURES:
            return Tone.BAD if self.status == "True" else Tone.PLAIN
        told = (self.type, self.status, self.reason)
        if told in _ATTENTION:
            return Tone.ATTENTION
        if told in _PASSING:
            return Tone.UNKNOWN
        return {"True": Tone.GOOD, "False": Tone.BAD}.get(self.status, Tone.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened to one object."""

    seconds: float
    """Since the start, in the cluster's time."""
    object: str
    what: str
    """In a few words: ``gone``, ``Ready=True ProxyReachable``."""
    message: str = ""
    """Of the condition that turned."""
    tone: Tone = Tone.PLAIN

    def __str__(self) -> str:
        return f"{self.seconds:7.1f}s  {self.object}  {self.what}"


def conditions(item: Object) -> list[Condition]:
    """The conditions of an object, Ready first; a status of another form than usual has none."""
    status: Any = item.get("status")
    entries: Any = status.get("conditions") if is_object(status) else None
    fields = ("type", "status", "reason", "message")
    found = [
        Condition(*(str(entry.get(field, "")) for field in fields))
        for entry in (entries if is_list(entries) else [])
        if is_object(entry)
    ]
    return sorted(found, key=lambda condition: (condition.type != "Ready", condition.type))


def steps(before: Iterable[Object], after: Iterable[Object], seconds: float) -> list[Step]:
    """What changed from one look to the next, by object: came, turned, is being deleted, went."""
    old, new = _by_name(before), _by_name(after)
    found: list[Step] = []
    for key, item in new.items():
        previous = old.get(key)
        name = reference(item)
        if previous is None:
            found.append(Step(seconds, name, "created"))
        elif terminating(item) and not terminating(previous):
            found.append(Step(seconds, name, "is being deleted"))
        known = set(conditions(previous)) if previous is not None else set[Condition]()
        found += [
            Step(seconds, name, f"{one.type}={one.status} {one.reason}", one.text, one.tone)
            for one in conditions(item)
            if one not in known
        ]
        if previous is not None:
            left = {one.type for one in known} - {one.type for one in conditions(item)}
            found += [Step(seconds, name, f"{kind} is no longer reported") for kind in sorted(left)]
    found += [Step(seconds, reference(item), "gone") for key, item in old.items() if key not in new]
    return found


def _by_name(items: Iterable[Object]) -> dict[tuple[str, str], Object]:
    return {(resource_key(item), object_key(item)): item for item in items}
