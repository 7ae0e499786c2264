"""Puts a user into the teams that the user's spec names. Where a team's own spec says otherwise, the team's word counts.

A team in mode ``crd`` has exactly the members that it lists, and whoever is listed by address has the role that is said there.
Memberships from elsewhere are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.team import LITELLM_TEAM, LiteLLMTeamSpec
from app.controllers.entities.roster import STOPPERS
from app.controllers.entities.unsettled import REFUSED, RETRY, Unsettled, of_failure, reference_not_ready
from app.hooks.objects import terminating
from app.hooks.observed_fields import object_in, objects_in, text_in
from app.kube.reader import ReaderOff, ReadFailed
from app.litellm.admin.errors import AdminError, EnterpriseOnly, NotFound
from app.litellm.entities import membership
from app.litellm.entities.amounts import number
from app.litellm.entities.membership import Listed, members_in, same
from app.litellm.entities.team import Team
from app.status import resync
from app.status.entity.reasons import (
    ENTERPRISE_LICENSE_REQUIRED,
    INVALID_SPEC,
    MEMBERSHIP_REFUSED,
    REFERENCE_NOT_READY,
    SYNC_FAILED,
)

if TYPE_CHECKING:
    from app.apis.litellm.user import LiteLLMUserSpec
    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object
    from app.litellm.admin.calls import Call
    from app.litellm.entities.membership import Member
    from app.status.reason import Condition


@dataclass(frozen=True, slots=True)
class Wish:
    """A team that the spec names."""

    team: str
    """Its id in LiteLLM."""
    role: str
    budget: float | None
    refused: str = ""
    """The name of the LiteLLMTeam that does not want the user."""

    def known(self) -> Object:
        """As JSON, for the fingerprint."""
        return {"team": self.team, "role": self.role, "budget": self.budget, "refused": self.refused}


@dataclass(slots=True)
class Result:
    """What came of it."""

    fields: Object
    conditions: tuple[Condition, ...] = ()
    trouble: Unsettled | None = None


@dataclass(slots=True)
class _Pass:
    """One pass over the teams of one user."""

    setting: Setting[LiteLLMUserSpec]
    user: str
    told: list[Object] = field(default_factory=list["Object"])
    failed: dict[str, AdminError] = field(default_factory=dict[str, AdminError])
    """By the id of the team."""

    def before(self, team: str) -> Object:
        """What the status tells of a team."""
        nothing: Object = {}
        return next((one for one in _told(self.setting) if one.get("teamId") == team), nothing)

    async def join(self, wish: Wish) -> None:
        """In the team with that role and budget, one writer at a time, and looked at once more."""
        admin = self.setting.link.admin
        async with admin.turn(f"team {wish.team}"):
            answer = await admin.ask(Team().read(wish.team))
            if (call := self._due(wish, self._member(answer))) is not None:
                await admin.ask(call)
                answer = await admin.ask(Team().read(wish.team))
        self._note(wish, answer, synced=self._member(answer) is not None and not wish.refused)

    async def leave(self, team: str) -> None:
        """Out of a team that the spec has named before."""
        admin = self.setting.link.admin
        async with admin.turn(f"team {team}"):
            there = self._member(await admin.ask(Team().read(team)))
            if there is not None:
                await admin.ask(membership.remove(team, there))

    def _member(self, answer: Any) -> Member | None:
        return next((one for one in members_in(answer) if one.user_id == self.user), None)

    def _due(self, wish: Wish, there: Member | None) -> Call | None:
        if wish.refused:
            return None
        if there is None:
            return membership.add(wish.team, [Listed("", wish.role, self.user)], wish.budget)
        told = self.before(wish.team).get("maxBudgetInTeam") is not None
        clear = wish.budget is None and told and there.budget is not None
        if there.role == wish.role and not clear and wish.budget in (None, there.budget):
            return None
        return membership.edit(wish.team, there, role=wish.role, budget=wish.budget, clear=clear)

    def _note(self, wish: Wish, answer: Any, *, synced: bool) -> None:
        alias = (Team().row(wish.team, answer) or {}).get("team_alias")
        one: Object = {
            "teamId": wish.team,
            "teamAlias": alias,
            "role": wish.role,
            "synced": synced,
            "maxBudgetInTeam": number(wish.budget),
        }
        self.told.append({name: value for name, value in one.items() if value is not None})


def wishes(setting: Setting[LiteLLMUserSpec]) -> tuple[Wish, ...]:
    """The teams of the spec, each once. Raises :class:`Unsettled`."""
    found: dict[str, Wish] = {}
    for index, one in enumerate(setting.spec.teams or ()):
        place = f"spec.teams[{index}]"
        if one.role not in {"user", "admin"}:
            raise Unsettled(INVALID_SPEC, f"{place}.role: must be user or admin", resync.NEVER)
        if one.team_ref is not None:
            name = one.team_ref.name
            team = setting.referenced_id(LITELLM_TEAM, name, f"{place}.teamRef", "litellmTeamId")
            wish = Wish(team, one.role, one.max_budget_in_team)
            wish = ruled(setting, wish, setting.referenced(LITELLM_TEAM, name, f"{place}.teamRef"))
        elif one.team_id:
            wish = Wish(one.team_id, one.role, one.max_budget_in_team)
        else:
            raise Unsettled(INVALID_SPEC, f"{place}: names no team; give it a teamRef or a teamId", resync.NEVER)
        found.setdefault(wish.team, wish)
    return tuple(found.values())


def ruled(setting: Setting[LiteLLMUserSpec], wish: Wish, team: Object) -> Wish:
    """The wish as the team's own spec has it."""
    spec = check_spec(LiteLLMTeamSpec, team.get("spec"))
    if isinstance(spec, InvalidSpec):
        return wish
    address = setting.spec.user_email
    listed = next((one for one in spec.members or () if address and same(one.email, address)), None)
    if spec.member_management == "sso":
        return wish
    if listed is not None:
        return replace(wish, role=listed.role)
    return replace(wish, refused=team["metadata"]["name"]) if spec.member_management == "crd" else wish


