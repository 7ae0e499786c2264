"""What is common to all kinds: an object as it is wanted, and the calls that make the remote one so.

A kind is an :class:`Entity`: how to read one, where its mark is, how it is made, changed and deleted. :func:`plan` decides on
what was read; whoever executes the plan begins again with a look whenever a call ends badly, so each call may be lost, may
have had its effect without an answer, and may be repeated.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from app.litellm.admin.refusals import told_name
from app.litellm.entities.listing import Page
from app.litellm.entities.ownership import Claim, Mark, Owner, claim

if TYPE_CHECKING:
    from datetime import datetime

    from app.hooks.objects import Object
    from app.litellm.admin.calls import Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """An object as its custom resource wants it, references and secrets resolved."""

    id: str
    fields: Object = field(repr=False)
    """Everything that LiteLLM is told, by LiteLLM's names, without id and mark. Absent means: not ours to say."""
    owner: Owner
    bound: bool = False
    """Whether our status holds the id."""
    adopting: bool = False
    """Whether the user asked for the object of this id, made by whomever."""
    adopted: bool = False
    """Whether our status says that it was there before us."""
    strict: bool = False
    """Whether a mark of the same owner with another uid is somebody else's: LiteLLM was told of this very object before."""
    created: bool = False
    """For kinds without a mark: whether our status says that we made it."""
    sent: frozenset[str] = frozenset()
    """The names of the fields sent before, where our status keeps them: for kinds without a mark, or with one that may be old."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Values among the fields that no message may repeat."""
    now: datetime | None = None
    """When it is wanted, for what LiteLLM takes as a duration from now. It makes no difference to what is wanted."""
    awaited: datetime | None = None
    """Since when LiteLLM was told of the object and has not shown it; nothing unless it was told so."""
    licensed: frozenset[str] = frozenset()
    """Names of fields that take an Enterprise licence. Without one the object is made without them."""
    held: frozenset[str] = frozenset()
    """Names of fields that are wanted and not sent, for want of a licence: what LiteLLM has of them stays."""

    def unlicensed(self) -> Wanted:
        """Without what takes a licence."""
        fields = {name: value for name, value in self.fields.items() if name not in self.licensed}
        return replace(self, fields=fields, held=frozenset(self.fields.keys() - fields.keys()))

    def mark(self, *, adopted: bool = False) -> Mark:
        """What to leave in the object."""
        return Mark(self.owner.path, self.owner.uid, frozenset(self.fields), adopted)


@dataclass(frozen=True, slots=True)
class Plan:
    """Calls in their order, and what is the case once all of them ended well."""

    calls: tuple[Call, ...]
    adopted: bool = False
    """Whether the object was there before us."""
    created: bool = False
    """Whether the first call makes it."""
    remade: bool = False
    """Whether the first call deletes it and a later one makes it again."""
    uncleared: tuple[str, ...] = ()
    """Fields that were set by us, are not wanted any more, and that LiteLLM has no way to clear."""

    @property
    def makes(self) -> bool:
        """Whether one of the calls makes the object."""
        return self.created or self.remade


@dataclass(frozen=True, slots=True)
class Update:
    """What brings an existing object in step."""

    calls: tuple[Call, ...]
    uncleared: tuple[str, ...] = ()
    """Dropped fields that stay as they are."""
    remade: bool = False
    """Whether the first call deletes the object and a later one makes it again."""


class Conflict(Exception):
    """The object of that id is not ours and nobody said that it should be. The text follows "LiteLLM" in a sentence."""


