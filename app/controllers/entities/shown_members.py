"""Members as the lists of a snapshot show them, held against the specs that ask for some. It makes no call.

A list names a member who was added by id by that alone; the address is in the list of users. Where that does not tell it, nobody
is known to be missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.controllers.entities.roster import once
from app.hooks.observed_fields import objects_in
from app.litellm.admin.refusals import told_name
from app.litellm.entities import membership, organization_members
from app.litellm.entities.listing import MEMBERS
from app.litellm.entities.reserved import MASTER
from app.litellm.entities.team import Team
from app.litellm.entities.user import TEAMS, User

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.apis.litellm.organization import LiteLLMOrganizationSpec
    from app.apis.litellm.team import LiteLLMTeamSpec
    from app.apis.litellm.user import LiteLLMUserSpec
    from app.controllers.entities.kind import Aim
    from app.controllers.entities.setting import Setting
    from app.litellm.snapshot import Seen, Snapshot


def of_team(setting: Setting[LiteLLMTeamSpec], _: Aim, seen: Seen, snapshot: Snapshot) -> list[str]:
    """Members whom the spec wants otherwise. Those whom a spec listed before are nobody's here: its edit has removed them."""
    spec = setting.spec
    shown = _members(seen, snapshot)
    if shown is None:
        return []
    there = tuple(membership.Member(*one) for one in shown)
    listed = once(membership.Listed(one.email, one.role) for one in spec.members or ())
    return _named(membership.changes(spec.member_management, listed, there, ()))


def of_organization(setting: Setting[LiteLLMOrganizationSpec], _: Aim, seen: Seen, snapshot: Snapshot) -> list[str]:
    """Members whom the spec wants otherwise, if it lists any."""
    listed = [organization_members.Listed(one.email, one.role) for one in setting.spec.members or ()]
    shown = _members(seen, snapshot) if listed else None
    if shown is None:
        return []
    return _named(organization_members.changes(listed, tuple(organization_members.Member(*one) for one in shown)))


def of_user(setting: Setting[LiteLLMUserSpec], aim: Aim, seen: Seen, snapshot: Snapshot) -> list[str]:
    """Teams of the spec that the user was in and is not any more. Roles and budgets there are not compared."""
    wanted = {one["team"] for one in aim.beyond["teams"]}
    joined = {one.get("teamId") for one in objects_in(setting.before.fields, "resolvedTeams") if one.get("synced") is True}
    own: Any = seen.fields.get(TEAMS)
    if not isinstance(own, list):
        return []
    return [f"{TEAMS}.{team}" for team in wanted & joined if team not in own and not _shows(snapshot, team, aim.wanted.id)]


def _shows(snapshot: Snapshot, team: str, user: str) -> bool:
    """Whether the list of teams has the user in the team. LiteLLM keeps that twice, and not always alike."""
    row = snapshot.of(Team()).rows.get(team)
    return row is not None and any(one[0] == user for one in row.fields.get(MEMBERS, ()))


def _members(seen: Seen, snapshot: Snapshot) -> list[tuple[str, str, str]] | None:
    """Id, e-mail address and role of each, but the holder of the master key; nothing where one of them is unknown."""
    if MEMBERS not in seen.fields:
        return None
    users = snapshot.of(User()).rows
    found: list[tuple[str, str, str]] = []
    for user, email, role in seen.fields[MEMBERS]:
        if user == MASTER:
            continue
        if not email and user not in users:
            return None
        known: Any = email or users[user].fields.get("user_email")
        found.append((user, known if isinstance(known, str) else "", role))
    return found


def _named(due: membership.Changes | organization_members.Changes) -> list[str]:
    return [f"{MEMBERS}.{one}" for one in _people(due)]


def _people(due: membership.Changes | organization_members.Changes) -> Iterator[str]:
    """Listed ones by their address; others by what somebody wrote there."""
    yield from (one.email for one in due.add)
    yield from (one.email for one, _ in due.edit)
    yield from (told_name(one.email or one.user_id) for one in due.remove)
