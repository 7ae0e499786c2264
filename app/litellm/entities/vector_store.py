"""A vector store in LiteLLM's registry: where a provider's store is, under the provider's own id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.hooks.observed_fields import object_in
from app.litellm.admin.calls import Call
from app.litellm.entities.entity import Entity, Update
from app.litellm.entities.listing import Page, picked, rows_of
from app.litellm.entities.metadata import whole
from app.litellm.entities.ownership import mark_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.apis.litellm.vector_store import LiteLLMVectorStoreSpec
    from app.hooks.objects import Object
    from app.litellm.entities.entity import Wanted
    from app.litellm.entities.ownership import Mark

METADATA = "vector_store_metadata"

CREDENTIAL = "litellm_credential_name"
"""What no update changes and every read shows."""

_WORDS = ("vector_store_name", "vector_store_description")
"""What null clears."""

_HIDDEN = "litellm_params"
"""What no update changes; secret values are masked when they are read, but not at 1.81."""


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
        row = object_in(answer, "vector_store")
        return row if row.get("vector_store_id") == object_id else None

    def mark_of(self, row: Object) -> Mark | None:
        """In the metadata."""
        return mark_in(row.get(METADATA))

    def create(self, wanted: Wanted, mark: Mark) -> Call:
        """A new entry. One that exists is refused, with 400 or, before 1.108, with 500."""
        # Without parameters LiteLLM wants to be told that there are none.
        return Call("POST", "/vector_store/new", body={_HIDDEN: {}, **_body(wanted, mark, {}, frozenset())})

    def update(self, wanted: Wanted, mark: Mark, row: Object, dropped: frozenset[str]) -> Update:
        """Words, provider and metadata change in place. With another credential or parameters the entry is made again."""
        body = _body(wanted, mark, row, dropped)
        credential = CREDENTIAL in dropped or wanted.fields.get(CREDENTIAL, row.get(CREDENTIAL)) != row.get(CREDENTIAL)
        if credential or _HIDDEN in wanted.fields or _HIDDEN in dropped:
            theirs = {name: row[name] for name in (*_WORDS, CREDENTIAL) if row.get(name) is not None and name not in dropped}
            again = Call("POST", "/vector_store/new", body={_HIDDEN: {}, **theirs, **body})
            return Update((self.delete(wanted.id), again), remade=True)
        body |= {name: None for name in _WORDS if name in dropped}
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
        return picked(row, ("custom_llm_provider", CREDENTIAL, *_WORDS, METADATA))


def _body(wanted: Wanted, mark: Mark, row: Object, dropped: frozenset[str]) -> Object:
    metadata = whole(wanted, mark, row.get(METADATA), dropped, field=METADATA)
    return {"vector_store_id": wanted.id, **wanted.fields, METADATA: metadata}
