"""Who is in an organization of LiteLLM, and the calls that change it. Pure.

LiteLLM adds members by user id alone: its look-up by e-mail address fails on every release (measured at 1.81.14; the code of
1.110.2 is the same).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.hooks.observed_fields import text_in
from app.litellm.admin.calls import Call
from app.litellm.entities.listing import people_in, rows_of
from app.litellm.entities.membership import same

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hooks.objects import Object

_MOST_OF_AN_ADDRESS = 100
"""Users whose address contains a whole other one."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in an organization."""

    user_id: str
    email: str
    role: str


@dataclass(frozen=True, slots=True)
class Listed:
    """Somebody whom the spec of an organization lists."""

    email: str
    role: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What makes an organization have the members that its spec lists."""

    add: tuple[Listed, ...]
    edit: tuple[tuple[Listed, Member], ...]
    remove: tuple[Member, ...]

    def __bool__(self) -> bool:
        return bool(self.add or self.edit or self.remove)


def members_in(row: Object) -> tuple[Member, ...]:
    """The members in an organization's row. Raises :class:`~app.litellm.entities.listing.NoList`."""
    return tuple(
        Member(text_in(one, "user_id"), text_in(one, "user_email"), text_in(one, "user_role"))
        for one in people_in(row, "members", "an organization")
    )


def changes(listed: Iterable[Listed], there: tuple[Member, ...]) -> Changes:
    """What is to be done for exactly these members; each address counts once, the first time."""
    by_address: dict[str, Listed] = {}
    for one in listed:
        by_address.setdefault(one.email.casefold(), one)
    present = {member.email.casefold(): member for member in there if member.email}
    return Changes(
        add=tuple(one for address, one in by_address.items() if address not in present),
        edit=tuple(
            (one, present[address])
            for address, one in by_address.items()
            if address in present and present[address].role != one.role
        ),
        remove=tuple(member for member in there if member.email.casefold() not in by_address),
    )


def find(email: str) -> Call:
    """The users whose e-mail address contains that one: :func:`found` reads the answer."""
    return Call("GET", "/user/list", query={"user_email": email, "page_size": _MOST_OF_AN_ADDRESS})


def found(email: str, answer: Any) -> str:
    """The id of the user with that address; empty if there is none."""
    for row in rows_of(answer, "users"):
        if same(text_in(row, "user_email"), email):
            return text_in(row, "user_id")
    return ""


def add(organization: str, user_id: str, role: str) -> Call:
    """A user that LiteLLM does not have is made by this: whoever calls has looked. One that is in is refused with 500."""
    body = {"organization_id": organization, "member": {"user_id": user_id, "role": role}}
    return Call("POST", "/organization/member_add", body=body)


def edit(organization: str, member: Member, role: str) -> Call:
    """Another role."""
    body = {"organization_id": organization, "user_id": member.user_id, "role": role}
    return Call("PATCH", "/organization/member_update", body=body)


def remove(organization: str, member: Member) -> Call:
    """Null for one that is not in."""
    return Call("DELETE", "/organization/member_delete", body={"organization_id": organization, "user_id": member.user_id})
