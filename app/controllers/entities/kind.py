"""A kind of entity as data: what its spec refers to, how its object is wanted, and what its status tells.

One flow serves all kinds (:mod:`app.controllers.entities.syncing`, :mod:`app.controllers.entities.finalizing`); a kind that
needs more than its own row (a team's members, a user's password) says so in ``follow_up``.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from app.apis.checking import InvalidSpec, check_spec
from app.apis.section import Section
from app.hooks.observed_fields import object_in, text_in
from app.litellm.entities.fingerprint import is_elsewhere
from app.status.entity.reasons import SYNCED
from app.status.entity.recorded import recorded

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from app.apis.custom_resource import CustomResource
    from app.apis.types import InstanceRef
    from app.controllers.context import Context
    from app.controllers.entities.setting import Setting
    from app.hooks.controller import ChildRule
    from app.hooks.objects import Object, Resource
    from app.hooks.request import CustomizeRequest, SyncRequest
    from app.litellm.admin.client import Admin
    from app.litellm.entities.entity import Entity, Plan, Wanted
    from app.litellm.snapshot import Seen, Snapshot
    from app.status.entity.reasons import EntityReason
    from app.status.entity.recorded import Recorded
    from app.status.reason import Condition

S = TypeVar("S", bound=Section)

_OF_ANY_PLACE = frozenset({"observedGeneration", "conditions", "lastSyncTime"})
"""What a status still tells once its object is at another instance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """Everything that a spec asks of LiteLLM, resolved."""

    wanted: Wanted
    beyond: Any = field(default=None, repr=False)
    """What follows the object itself, as JSON: it counts for the fingerprint, and ``follow_up`` gets it."""
    compared: Object = field(default_factory=dict[str, Any], repr=False)
    """What the object's own calls do not tell LiteLLM, and its row in a list shows all the same."""
    fields: Object = field(default_factory=dict[str, Any])
    """Fields of the status that are known without a call."""
    conditions: tuple[Condition, ...] = ()
    """What is to be told of the spec whatever LiteLLM says."""
    children: tuple[Object, ...] | None = None
    """What the object owns in the cluster; nothing for what it is observed to own."""
    reason: EntityReason = SYNCED
    """What is told once LiteLLM has accepted all of it."""
    message: str = ""
    """What is told then; empty for the usual words."""
    again: int = 0
    """Seconds after which to look again then; 0 for the usual ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What came of the calls that follow the object itself."""

    fields: Object = field(default_factory=dict[str, Any])
    conditions: tuple[Condition, ...] = ()
    again: int = 0
    """Seconds after which all of it is done again for something that does not count for ``Synced``; 0 for never."""


@dataclass(frozen=True, kw_only=True)
class EntityKind(Generic[S]):
    """One kind. Its functions raise :class:`~app.controllers.entities.unsettled.Unsettled` where something is missing."""

    resource: CustomResource
    spec: type[S]
    entity: Entity
    id_field: str
    """Where the status keeps the remote id."""
    aim: Callable[[Setting[S]], Awaitable[Aim]]
    chosen_id: Callable[[S, str], str] = lambda _spec, _name: ""
    """The id that a spec chooses, given the name of its object; empty where the kind or the spec has none."""
    names: Callable[[Any], Iterable[tuple[Resource, Any]]] = lambda _: ()
    """Kind and name of everything that a raw spec refers to besides the instance; names of any type, for any spec."""
    related: tuple[Resource, ...] = ()
    """The kinds among them."""
    owned: tuple[ChildRule, ...] = ()
    """What its objects own in the cluster."""
    children: Callable[[SyncRequest, S], tuple[Object, ...] | None] | None = None
    """What an object keeps of what it is observed to own, whatever else is missing; nothing to have it replayed."""
    own_names: Callable[[CustomizeRequest], Iterable[tuple[Resource, Any]]] = lambda _: ()
    """Kind and name of what its objects own, for any spec: somebody else may hold the name."""
    ids: Callable[[Admin, SyncRequest, Recorded, Context], Awaitable[Iterable[str]]] | None = None
    """The ids under which a deleted object may have left something, where that is more than the one it is bound to."""
    prepare: Callable[[Setting[S], Aim], Awaitable[Object]] | None = None
    """Calls that come before the object itself; fields of the status that they tell."""
    follow_up: Callable[[Setting[S], Aim, Plan], Awaitable[Followed]] | None = None
    """Calls that follow the object itself."""
    told_by_calls: frozenset[str] = frozenset()
    """Condition types of ``follow_up``: they hold until it runs again."""
    observe: Callable[[Setting[S], Aim], Awaitable[Object]] | None = None
    """Fields of the status that are looked up whenever the object is in step. It raises nothing and takes little time."""
    beyond_differing: Callable[[Setting[S], Aim, Seen, Snapshot], Iterable[str]] | None = None
    """Names of what a snapshot shows otherwise than ``beyond`` asks for. It makes no call."""
    spent: Callable[[Any], Any] | None = None
    """How the status tells the spend of a listed object, in ``currentSpend``; nothing for a kind whose objects have none."""
    accepted_field: str = "synced"
    """Where the status says in one word whether LiteLLM has accepted the object."""
    made_upstream: Callable[[Object], bool] = lambda _: False
    """Whether a status that holds no id is the Go operator's, of an object that it has made under the id of the spec."""
    other_words: Mapping[EntityReason, EntityReason] = field(default_factory=dict["EntityReason", "EntityReason"])
    """Reasons that this kind has always had other names for."""

    def remembered(self, request: SyncRequest) -> Recorded:
        """What the observed status tells that decides something."""
        found = recorded(request.parent.get("status"), self.id_field)
        if self.moved(request):
            # A bond to an object of another proxy is none to the one of that id here, which may be somebody else's.
            return recorded({name: value for name, value in found.fields.items() if name in _OF_ANY_PLACE}, self.id_field)
        if found.id or not self.made_upstream(found.fields):
            return found
        chosen = self.chosen_for(request)
        return replace(found, id=chosen, created=True, fields={**found.fields, self.id_field: chosen})

    def moved(self, request: SyncRequest) -> bool:
        """Whether the spec names another instance than the one where the status says LiteLLM was told of the object.

        A kind that owns the values of its objects takes them along: nobody else has an object of that id.
        """
        name = text_in(object_in(request.parent.get("spec"), "instanceRef"), "name")
        told = recorded(request.parent.get("status"), self.id_field).sync_hash
        return not self.owned and bool(name) and is_elsewhere(told, name)

    def chosen_for(self, request: SyncRequest) -> str:
        """The id that the stored spec chooses; empty for one that cannot be read."""
        spec = check_spec(self.spec, request.parent.get("spec"))
        return "" if isinstance(spec, InvalidSpec) else self.chosen_id(spec, request.name)

    def instance(self, spec: S) -> str:
        """The name of the LiteLLMInstance that a spec is for."""
        reference: InstanceRef = getattr(spec, "instance_ref")  # noqa: B009 (every spec of these kinds has one)
        return reference.name
