"""Keeps the members of a team as its spec lists them, one writer at a time.

What goes wrong with one member is told with that one, and tried again; the others are kept in step meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.apis.litellm.user import LITELLM_USER
from app.controllers.entities.unsettled import REFUSED, RETRY, Unsettled, reference_not_ready
from app.hooks.objects import terminating
from app.hooks.observed_fields import object_in, objects_in, text_in
from app.kube.reader import ReaderOff, ReadFailed
from app.litellm.admin.errors import AdminError, AlreadyExists, DatabaseDown, EnterpriseOnly, KeyRejected, Unreachable
from app.litellm.admin.refusals import told_name
from app.litellm.entities import membership
from app.litellm.entities.membership import Listed, Member, changes, members_in, same
from app.litellm.entities.team import Team
from app.status.entity.reasons import ENTERPRISE_LICENSE_REQUIRED, REFERENCE_NOT_READY, SYNC_FAILED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from app.apis.litellm.team import LiteLLMTeamSpec
    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object
    from app.litellm.admin.calls import Call
    from app.litellm.admin.client import Admin

MOST_SINGLY = 20
"""Members that are added one by one in one sync, after LiteLLM has refused them together."""
MOST_NAMED = 3
"""Members that a message names."""

STOPPERS = (Unreachable, DatabaseDown, KeyRejected)
"""Failures that are no single member's."""


@dataclass(slots=True)
class Told:
    """What came of it."""

    fields: Object
    trouble: Unsettled | None = None
    """Why not every member is as the spec says."""


@dataclass(slots=True)
class _Pass:
    """One pass over one team."""

    admin: Admin
    team: str
    failed: dict[str, AdminError] = field(default_factory=dict[str, AdminError])
    """By what names the member in the status."""

    async def make(self, call: Call, whom: Iterable[str]) -> bool:
        """Whether the call went well; what was wrong is noted. Raises what is no single member's failure."""
        try:
            await self.admin.ask(call)
        except STOPPERS:
            raise
        except AlreadyExists:
            # In the team already: the look that follows tells as whom.
            return True
        except AdminError as error:
            self.failed |= dict.fromkeys(whom, error)
            return False
        return True

    async def add(self, people: tuple[Listed, ...]) -> None:
        """Those of one role together, and one by one if that is refused."""
        for role in sorted({one.role for one in people}):
            group = [one for one in people if one.role == role]
            together = await self.make(membership.add(self.team, group), [one.email for one in group])
            if together or len(group) == 1:
                continue
            for one in group[:MOST_SINGLY]:
                self.failed.pop(one.email, None)
                await self.make(membership.add(self.team, [one]), [one.email])


async def keep_members(setting: Setting[LiteLLMTeamSpec], team: str) -> tuple[Any, Told]:
    """The answer to the last look at the team, and what to tell. Raises ``AdminError`` and ``Unsettled``."""
    spec, admin = setting.spec, setting.link.admin
    mode = spec.member_management
    before = [str(one.get("email")) for one in objects_in(setting.before.fields, "crdMembers")]
    listed = once(Listed(one.email, one.role) for one in spec.members or ())
    removed: tuple[Member, ...] = ()
    async with admin.turn(f"team {team}"):
        answer = await admin.ask(Team().read(team))
        this = _Pass(admin, team)
        if changes(mode, listed, members_in(answer), before):
            users = await _users(setting)
            listed = tuple(_claimed(one, users) for one in listed)
            kept = {_email(user) for user in users if _names_team(user, setting.request.name, team)}
            due = changes(mode, listed, members_in(answer), [one for one in before if one.casefold() not in kept])
            await this.add(tuple(one for one in due.add if not one.waits_for))
            for one, member in due.edit:
                await this.make(membership.edit(team, member, role=one.role), [one.email])
            removed = due.remove
            for member in removed:
                await this.make(membership.remove(team, member), [_name(member)])
            if due:
                answer = await admin.ask(Team().read(team))
    there = members_in(answer)
    gone = {member.user_id for member in removed}
    stuck = [one for one in there if one.user_id in gone]
    return answer, _told(mode, listed, there, stuck, before, this.failed)


