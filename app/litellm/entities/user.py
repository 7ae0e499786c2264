"""A user in LiteLLM. Its update makes a user that is not there, and answers 200 to much that it does not do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.hooks.observed_fields import object_in
from app.litellm.admin.calls import Call
from app.litellm.entities.entity import Entity, Update
from app.litellm.entities.listing import PAGE_SIZE, Page, numbered, picked
from app.litellm.entities.metadata import is_entry, whole
from app.litellm.entities.ownership import mark_in
from app.litellm.entities.permission import NO_PERMISSION, PERMISSION
from app.litellm.entities.reserved import MASTER

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Wanted
    from app.litellm.entities.ownership import Mark

IN_METADATA = frozenset({"model_rpm_limit", "model_tpm_limit"})
"""Fields that LiteLLM keeps in a user's metadata: writing that without them clears them."""

TEAMS = "teams"
"""The field with the ids of the teams that a user is in."""

_PERMISSION_ID = "object_permission_id"

_SHOWN = (
    "user_email",
    "user_role",
    "max_budget",
    "budget_duration",
    "models",
    "tpm_limit",
    "rpm_limit",
    "metadata",
)
"""What the list shows as it was sent, besides what is in the metadata."""


class User(Entity):
    """``/user/*``. The mark is in ``metadata``."""

    noun = "user"

    def read(self, object_id: str) -> Call:
        """The user with keys and teams; 404 for an unknown one."""
        return Call("GET", "/user/info", query={"user_id": object_id})

    def row(self, object_id: str, answer: Any) -> Object | None:
        """The user itself."""
        row = object_in(answer, "user_info")
        return row if row.get("user_id") == object_id else None

    def mark_of(self, row: Object) -> Mark | None:
        """In its metadata."""
        return mark_in(row.get("metadata"))

    def create(self, wanted: Wanted, mark: Mark) -> Call:
        """A new user without a key. One that exists is refused with 409, and so is an e-mail address that another has."""
        body = {"user_id": wanted.id, "auto_create_key": False, **wanted.fields, "metadata": whole(wanted, mark)}
        return Call("POST", "/user/new", body=body)

    def update(self, wanted: Wanted, mark: Mark, row: Object, dropped: frozenset[str]) -> Update:
        """Null for what is to be cleared. The mark keeps the name of what may be left of it: see :meth:`left`."""
        body = {name: value for name, value in wanted.fields.items() if name != PERMISSION}
        body |= {name: None for name in sorted(dropped) if _is_cleared_by_null(name)}
        # 1.81 knows no permission of users and refuses every update with one: others get theirs by a call of its own.
        if row.get(_PERMISSION_ID):
            body |= self.permission(wanted, dropped)
        kept = replace(mark, fields=mark.fields | {name for name in dropped if _is_cleared_by_null(name) and _has(row, name)})
        body["metadata"] = whole(wanted, kept, row.get("metadata"), dropped, IN_METADATA)
        return Update((Call("POST", "/user/update", body={"user_id": wanted.id, **body}),))

    def delete(self, object_id: str) -> Call:
        """With the user's keys and memberships."""
        return Call("POST", "/user/delete", body={"user_ids": [object_id]})

    def listing(self, page: int) -> Call:
        """All users."""
        return Call("GET", "/user/list", query={"page": page, "page_size": PAGE_SIZE})

    def listed(self, answer: Any, page: int) -> Page:
        """Under ``users``."""
        return numbered(answer, "users", page)

    def id_of(self, row: Object) -> str:
        """The id that was chosen."""
        return str(row.get("user_id") or "")

    def protected(self, row: Object) -> bool:
        """Whoever has the master key."""
        return row.get("user_id") == MASTER

    def comparable(self, row: Object) -> Object:
        """Without password and permission. Teams are kept of users of somebody's who may have named them."""
        teams = picked(row, (TEAMS,)) if self.mark_of(row) is not None else {}
        return {**picked(row, _SHOWN), **picked(row.get("metadata"), IN_METADATA), **teams}

    def permission(self, wanted: Wanted, dropped: frozenset[str] = frozenset()) -> Object:
        """The body that sets or empties the permission; empty if the spec has never had one."""
        if PERMISSION not in wanted.fields and PERMISSION not in dropped:
            return {}
        return {PERMISSION: {**NO_PERMISSION, **wanted.fields.get(PERMISSION, {})}}

    def permission_alone(self, wanted: Wanted) -> Call:
        """What a user without a permission gets it by, where the release knows it."""
        return Call("POST", "/user/update", body={"user_id": wanted.id, **self.permission(wanted)})

    def lacks_permission(self, wanted: Wanted, row: Object) -> bool:
        """Whether LiteLLM has stored none although one is wanted."""
        return PERMISSION in wanted.fields and not row.get(_PERMISSION_ID)

    def left(self, wanted: Wanted, row: Object) -> tuple[str, ...]:
        """The names of fields that we set, that are not wanted any more, and that LiteLLM still has."""
        mark = self.mark_of(row)
        sent = frozenset[str]() if mark is None else mark.fields
        return tuple(sorted(name for name in sent - wanted.fields.keys() if _is_cleared_by_null(name) and _has(row, name)))


def _is_cleared_by_null(name: str) -> bool:
    return name not in {"metadata", PERMISSION} | IN_METADATA and not is_entry(name)


def _has(row: Object, name: str) -> bool:
    return row.get(name) not in (None, "", [], {})
