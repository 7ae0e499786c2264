"""What a kind has at hand when it says how its object is wanted: its spec, its proxy, and what its references resolve to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from app.apis.section import Section
from app.controllers.entities.secrets import related_secret, secret_text
from app.controllers.entities.unsettled import reference_not_ready
from app.hooks.objects import annotations_of, terminating
from app.hooks.observed_fields import object_in, text_in
from app.litellm.entities.entity import Wanted
from app.litellm.entities.fingerprint import is_of
from app.litellm.entities.identity import derived_id
from app.litellm.entities.ownership import Owner
from app.status.entity.reasons import ID_CHANGED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.apis.custom_resource import CustomResource
    from app.controllers.context import Context
    from app.controllers.entities.link import Link
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest
    from app.status.entity.recorded import Recorded
    from app.status.reason import Condition

S = TypeVar("S", bound=Section)

ADOPT = "litellm.palena.ai/adopt"
"""Annotation: ``"true"`` takes over an object of that id that nobody owns."""
ADOPTED_UPSTREAM = "litellm.palena.ai/adopted"
"""Annotation that the Go operator leaves on what it has taken over."""


@dataclass(frozen=True, slots=True)
class Setting(Generic[S]):
    """One sync of one object."""

    request: SyncRequest
    spec: S
    link: Link
    context: Context
    before: Recorded
    chosen: str
    """The id that the spec chooses; empty if it leaves that to us."""

    def wanted(
        self,
        fields: Object,
        *,
        secrets: Iterable[str] = (),
        licensed: Iterable[str] = (),
        adopting: bool = False,
        object_id: str = "",
    ) -> Wanted:
        """The object with these fields. What is nothing (``None``) is not ours to say; an empty list or map is left out too.

        ``adopting`` is for kinds whose id is the user's word whatever the spec says, ``object_id`` for those whose id changes.
        """
        named = object_id or remote_id(self.request, self.before, self.chosen, self.context)
        bound = bool(self.before.id) and self.before.id == named
        adopted = self.adopted and (bound or not self.before.id)
        asked = adopting or bool(self.chosen) or self.agreed
        return Wanted(
            id=named,
            fields={name: value for name, value in fields.items() if value is not None and value not in ([], {})},
            owner=owner_of(self.request, self.context),
            bound=bound,
            adopting=asked or adopted,
            adopted=adopted,
            strict=is_of(self.before.sync_hash, self.request.uid) and not self.agreed,
            now=self.context.now(),
            created=self.before.created,
            sent=self.before.sent,
            awaited=self.before.awaited,
            secrets=tuple(secrets),
            licensed=frozenset(licensed),
        )

    @property
    def agreed(self) -> bool:
        """Whether the user takes over whatever object has the id."""
        return agreed(self.request)

    @property
    def adopted(self) -> bool:
        """Whether the object is known to have been there before us."""
        return self.before.adopted or annotation(self.request.parent, ADOPTED_UPSTREAM) == "true"

    @property
    def id_change(self) -> tuple[Condition, ...]:
        """What to tell of a chosen id that is not the one that the object is bound to."""
        if not self.chosen or not self.before.id or self.chosen == self.before.id:
            return ()
        return (ID_CHANGED.because(f"the spec names the id {self.chosen}, and the object stays bound to {self.before.id}"),)

    def referenced(self, kind: CustomResource, name: str, field: str) -> Object:
        """Another of our objects that the spec refers to. Raises :class:`~app.controllers.entities.unsettled.Unsettled`."""
        found = self.request.related.find(kind.resource, self.request.namespace, name)
        if found is None:
            raise reference_not_ready(f"{kind.resource.kind} {name} ({field}) does not exist")
        if terminating(found):
            raise reference_not_ready(f"{kind.resource.kind} {name} ({field}) is being deleted")
        return found

    def referenced_id(self, kind: CustomResource, name: str, field: str, id_field: str) -> str:
        """The remote id of another of our objects. Raises :class:`~app.controllers.entities.unsettled.Unsettled`."""
        found = text_in(object_in(self.referenced(kind, name, field), "status"), id_field)
        if not found:
            raise reference_not_ready(f"{kind.resource.kind} {name} ({field}) is not in LiteLLM yet")
        return found

    async def secret_text(self, name: str, key: str, field: str, *, version: str = "") -> str:
        """A value of a Secret, whose resourceVersion may be known. Raises
        :class:`~app.controllers.entities.unsettled.Unsettled`."""
        return await secret_text(self.request, name, key, field, self.context, version=version)

    async def secret(self, name: str, field: str) -> Object:
        """A whole Secret. Raises :class:`~app.controllers.entities.unsettled.Unsettled`."""
        return await related_secret(self.request, name, field, self.context)


def remote_id(request: SyncRequest, before: Recorded, chosen: str, context: Context) -> str:
    """The id that the object is bound to, else the one that its spec chooses, else one derived from where it is."""
    kind = str(request.parent["kind"])
    return before.id or chosen or derived_id(context.cluster_id, kind, request.namespace, request.name)


def owner_of(request: SyncRequest, context: Context) -> Owner:
    """Who the remote object belongs to."""
    return Owner(context.cluster_id, request.namespace, request.name, request.uid)


def agreed(request: SyncRequest) -> bool:
    """Whether the user takes over whatever object has the id."""
    return annotation(request.parent, ADOPT) == "true"


def annotation(item: Object, name: str) -> str:
    """The value of an annotation; empty if there is none."""
    return text_in(annotations_of(item), name)