async def keep_memberships(setting: Setting[LiteLLMUserSpec], user: str, wanted: tuple[Wish, ...]) -> Result:
    """Joins what the spec names and leaves what it named before. What ends it early is in the result, too."""
    try:
        return await _kept(_Pass(setting, user), wanted)
    except Unsettled as unsettled:
        return Result({}, trouble=unsettled)
    except AdminError as error:
        return Result({}, trouble=of_failure(error))


async def _kept(this: _Pass, wanted: tuple[Wish, ...]) -> Result:
    setting = this.setting
    named = {wish.team for wish in wanted}
    left = [one for one in _told(setting) if one.get("synced") is True and one.get("teamId") not in named]
    unseen = any(one.team_ref is None for one in setting.spec.teams or ())
    teams = await _teams(setting) if left or unseen else {}
    wanted = tuple(ruled(setting, wish, teams[wish.team]) if wish.team in teams else wish for wish in wanted)
    for wish in wanted:
        try:
            await this.join(wish)
        except STOPPERS:
            raise
        except AdminError as error:
            this.failed[wish.team] = error
            this.told.append({"teamId": wish.team, "role": wish.role, "synced": this.before(wish.team).get("synced") is True})
    for one in left:
        team = str(one.get("teamId"))
        if team in teams and _lists(setting, teams[team]):
            continue  # The team's own spec has put the user there.
        try:
            await this.leave(team)
        except NotFound:
            continue
        except STOPPERS:
            raise
        except AdminError as error:
            this.failed[team] = error
            this.told.append(one)
    refusals = sorted({wish.refused for wish in wanted if wish.refused})
    late = {one["teamId"] for one in this.told if not one["synced"]} - {wish.team for wish in wanted if wish.refused}
    return Result({"resolvedTeams": this.told}, tuple(_refused(refusals)), _trouble(this.failed, late - this.failed.keys()))


def _refused(teams: list[str]) -> list[Condition]:
    if not teams:
        return []
    who = f"LiteLLMTeam {', '.join(teams)} decides on its members alone (spec.memberManagement: crd)"
    return [MEMBERSHIP_REFUSED.because(f"{who} and does not list spec.userEmail of this user")]


def _trouble(failed: dict[str, AdminError], late: set[str]) -> Unsettled | None:
    if not failed:
        return Unsettled(REFERENCE_NOT_READY, f"not in team {', '.join(sorted(late))} yet", RETRY) if late else None
    message = "; ".join(f"team {team} (spec.teams): LiteLLM {error}" for team, error in failed.items())
    if all(isinstance(error, EnterpriseOnly) for error in failed.values()):
        return Unsettled(ENTERPRISE_LICENSE_REQUIRED, message, REFUSED)
    if all(isinstance(error, NotFound) for error in failed.values()):
        return Unsettled(REFERENCE_NOT_READY, message, resync.MISSING_REFERENCE)
    return Unsettled(SYNC_FAILED, message, RETRY)


async def _teams(setting: Setting[LiteLLMUserSpec]) -> dict[str, Object]:
    """The LiteLLMTeams of the same proxy, by their id in LiteLLM."""
    try:
        teams = await setting.context.reader.list(LITELLM_TEAM.resource, setting.request.namespace)
    except ReaderOff:
        return {}
    except ReadFailed as error:
        raise reference_not_ready(f"{error}, and without that no team is joined or left (spec.teams)") from error
    instance = setting.spec.instance_ref.name
    found: dict[str, Object] = {}
    for team in teams:
        spec, status = object_in(team, "spec"), object_in(team, "status")
        known = text_in(status, "litellmTeamId") or text_in(spec, "teamId")
        if known and not terminating(team) and spec.get("instanceRef") == {"name": instance}:
            found[known] = team
    return found


def _lists(setting: Setting[LiteLLMUserSpec], team: Object) -> bool:
    spec = check_spec(LiteLLMTeamSpec, team.get("spec"))
    address = setting.spec.user_email
    if isinstance(spec, InvalidSpec) or not address:
        return False
    return any(same(one.email, address) for one in spec.members or ())


def _told(setting: Setting[LiteLLMUserSpec]) -> list[Object]:
    return objects_in(setting.before.fields, "resolvedTeams")
