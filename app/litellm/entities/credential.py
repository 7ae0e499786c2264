"""A credential in LiteLLM: values for a provider under a name, which models refer to. Nobody reads the values back in clear."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.hooks.observed_fields import object_in
from app.litellm.admin.calls import Call, path
from app.litellm.entities.entity import Entity, Update
from app.litellm.entities.listing import Page, rows_of
from app.litellm.entities.ownership import MARK, mark_in

if TYPE_CHECKING:
    from app.apis.litellm.credential import LiteLLMCredentialSpec
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Wanted
    from app.litellm.entities.ownership import Mark

MANAGED_BY, GO_OPERATOR = "managed_by", "litellm-operator"
"""What the Go operator leaves in ``credential_info``."""


def credential_fields(spec: LiteLLMCredentialSpec, api_key: str) -> Object:
    """The values of a credential. ``params`` add to what has a field, and take the place of none that is set."""
    own = {"api_key": api_key, "api_base": spec.api_base, "api_version": spec.api_version}
    return {**(spec.params or {}), **{name: value for name, value in own.items() if value is not None}}


class Credential(Entity):
    """``/credentials``. The mark is in ``credential_info``."""

    noun = "credential"
    late = True

    def read(self, object_id: str) -> Call:
        """What the replica has in memory, values masked; 404 for what it has not loaded."""
        return Call("GET", path("credentials", "by_name", object_id))

    def row(self, object_id: str, answer: Any) -> Object | None:
        """The answer itself."""
        row = cast("Object", answer) if isinstance(answer, dict) else {}
        return row if row.get("credential_name") == object_id else None

    def mark_of(self, row: Object) -> Mark | None:
        """Lost when somebody writes ``credential_info`` at 1.81, which replaces it."""
        return mark_in(row.get("credential_info"))

    def is_ours_unmarked(self, row: Object) -> bool:
        """Only what the Go operator made: of what lost our mark nobody knows who wrote it last."""
        return object_in(row, "credential_info").get(MANAGED_BY) == GO_OPERATOR

    def create(self, wanted: Wanted, mark: Mark) -> Call:
        """A new credential. One that exists is refused, with 409 or, before 1.108, with 500."""
        return Call("POST", "/credentials", body=_body(wanted, mark, {}))

    def update(self, wanted: Wanted, mark: Mark, row: Object, dropped: frozenset[str]) -> Update:
        """A PATCH, which removes no value: where one is to go, the credential is made again."""
        body = _body(wanted, mark, object_in(row, "credential_info"))
        if dropped:
            return Update((self.delete(wanted.id), Call("POST", "/credentials", body=body)), remade=True)
        return Update((Call("PATCH", path("credentials", wanted.id), body=body),))

    def delete(self, object_id: str) -> Call:
        """Also of one that models refer to. What does not exist is 404 or, before 1.108, a success."""
        return Call("DELETE", path("credentials", object_id))

    def listing(self, page: int) -> Call:
        """All of them at once, values masked: only that one is gone, or lost its mark, can be seen."""
        return Call("GET", "/credentials")

    def listed(self, answer: Any, page: int) -> Page:
        """Under ``credentials``."""
        return Page(rows_of(answer, "credentials"))

    def id_of(self, row: Object) -> str:
        """The name."""
        return str(row.get("credential_name") or "")


def _body(wanted: Wanted, mark: Mark, info: Object) -> Object:
    """The information is written whole: 1.81 replaces it."""
    return {
        "credential_name": wanted.id,
        "credential_info": {**info, MARK: mark.written()},
        "credential_values": wanted.fields,
    }
