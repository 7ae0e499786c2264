"""Who is in a team of LiteLLM, and the calls that change it. Pure.

LiteLLM knows members by user id and resolves an e-mail address to a user, whom it makes if there is none. It keeps a member's
own limits in a budget; a change of a role that does not repeat them cuts the member off from that budget, at 1.81.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.hooks.observed_fields import object_in, objects_in, text_in
from app.litellm.admin.calls import Call
from app.litellm.entities.listing import people_in
from app.litellm.entities.reserved import MASTER
from app.litellm.entities.team import default_budget

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hooks.objects import Object

_OF_NEWER = "budget_source"
"""In every membership that a newer release shows. Those keep a member in the team's budget for all members, whatever else is
edited; 1.81 does not, so there the limits are repeated, and become the member's own."""

_OWN_LIMITS = {"max_budget": "max_budget_in_team", "tpm_limit": "tpm_limit", "rpm_limit": "rpm_limit"}
"""The names of a member's limits in a budget, and in a request."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in a team."""

    user_id: str
    email: str
    role: str
    limits: Object = field(default_factory=dict[str, Any])
    """What an edit has to repeat, by the names of a request: the member's own; at 1.81 those of all members, too."""

    @property
    def budget(self) -> float | None:
        """US dollars that the member may spend, if that is limited for this very one."""
        return self.limits.get("max_budget_in_team")


@dataclass(frozen=True, slots=True)
class Listed:
    """Somebody whom a team's spec lists."""

    email: str
    role: str
    user_id: str = ""
    """Of the LiteLLMUser with that e-mail address, once LiteLLM has it."""
    waits_for: str = ""
    """The name of the LiteLLMUser with that e-mail address, while LiteLLM does not have it: it would make another user."""

    def is_in(self, members: Iterable[Member]) -> Member | None:
        """The member that is meant."""
        by_id = (one for one in members if self.user_id and one.user_id == self.user_id)
        by_email = (one for one in members if one.email and same(one.email, self.email))
        return next(by_id, None) or next(by_email, None)


@dataclass(frozen=True, slots=True)
class Changes:
    """What makes a team have the members that its spec lists."""

    add: tuple[Listed, ...]
    edit: tuple[tuple[Listed, Member], ...]
    remove: tuple[Member, ...]

    def __bool__(self) -> bool:
        return bool(self.add or self.edit or self.remove)


def same(one: str, other: str) -> bool:
    """Whether two e-mail addresses are one to LiteLLM, which looks users up in any case."""
    return one.casefold() == other.casefold()


def members_in(answer: Any) -> tuple[Member, ...]:
    """The members in the answer to ``/team/info``, without the holder of the master key.

    Raises :class:`~app.litellm.entities.listing.NoList`.
    """
    row = object_in(answer, "team_info")
    shared = default_budget(row)
    limits = {
        text_in(one, "user_id"): _limits(object_in(one, "litellm_budget_table"))
        for one in objects_in(answer, "team_memberships")
        if one.get("budget_id") != shared or _OF_NEWER not in one
    }
    return tuple(
        Member(
            text_in(one, "user_id"),
            text_in(one, "user_email"),
            text_in(one, "role"),
            limits.get(text_in(one, "user_id"), {}),
        )
        for one in people_in(row, "members_with_roles", "a team")
        if one.get("user_id") != MASTER
    )


def changes(mode: str, listed: Iterable[Listed], there: tuple[Member, ...], removable: Iterable[str]) -> Changes:
    """What is to be done in a team that is kept in that mode; ``removable`` are e-mail addresses that it has put there before."""
    if mode == "sso":
        return Changes((), (), ())
    wanted = [(one, one.is_in(there)) for one in listed]
    found = {member.user_id for _, member in wanted if member is not None}
    addresses = {email.casefold() for email in removable}
    return Changes(
        add=tuple(one for one, member in wanted if member is None),
        edit=tuple((one, member) for one, member in wanted if member is not None and member.role != one.role),
        remove=tuple(
            one
            for one in there
            if one.user_id not in found and (mode == "crd" or (one.email and one.email.casefold() in addresses))
        ),
    )


def add(team: str, people: Iterable[Listed], budget: float | None = None) -> Call:
    """Several at once, since LiteLLM loses some of what arrives at the same time. All of them fail if one does."""
    members = [
        {"user_id": one.user_id, "role": one.role} if one.user_id else {"user_email": one.email, "role": one.role}
        for one in people
    ]
    body: Object = {"team_id": team, "member": members}
    return Call("POST", "/team/member_add", body=body if budget is None else {**body, "max_budget_in_team": budget})


def edit(team: str, member: Member, *, role: str, budget: float | None = None, clear: bool = False) -> Call:
    """Another role, another budget, or none; everything else of the member as it is.

    Of somebody who is not in the team LiteLLM would make half a member: whoever calls has looked.
    """
    limits = {**member.limits, **({} if budget is None else {"max_budget_in_team": budget})}
    if clear:
        limits["max_budget_in_team"] = None
    change = {} if role == member.role else {"role": role}
    return Call("POST", "/team/member_update", body={"team_id": team, "user_id": member.user_id, **change, **limits})


def remove(team: str, member: Member) -> Call:
    """With the member's keys in the team."""
    return Call("POST", "/team/member_delete", body={"team_id": team, "user_id": member.user_id})


def _limits(budget: Object) -> Object:
    return {asked: budget[name] for name, asked in _OWN_LIMITS.items() if budget.get(name) is not None}
