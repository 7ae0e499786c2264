"""A team in LiteLLM: limits that its members and keys have in common. Members are in :mod:`app.litellm.entities.membership`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.hooks.observed_fields import object_in, text_in
from app.litellm.admin.calls import Call
from app.litellm.entities.entity import Entity, Update
from app.litellm.entities.listing import PAGE_SIZE, Page, members_shown, numbered, picked, rows_of
from app.litellm.entities.metadata import is_entry, whole
from app.litellm.entities.ownership import mark_in
from app.litellm.entities.permission import NO_PERMISSION, PERMISSION
from app.litellm.entities.reserved import UI_TEAM
from app.litellm.entities.team_logging import ENTRY

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Wanted
    from app.litellm.entities.ownership import Mark, Owner

IN_METADATA = frozenset({"guardrails", "tags", "model_rpm_limit", "model_tpm_limit"})
"""Fields that LiteLLM keeps in a team's metadata: writing that without them clears them."""

OF_MEMBERS = {"team_member_budget": "max_budget", "team_member_rpm_limit": "rpm_limit", "team_member_tpm_limit": "tpm_limit"}
"""Limits that LiteLLM keeps in a budget that it makes for the team's members, and their names there."""

_CLEARED: Object = {"models": [], "blocked": False, PERMISSION: NO_PERMISSION}
"""What empties a field that null does not empty."""

_MOST_OF_AN_ALIAS = 100

_SHOWN = (
    "team_alias",
    "organization_id",
    "models",
    "max_budget",
    "budget_duration",
    "tpm_limit",
    "rpm_limit",
    "blocked",
    "metadata",
)
"""What the list shows as it was sent, besides what is in the metadata."""


class Team(Entity):
    """``/team/*``. The mark is in ``metadata``."""

    noun = "team"
    hidden = frozenset({f"metadata.{ENTRY}"})

    def read(self, object_id: str) -> Call:
        """The team with its keys and memberships."""
        return Call("GET", "/team/info", query={"team_id": object_id})

    def row(self, object_id: str, answer: Any) -> Object | None:
        """The team itself."""
        row = object_in(answer, "team_info")
        return row if row.get("team_id") == object_id else None

    def mark_of(self, row: Object) -> Mark | None:
        """Lost when somebody writes a field that is kept in the metadata, at 1.81."""
        return mark_in(row.get("metadata"))

    def find(self, alias: str) -> Call:
        """The teams whose alias contains that one: :meth:`found` reads the answer."""
        return Call("GET", "/v2/team/list", query={"team_alias": alias, "page_size": _MOST_OF_AN_ALIAS})

    def found(self, owner: Owner, answer: Any) -> str:
        """The id of the team that has the owner's mark; empty if there is none."""
        for row in rows_of(answer, "teams"):
            mark = self.mark_of(row)
            if mark is not None and mark.owner == owner.path and isinstance(row.get("team_id"), str):
                return row["team_id"]
        return ""

    def create(self, wanted: Wanted, mark: Mark) -> Call:
        """A new team. One that exists is refused with 400."""
        return Call("POST", "/team/new", body={"team_id": wanted.id, **wanted.fields, "metadata": whole(wanted, mark)})

    def update(self, wanted: Wanted, mark: Mark, row: Object, dropped: frozenset[str]) -> Update:
        """With the whole metadata and all that is kept there, since 1.81 replaces both by what is sent."""
        body: Object = {**wanted.fields, **{name: _CLEARED.get(name) for name in sorted(dropped) if _is_cleared_by_value(name)}}
        if PERMISSION in body:
            body[PERMISSION] = {**NO_PERMISSION, **body[PERMISSION]}
        body["metadata"] = whole(wanted, mark, row.get("metadata"), dropped, IN_METADATA)
        calls = [Call("POST", "/team/update", body={"team_id": wanted.id, **body})]
        if body.get("soft_budget", 0) is None and row.get("soft_budget") is not None:
            # A lower max_budget is held against the old soft budget, although the same request clears that.
            calls.insert(0, Call("POST", "/team/update", body={"team_id": wanted.id, "soft_budget": None}))
        if (gone := sorted(dropped & OF_MEMBERS.keys())) and (budget := default_budget(row)):
            # 1.81 ignores null for these. This comes first: the mark that the other call writes forgets that they were sent.
            nulls = {OF_MEMBERS[name]: None for name in gone}
            calls.insert(0, Call("POST", "/budget/update", body={"budget_id": budget, **nulls}))
        return Update(tuple(calls))

    def delete(self, object_id: str) -> Call:
        """With the team's keys and memberships."""
        return Call("POST", "/team/delete", body={"team_ids": [object_id]})

    def listing(self, page: int) -> Call:
        """All teams, without their keys."""
        return Call("GET", "/v2/team/list", query={"page": page, "page_size": PAGE_SIZE})

    def listed(self, answer: Any, page: int) -> Page:
        """Under ``teams``."""
        return numbered(answer, "teams", page)

    def id_of(self, row: Object) -> str:
        """The id that was chosen."""
        return str(row.get("team_id") or "")

    def protected(self, row: Object) -> bool:
        """The one of LiteLLM's own pages."""
        return row.get("team_id") == UI_TEAM

    def comparable(self, row: Object) -> Object:
        """Without what is limited for members. These are kept of teams of somebody's who may have listed them."""
        members = members_shown(row, "members_with_roles", "role") if self.mark_of(row) is not None else {}
        return {**picked(row, _SHOWN), **picked(row.get("metadata"), IN_METADATA), **members}


def default_budget(row: Object) -> str:
    """The id of the budget that LiteLLM made for all members of a team; empty if there is none."""
    return text_in(object_in(row, "metadata"), "team_member_budget_id")


def _is_cleared_by_value(name: str) -> bool:
    return name != "metadata" and name not in IN_METADATA and not is_entry(name)
