"""A virtual key in LiteLLM: limits under the hash of a value that we choose, so that registering it can be repeated.

A key that takes another one's place (its *heir*) is registered blocked, under an alias that no key in use has, and with the
spend of the one before it. Only when that one is deleted the heir gets the alias and is opened. So at any moment one key at
most has the alias, and whoever goes on after an interruption finds in LiteLLM itself how far it came.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from app.hooks.observed_fields import object_in
from app.litellm.admin.calls import Call
from app.litellm.entities.entity import Entity, Update
from app.litellm.entities.listing import PAGE_SIZE, Page, numbered, picked, rows_of
from app.litellm.entities.metadata import is_entry, whole
from app.litellm.entities.ownership import Mark, mark_in
from app.litellm.entities.permission import NO_PERMISSION, PERMISSION
from app.litellm.entities.reserved import UI_TEAM
from app.litellm.entities.times import parsed_time

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Wanted

EXPIRES = "expires"
"""When a key ends, as an RFC 3339 time. LiteLLM is told how long that is from now, at the call."""

IN_METADATA = frozenset({"guardrails", "model_rpm_limit", "model_tpm_limit"})
"""Fields that LiteLLM keeps in a key's metadata: writing that without them clears them."""

_KEPT = frozenset({"key", "spend", "metadata"})
_CLEARED: Object = {
    "models": [],
    "blocked": False,
    "model_max_budget": {},
    PERMISSION: NO_PERMISSION,
}
"""What empties a field that null does not empty."""

_SHOWN = (
    "key_alias",
    "team_id",
    "user_id",
    "models",
    "max_budget",
    "budget_duration",
    EXPIRES,
    "tpm_limit",
    "rpm_limit",
    "metadata",
    "blocked",
    "model_max_budget",
    "max_parallel_requests",
)
"""What the list shows as it was sent, besides what is in the metadata."""

_CLOSE = timedelta(seconds=2)
"""Two ends of a key that are so close are one: the call that set it took a moment."""


def token_of(value: str) -> str:
    """The hash by which LiteLLM knows a key."""
    return hashlib.sha256(value.encode()).hexdigest()


def heir(wanted: Wanted, alias: str, spend: float) -> Wanted:
    """The key as it is registered while another one is still there: under that alias, blocked, with that spend."""
    fields = {**wanted.unlicensed().fields, "key_alias": alias, "blocked": True, "spend": spend}
    return replace(wanted, fields=fields)