class Entity(ABC):
    """One kind of LiteLLM's objects. Subclasses hold no state."""

    noun: ClassVar[str]
    """LiteLLM's word for one of them."""
    late: ClassVar[bool] = False
    """Whether one replica of the proxy answers reads from its memory, which lags behind the database by half a minute."""
    read_back: ClassVar[bool] = False
    """Whether LiteLLM may say that it has made an object without storing it, so that only a look tells."""
    marked: ClassVar[bool] = True
    """Whether LiteLLM has a place for our mark; where it has none, our status remembers who made the object."""
    hidden: ClassVar[frozenset[str]] = frozenset()
    """Names of fields, or of entries as ``metadata.logging``, that lists show masked or not as they were sent."""

    @abstractmethod
    def read(self, object_id: str) -> Call:
        """The look at one object. It may end in :class:`~app.litellm.admin.errors.NotFound`."""

    @abstractmethod
    def row(self, object_id: str, answer: Any) -> Object | None:
        """The object in the answer to :meth:`read`; nothing if it is not there."""

    def tells_absence(self, answer: Any) -> bool:
        """Whether an answer to :meth:`read` without the object means that there is none; elsewhere a refusal does."""
        return False

    def mark_of(self, row: Object) -> Mark | None:
        """The mark in an object."""
        return None

    def is_ours_unmarked(self, row: Object) -> bool:
        """Whether an object without a mark is ours once our status is bound to its id."""
        return True

    @abstractmethod
    def create(self, wanted: Wanted, mark: Mark) -> Call:
        """Makes the object under its id, with the mark."""

    @abstractmethod
    def update(self, wanted: Wanted, mark: Mark, row: Object, dropped: frozenset[str]) -> Update:
        """What brings an existing object in step, and which of the dropped fields cannot be cleared.

        ``dropped`` are fields that we sent before and that are not wanted any more. They are told by the mark alone, so a call
        that writes it comes after every other that clears one of them.
        """

    @abstractmethod
    def delete(self, object_id: str) -> Call:
        """Deletes the object. It may end in :class:`~app.litellm.admin.errors.NotFound`."""

    def parts(self, object_id: str) -> tuple[Call, ...]:
        """Deletes what the object alone uses and LiteLLM would keep. Comes first, so that nothing interrupted is forgotten."""
        return ()

    def listing(self, page: int) -> Call | None:
        """One page, from 1, of all objects of the kind; nothing for a kind that is not listed."""
        return None

    def listed(self, answer: Any, page: int) -> Page:
        """The page in the answer to :meth:`listing`. Raises :class:`~app.litellm.entities.listing.NoList`."""
        return Page([])

    def id_of(self, row: Object) -> str:
        """The id of a listed object; empty for one that cannot be named."""
        return ""

    def protected(self, row: Object) -> bool:
        """Whether a listed object is LiteLLM's own, so that nobody asks whose it is and nobody deletes it."""
        return False

    def comparable(self, row: Object) -> Object:
        """What a listed object shows of its fields, by the names of :attr:`Wanted.fields`; never a secret."""
        return {}


def plan(entity: Entity, wanted: Wanted, row: Object | None) -> Plan:
    """What to call, given what is there. Raises :class:`Conflict`."""
    if row is None:
        mark = wanted.mark(adopted=wanted.adopted)
        return Plan((entity.create(wanted, mark),), adopted=wanted.adopted, created=True)
    mark = entity.mark_of(row)
    bound = wanted.bound and entity.is_ours_unmarked(row)
    match claim(mark, wanted.owner, bound=bound, adopting=wanted.adopting, adopted=wanted.adopted, strict=wanted.strict):
        case Claim.FOREIGN:
            owner = told_name(mark.owner) if mark else "somebody else"
            raise Conflict(f"has a {entity.noun} of id {wanted.id} that belongs to {owner}")
        case Claim.NAMESAKE:
            raise Conflict(f"has a {entity.noun} of id {wanted.id} that belongs to {wanted.owner.namesake}")
        case Claim.UNCLAIMED:
            raise Conflict(f"has a {entity.noun} of id {wanted.id} that was made by somebody else")
        case Claim.ADOPTED:
            adopted = True
        case Claim.OURS:
            adopted = False
    sent = wanted.sent if mark is None else wanted.sent | mark.fields
    new = wanted.mark(adopted=adopted)
    new = replace(new, fields=new.fields | (sent & wanted.held))
    dropped = sent - wanted.fields.keys() - wanted.held
    update = entity.update(wanted, new, row, dropped)
    if update.uncleared:
        # What stays in LiteLLM though nobody wants it is told with every plan, until it is wanted again or can go.
        new = replace(new, fields=new.fields | set(update.uncleared))
        update = entity.update(wanted, new, row, dropped)
    return Plan(update.calls, adopted=adopted, remade=update.remade, uncleared=update.uncleared)
