"""A vector store in LiteLLM's registry: where a provider's store is, under the provider's own id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.litellm.admin.calls import Call
from app.litellm.entities.entity import Entity, Update
from app.litellm.entities.listing import Page, picked, rows_of
from app.litellm.entities.ownership import MARK, mark_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.apis.litellm.vector_store import LiteLLMVectorStoreSpec
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Wanted
    from app.litellm.entities.ownership import Mark

METADATA = "vector_store_metadata"

_FIXED = ("custom_llm_provider", "litellm_credential_name", "team_id", "user_id")
"""What no update changes and every read shows."""

_HIDDEN = "litellm_params"
"""What no update changes and reads show with values masked."""


def vector_store_fields(spec: LiteLLMVectorStoreSpec, secrets: Mapping[str, str]) -> Object:
    """What LiteLLM is told of a vector store, without what other objects tell; ``secrets`` are parameters that win."""
    return {
        "custom_llm_provider": spec.provider,
        "vector_store_name": spec.name,
        "vector_store_description": spec.description,
        METADATA: spec.metadata,
        _HIDDEN: {**(spec.params or {}), **secrets},
    }


class VectorStore(Entity):
    """``/vector_store/*``. The mark is in the metadata."""

    noun = "vector store"

    def read(self, object_id: str) -> Call:
        """404 for one that does not exist, or 500 before 1.108."""
        return Call("POST", "/vector_store/info", body={"vector_store_id": object_id})

    def row(self, object_id: str, answer: Any) -> Object | None:
        """The store in the answer."""
        found: Any = cast("Object", answer).get("vector_store") if isinstance(answer, dict) else None
        row = cast("Object", found) if isinstance(found, dict) else {}
        return row if row.get("vector_store_id") == object_id else None

    def mark_of(self, row: Object) -> Mark | None:
        """In the metadata."""
        return mark_in(row.get(METADATA))

    def create(self, wanted: Wanted, mark: Mark) -> Call:
        """A new entry. One that exists is refused, with 400 or, before 1.108, with 500."""
        # Without parameters LiteLLM wants to be told that there are none.
        return Call("POST", "/vector_store/new", body={_HIDDEN: {}, **_body(wanted, mark)})

    def update(self, wanted: Wanted, mark: Mark, row: Object, dropped: frozenset[str]) -> Update:
        """Name, description and metadata change in place. For all else the entry is made again, which loses nothing."""
        fixed = any(wanted.fields.get(name) != row.get(name) for name in _FIXED)
        if fixed or _HIDDEN in wanted.fields or _HIDDEN in dropped:
            return Update((self.delete(wanted.id), self.create(wanted, mark)), remade=True)
        body = {**_body(wanted, mark), **dict.fromkeys(sorted(dropped - {METADATA}))}
        return Update((Call("POST", "/vector_store/update", body=body),))

    def delete(self, object_id: str) -> Call:
        """The entry alone: the provider's store stays."""
        return Call("POST", "/vector_store/delete", body={"vector_store_id": object_id})

    def listing(self, page: int) -> Call:
        """All of them at once: the page is accepted and ignored."""
        return Call("GET", "/vector_store/list")

    def listed(self, answer: Any, page: int) -> Page:
        """Under ``data``."""
        return Page(rows_of(answer, "data"))

    def id_of(self, row: Object) -> str:
        """The provider's id."""
        return str(row.get("vector_store_id") or "")

    def comparable(self, row: Object) -> Object:
        """Without the parameters."""
        return picked(row, (*_FIXED, "vector_store_name", "vector_store_description", METADATA))


def _body(wanted: Wanted, mark: Mark) -> Object:
    return {
        "vector_store_id": wanted.id,
        **wanted.fields,
        METADATA: {**wanted.fields.get(METADATA, {}), MARK: mark.written()},
    }
