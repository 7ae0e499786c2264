"""What was rendered last for each gateway: building is most of what a sync at rest would spend.

An entry is served for facts equal to those that it was made of, and for no others; an edit takes its place. The memory is
bounded by the size of what is in it. What does not fit is rendered anew on every sync, which costs time and never correctness.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hooks.guard import Place
    from app.resources.gateway import Gateway

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Entry(Generic[T]):
    gateway: Gateway
    place: Place
    rendered: T
    size: int


def _alike(known: Gateway, gateway: Gateway) -> bool:
    """Whether equal gateways are written alike, too: fields may be free-form, and to Python ``1`` equals ``true`` and ``1.0``."""
    pairs = zip((known.spec, *known.guardrails), (gateway.spec, *gateway.guardrails), strict=True)
    return all(one is other or one.model_dump_json() == other.model_dump_json() for one, other in pairs)


class RenderMemo(Generic[T]):
    """Remembers ``limit`` bytes as ``size`` counts them; the gateway that was not asked for the longest goes first."""

    def __init__(self, render: Callable[[Gateway, Place], T], size: Callable[[T], int], limit: int) -> None:
        """``render`` is a pure function."""
        self._render, self._size, self._limit = render, size, limit
        self._entries: OrderedDict[tuple[str, str], _Entry[T]] = OrderedDict()
        self._held = 0

    def __call__(self, gateway: Gateway, place: Place) -> T:
        """What is rendered of these facts."""
        name = (gateway.namespace, gateway.name)
        known = self._entries.get(name)
        if known is not None and known.gateway == gateway and known.place == place and _alike(known.gateway, gateway):
            self._entries.move_to_end(name)
            return known.rendered
        rendered = self._render(gateway, place)
        # The given set is a view of the request, which would be held in memory with it.
        kept = replace(place, installed=frozenset(place.installed))
        self._remember(name, _Entry(gateway, kept, rendered, self._size(rendered)))
        return rendered

    def _remember(self, name: tuple[str, str], entry: _Entry[T]) -> None:
        before = self._entries.pop(name, None)
        self._held += entry.size - (before.size if before is not None else 0)
        self._entries[name] = entry
        while self._held > self._limit:
            _, oldest = self._entries.popitem(last=False)
            self._held -= oldest.size
