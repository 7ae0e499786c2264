"""Keeps the members of an organization as its spec lists them. A spec that lists nobody leaves them alone.

Users are looked up by their e-mail address and never made: a user that is made with a membership has no address, and one that
is made with the address keeps a LiteLLMUser from being made.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.controllers.entities.roster import STOPPERS, first_of
from app.controllers.entities.unsettled import RETRY, Unsettled
from app.litellm.admin.errors import AdminError, AlreadyExists
from app.litellm.admin.refusals import told_name
from app.litellm.entities import organization_members
from app.litellm.entities.organization import Organization
from app.litellm.entities.organization_members import Changes, Listed, changes, members_in
from app.status.entity.reasons import REFERENCE_NOT_READY, SYNC_FAILED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.apis.litellm.organization import LiteLLMOrganizationSpec
    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object
    from app.litellm.admin.calls import Call
    from app.litellm.admin.client import Admin

MOST_SOUGHT = 20
"""Users that are looked up in one sync. Later ones begin with others, so that unknown ones keep nobody out."""


@dataclass(slots=True)
class _Pass:
    """One pass over the members of one organization."""

    admin: Admin
    organization: str
    unknown: set[str] = field(default_factory=set[str])
    """Addresses that no user has."""
    failed: dict[str, AdminError] = field(default_factory=dict[str, AdminError])
    """By address, or by id where there is none."""

    async def make(self, due: Changes, start: int) -> None:
        """Every change that is due; what goes wrong with one member is noted. Raises what is no single member's failure."""
        for member in due.remove:
            await self._noted(organization_members.remove(self.organization, member), member.email or member.user_id)
        for one, member in due.edit:
            await self._noted(organization_members.edit(self.organization, member, one.role), one.email)
        for one in _from(due.add, start)[:MOST_SOUGHT]:
            answer = await self._noted(organization_members.find(one.email), one.email)
            if one.email in self.failed:
                continue
            if user := organization_members.found(one.email, answer):
                await self._noted(organization_members.add(self.organization, user, one.role), one.email)
            else:
                self.unknown.add(one.email)

    async def _noted(self, call: Call, whom: str) -> object:
        try:
            return await self.admin.ask(call)
        except STOPPERS:
            raise
        except AlreadyExists:
            return None  # A member already: the look that follows tells.
        except AdminError as error:
            self.failed[whom] = error
            return None


async def keep_members(setting: Setting[LiteLLMOrganizationSpec], organization: str) -> tuple[Object, Unsettled | None]:
    """The organization as it is in the end, and why not every member is as the spec says. Raises ``AdminError``."""
    admin = setting.link.admin
    row = await _look(admin, organization)
    listed = tuple(Listed(one.email, one.role) for one in setting.spec.members or ())
    if not listed or not (due := changes(listed, members_in(row))):
        return row, None
    this = _Pass(admin, organization)
    await this.make(due, int(setting.context.now().timestamp()) // RETRY * MOST_SOUGHT)
    row = await _look(admin, organization)
    return row, _trouble(this, changes(listed, members_in(row)))


def _trouble(this: _Pass, left: Changes) -> Unsettled | None:
    wanted = [one.email for one in (*left.add, *(listed for listed, _ in left.edit))]
    stuck = [one.email or one.user_id for one in left.remove]
    failed = {one: this.failed[one] for one in (*wanted, *stuck) if one in this.failed}
    lines = [f"{one} is not a member as the spec says: LiteLLM {failed[one]}" for one in wanted if one in failed]
    unknown = [one for one in wanted if one in this.unknown]
    lines += [f"LiteLLM has no user with the e-mail address {one}: create a LiteLLMUser with it" for one in unknown]
    lines += [f"{one} is not a member as the spec says yet" for one in wanted if one not in failed and one not in unknown]
    lines += [f"{told_name(one)} is still a member" + (f": LiteLLM {failed[one]}" if one in failed else "") for one in stuck]
    if not lines:
        return None
    reason = SYNC_FAILED if failed else REFERENCE_NOT_READY
    return Unsettled(reason, first_of(lines), RETRY)


async def _look(admin: Admin, organization: str) -> Object:
    entity = Organization()
    return entity.row(organization, await admin.ask(entity.read(organization))) or {}


def _from(people: Sequence[Listed], start: int) -> tuple[Listed, ...]:
    """The same, beginning elsewhere."""
    first = start % len(people) if people else 0
    return (*people[first:], *people[:first])
