"""An organization in LiteLLM: teams under limits in common. Its members are in :mod:`app.litellm.entities.organization_members`.

Its update merges metadata and takes no null; limits are in a budget that LiteLLM makes for it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from app.hooks.observed_fields import object_in
from app.litellm.admin.calls import Call
from app.litellm.entities.entity import Entity, Update
from app.litellm.entities.listing import Page, members_shown, picked, rows_of
from app.litellm.entities.metadata import ENTRY, is_entry
from app.litellm.entities.ownership import MARK, mark_in
from app.litellm.entities.permission import NO_PERMISSION, PERMISSION

if TYPE_CHECKING:
    from app.apis.litellm.organization import LiteLLMOrganizationSpec
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Wanted
    from app.litellm.entities.ownership import Mark, Owner

METADATA = "metadata"

_LIMITS = ("max_budget", "soft_budget", "budget_duration", "tpm_limit", "rpm_limit")
"""What LiteLLM keeps in the organization's budget, where null clears it."""

_BY_MODEL = ("model_rpm_limit", "model_tpm_limit")
"""What LiteLLM keeps in the metadata, by model: no limit for a model is null."""


def organization_fields(spec: LiteLLMOrganizationSpec) -> Object:
    """What LiteLLM is told of an organization, without permissions and members."""
    return {
        "organization_alias": spec.organization_alias,
        "models": spec.models,
        "max_budget": spec.max_budget,
        "soft_budget": spec.soft_budget,
        "budget_duration": spec.budget_duration,
        "tpm_limit": spec.tpm_limit,
        "rpm_limit": spec.rpm_limit,
        "model_rpm_limit": spec.model_rpm_limit,
        "model_tpm_limit": spec.model_tpm_limit,
        METADATA: spec.metadata,
    }


class Organization(Entity):
    """``/organization/*``. The mark is in ``metadata``."""

    noun = "organization"

    def read(self, object_id: str) -> Call:
        """The organization with its members; 404 for an unknown one."""
        return Call("GET", "/organization/info", query={"organization_id": object_id})

    def row(self, object_id: str, answer: Any) -> Object | None:
        """The answer itself."""
        row = cast("Object", answer) if isinstance(answer, dict) else {}
        return row if row.get("organization_id") == object_id else None

    def mark_of(self, row: Object) -> Mark | None:
        """In its metadata."""
        return mark_in(row.get(METADATA))

    def find(self, alias: str) -> Call:
        """The organizations whose alias contains that one: :meth:`found` reads the answer."""
        return Call("GET", "/organization/list", query={"org_alias": alias})

    def found(self, owner: Owner, answer: Any) -> str:
        """The id of the organization that has the owner's mark; empty if there is none."""
        for row in rows_of(answer):
            mark = self.mark_of(row)
            if mark is not None and mark.owner == owner.path:
                return str(row.get("organization_id") or "")
        return ""

    def create(self, wanted: Wanted, mark: Mark) -> Call:
        """A new organization. One that exists is refused with 500, and leaves a budget behind: whoever calls has looked."""
        body = {**wanted.fields, METADATA: _metadata(wanted, mark)}
        return Call("POST", "/organization/new", body={"organization_id": wanted.id, **body})

    def update(self, wanted: Wanted, mark: Mark, row: Object, dropped: frozenset[str]) -> Update:
        """What is wanted, empty values for what they empty, and nulls in the budget. Metadata keeps what it has."""
        kept = {ENTRY + name for name in wanted.fields.get(METADATA, {})}
        stuck = tuple(sorted(name for name in dropped - kept if is_entry(name)))
        body = {**wanted.fields, METADATA: _metadata(wanted, mark)}
        if "models" in dropped:
            body["models"] = []
        for name in _BY_MODEL:
            if name in body or name in dropped:
                body[name] = {**dict.fromkeys(_stored(row, name)), **wanted.fields.get(name, {})}
        if PERMISSION in body or PERMISSION in dropped:
            body[PERMISSION] = {**NO_PERMISSION, **wanted.fields.get(PERMISSION, {})}
        calls = [Call("PATCH", "/organization/update", body={"organization_id": wanted.id, **body})]
        nulls = [name for name in _LIMITS if name in dropped]
        if nulls and (budget := row.get("budget_id")):
            # First: the other call leaves a mark that does not know of them any more.
            calls.insert(0, Call("POST", "/budget/update", body={"budget_id": budget, **dict.fromkeys(nulls)}))
        return Update(tuple(calls), stuck)

    def delete(self, object_id: str) -> Call:
        """With its teams and memberships. LiteLLM keeps the budget that it made for it."""
        return Call("DELETE", "/organization/delete", body={"organization_ids": [object_id]})

    def listing(self, page: int) -> Call:
        """All of them at once."""
        return Call("GET", "/organization/list")

    def listed(self, answer: Any, page: int) -> Page:
        """A bare list."""
        return Page(rows_of(answer))

    def id_of(self, row: Object) -> str:
        """The id that was chosen."""
        return str(row.get("organization_id") or "")

    def comparable(self, row: Object) -> Object:
        """Without permission and metadata: the one is not listed, and digits in the other become numbers."""
        limits = picked(row.get("litellm_budget_table"), _LIMITS)
        members = members_shown(row, "members", "user_role") if self.mark_of(row) is not None else {}
        return {**picked(row, ("organization_alias", "models")), **limits, **picked(row.get(METADATA), _BY_MODEL), **members}


def _metadata(wanted: Wanted, mark: Mark) -> Object:
    own: Object = wanted.fields.get(METADATA, {})
    sent = mark.fields | {ENTRY + name for name in own}
    return {**own, MARK: replace(mark, fields=sent).written()}


def _stored(row: Object, name: str) -> list[str]:
    return list(object_in(object_in(row, METADATA), name))