class VirtualKey(Entity):
    """``/key/*``."""

    noun = "key"

    def read(self, object_id: str) -> Call:
        """One key. Newer releases answer 200 for a deleted one too, from the archive."""
        return Call("GET", "/key/info", query={"key": object_id})

    def row(self, object_id: str, answer: Any) -> Object | None:
        """The key, unless it was deleted."""
        info = _info(answer)
        return info if info is not None and info.get("status") != "deleted" else None

    def archived(self, answer: Any) -> Object | None:
        """The key as it was when it was deleted, if the release still knows."""
        info = _info(answer)
        return info if info is not None and info.get("status") == "deleted" else None

    def tells_absence(self, answer: Any) -> bool:
        """What was deleted is shown all the same."""
        return self.archived(answer) is not None

    def find(self, alias: str) -> Call:
        """The key of an alias: :meth:`found` reads the answer."""
        return Call("GET", "/key/list", query={"key_alias": alias, "return_full_object": "true", "size": 10})

    def found(self, alias: str, answer: Any) -> Object | None:
        """The key that has exactly the alias, with its hash under ``token``."""
        rows = rows_of(answer, "keys")
        return next((row for row in rows if row.get("key_alias") == alias and isinstance(row.get("token"), str)), None)

    def mark_of(self, row: Object) -> Mark | None:
        """In its metadata."""
        return mark_in(row.get("metadata"))

    def create(self, wanted: Wanted, mark: Mark) -> Call:
        """Registers the value. For one that LiteLLM has it answers 200 and changes nothing: whoever calls has looked."""
        body = {name: value for name, value in wanted.fields.items() if name != EXPIRES}
        if EXPIRES in wanted.fields:
            body["duration"] = _duration(wanted)
        return Call("POST", "/key/generate", body={**body, "metadata": whole(wanted, mark)})

    def update(self, wanted: Wanted, mark: Mark, row: Object, dropped: frozenset[str]) -> Update:
        """By hash. The spend is left alone, the metadata is written in full, and the end only if it is another one."""
        body = {name: value for name, value in wanted.fields.items() if name not in _KEPT and name != EXPIRES}
        body |= {name: _CLEARED.get(name) for name in sorted(dropped) if _is_cleared_by_value(name)}
        if EXPIRES in wanted.fields:
            if _ends_otherwise(wanted, row):
                body["duration"] = _duration(wanted)
        elif EXPIRES in dropped:
            body["duration"] = "-1"
        permission = body.get(PERMISSION)
        if isinstance(permission, dict):
            # Left out is left as it was.
            body[PERMISSION] = {**NO_PERMISSION, **permission}
        metadata = whole(wanted, mark, row.get("metadata"), dropped, IN_METADATA)
        calls = [Call("POST", "/key/update", body={"key": wanted.id, **body, "metadata": metadata})]
        if "soft_budget" in body and _soft_budget(row) != body["soft_budget"] and (budget := _own_budget(self.mark_of(row), row)):
            # 1.81 takes it at creation only, and keeps it in a budget that it makes for the key.
            soft: Object = {"budget_id": budget, "soft_budget": body["soft_budget"]}
            calls.append(Call("POST", "/budget/update", body=soft))
        return Update(tuple(calls))

    def delete(self, object_id: str) -> Call:
        """At once, for everybody who has the value."""
        return Call("POST", "/key/delete", body={"keys": [object_id]})

    def listing(self, page: int) -> Call:
        """All keys in use, the newest first."""
        return Call("GET", "/key/list", query={"page": page, "size": PAGE_SIZE, "return_full_object": "true"})

    def listed(self, answer: Any, page: int) -> Page:
        """Under ``keys``."""
        return numbered(answer, "keys", page)

    def id_of(self, row: Object) -> str:
        """The hash."""
        return str(row.get("token") or "")

    def protected(self, row: Object) -> bool:
        """Sessions of LiteLLM's own pages."""
        return row.get("team_id") == UI_TEAM

    def comparable(self, row: Object) -> Object:
        """Without permission and soft budget, of which the list tells ids only."""
        return {**picked(row, _SHOWN), **picked(row.get("metadata"), IN_METADATA)}


def _info(answer: Any) -> Object | None:
    info: Any = cast("Object", answer).get("info") if isinstance(answer, dict) else None
    return cast("Object", info) if isinstance(info, dict) else None


def _is_cleared_by_value(name: str) -> bool:
    return name not in _KEPT | IN_METADATA | {EXPIRES} and not is_entry(name)


def _own_budget(mark: Mark | None, row: Object) -> str:
    """The budget that LiteLLM made for the key when we gave it a soft one; any other may be shared."""
    budget: Any = row.get("budget_id")
    return budget if mark is not None and "soft_budget" in mark.fields and isinstance(budget, str) else ""


def _soft_budget(row: Object) -> Any:
    return object_in(row, "litellm_budget_table").get("soft_budget")


def _left(wanted: Wanted) -> timedelta:
    end = parsed_time(wanted.fields[EXPIRES])
    if end is None or wanted.now is None:
        raise AssertionError("the end of a key was read before, and there is a clock wherever a key is wanted")
    return end - wanted.now


def _duration(wanted: Wanted) -> str:
    """From now to the end, in whole seconds; nothing is left of one that has passed."""
    return f"{max(0, math.ceil(_left(wanted) / timedelta(seconds=1)))}s"


def _ends_otherwise(wanted: Wanted, row: Object) -> bool:
    left = _left(wanted)
    there = parsed_time(row.get("expires"))
    if there is None or wanted.now is None:
        return True
    over = timedelta(0)
    if left <= over and there - wanted.now <= over:
        return False
    return abs(there - wanted.now - left) > _CLOSE