def _told(
    mode: str,
    listed: tuple[Listed, ...],
    there: tuple[Member, ...],
    stuck: list[Member],
    before: list[str],
    failed: Mapping[str, AdminError],
) -> Told:
    """``stuck`` are those who were removed and are there all the same."""
    own: list[Object] = []
    found: set[str] = set()
    late: list[Listed] = []
    for one in listed if mode != "sso" else ():
        member = one.is_in(there)
        synced = member is not None and member.role == one.role
        own.append(_status(one.email, one.role, "crd", synced=synced))
        if member is not None:
            found.add(member.user_id)
        if not synced:
            late.append(one)
    # Still to be removed, so it must not be forgotten that they were put there.
    own += [_status(one.email, one.role, "crd", synced=False) for one in stuck if any(same(one.email, old) for old in before)]
    others = [one for one in there if one.user_id not in found and one not in stuck]
    fields: Object = {
        "totalMemberCount": len(there),
        "crdMembers": own,
        "ssoMembers": [_status(_name(one), one.role, "sso", synced=True) for one in others],
    }
    if not late and not stuck:
        return Told(fields)
    return Told(fields, _trouble(late, stuck, failed))


def _trouble(late: list[Listed], stuck: list[Member], failed: Mapping[str, AdminError]) -> Unsettled:
    errors = [failed[one.email] for one in late if one.email in failed]
    errors += [failed[_name(one)] for one in stuck if _name(one) in failed]
    lines = [_why(one, failed) for one in late]
    lines += [_why_still_there(one, failed) for one in stuck]
    message = first_of(lines)
    if any(not isinstance(error, EnterpriseOnly) for error in errors):
        return Unsettled(SYNC_FAILED, message, RETRY)
    if errors:
        waiting = len(errors) < len(lines)
        return Unsettled(ENTERPRISE_LICENSE_REQUIRED, message, RETRY if waiting else REFUSED)
    return Unsettled(REFERENCE_NOT_READY, message, RETRY)


def first_of(lines: list[str]) -> str:
    """The first few lines as one message, with how many more there are."""
    more = f"; and {len(lines) - MOST_NAMED} more" if len(lines) > MOST_NAMED else ""
    return "; ".join(lines[:MOST_NAMED]) + more


def _name(one: Member) -> str:
    return one.email or one.user_id


def _why_still_there(one: Member, failed: Mapping[str, AdminError]) -> str:
    error = failed.get(_name(one))
    return f"{told_name(_name(one))} is not removed" + (f": LiteLLM {error}" if error is not None else " yet")


def _why(one: Listed, failed: Mapping[str, AdminError]) -> str:
    if one.email in failed:
        return f"{one.email} is not a member as the spec says: LiteLLM {failed[one.email]}"
    if one.waits_for:
        return f"{one.email} becomes a member once LiteLLMUser {one.waits_for} with that address is in LiteLLM"
    return f"{one.email} is not a member as the spec says yet"


async def _users(setting: Setting[LiteLLMTeamSpec]) -> list[Object]:
    """The LiteLLMUsers of the same proxy."""
    try:
        users = await setting.context.reader.list(LITELLM_USER.resource, setting.request.namespace)
    except ReaderOff:
        return []
    except ReadFailed as error:
        raise reference_not_ready(f"{error}, and without that nobody is added or removed (spec.members)") from error
    instance = setting.spec.instance_ref.name
    return [user for user in users if not terminating(user) and object_in(user, "spec").get("instanceRef") == {"name": instance}]


def _claimed(one: Listed, users: Iterable[Object]) -> Listed:
    user = next((user for user in users if _email(user) == one.email.casefold()), None)
    if user is None:
        return one
    if known := text_in(object_in(user, "status"), "litellmUserId"):
        return Listed(one.email, one.role, user_id=known)
    return Listed(one.email, one.role, waits_for=user["metadata"]["name"])


def _names_team(user: Object, name: str, team: str) -> bool:
    """Whether a LiteLLMUser wants to be in the team."""
    return any(
        one["teamRef"] == {"name": name} if one.get("teamRef") else one.get("teamId") == team
        for one in objects_in(object_in(user, "spec"), "teams")
    )


def once(people: Iterable[Listed]) -> tuple[Listed, ...]:
    """Each address once: the first one counts."""
    by_address: dict[str, Listed] = {}
    for one in people:
        by_address.setdefault(one.email.casefold(), one)
    return tuple(by_address.values())


def _status(email: str, role: str, source: str, *, synced: bool) -> Object:
    return {"email": email, "role": role, "source": source, "synced": synced}


def _email(user: Object) -> str:
    return text_in(object_in(user, "spec"), "userEmail").casefold()
