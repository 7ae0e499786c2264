"""Reads pages of lists of LiteLLM's objects, and compares what they show with what a spec wants. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from app.hooks.observed_fields import text_in
from app.litellm.admin.errors import Unreachable
from app.litellm.entities.times import parsed_time

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hooks.objects import Object

PAGE_SIZE = 100
"""Rows of a page, where LiteLLM has pages: its own limit for most kinds."""

MEMBERS = "members"
"""The field under which members can be compared."""

_CLOSE = timedelta(seconds=10)
"""Two times that are so close are one: LiteLLM is told of durations, and calls take time."""


class NoList(Unreachable):
    """The answer holds no list, so nothing is known of what is there: it is hardly LiteLLM's."""


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a list."""

    rows: list[Object]
    more: bool = False
    """Whether there is another page."""


def rows_of(answer: Any, name: str = "") -> list[Object]:
    """The rows of an answer that is a list, or that has one under the name if there is a name. Raises :class:`NoList`."""
    listed: Any = answer
    if name:
        listed = cast("Object", answer).get(name) if isinstance(answer, dict) else None
    if not isinstance(listed, list):
        raise NoList("answered without a list")
    rows = cast("list[Any]", listed)
    return [cast("Object", row) for row in rows if isinstance(row, dict)]


def people_in(row: Object, name: str, whose: str) -> list[Object]:
    """The members that a row has under the name, each by an id or an e-mail address. Raises :class:`NoList`.

    One that cannot be read leaves all unread: whoever seems to be missing would be added.
    """
    people = _people(row.get(name))
    if people is None:
        raise NoList(f"showed {whose} without a list of its members")
    return people


def members_shown(row: Object, name: str, role: str) -> Object:
    """The members in a row of a list, under :data:`MEMBERS`: id, e-mail address, role. Empty where they cannot be read."""
    people = _people(row.get(name))
    if people is None:
        return {}
    return {MEMBERS: [[text_in(one, field) for field in ("user_id", "user_email", role)] for one in people]}


def _people(listed: Any) -> list[Object] | None:
    people = cast("list[Any]", listed) if isinstance(listed, list) else None
    if people is None or not all(text_in(one, "user_id") or text_in(one, "user_email") for one in people):
        return None
    return people


def numbered(answer: Any, name: str, page: int) -> Page:
    """A page of a list that tells how many there are. Raises :class:`NoList`."""
    rows = rows_of(answer, name)
    total: Any = cast("Object", answer).get("total_pages")
    return Page(rows, bool(rows) and isinstance(total, int) and page < total)


def picked(row: Any, names: Iterable[str], before: str = "") -> Object:
    """Those fields that a row has, ``before`` put before their names."""
    fields = cast("Object", row) if isinstance(row, dict) else {}
    return {before + name: fields[name] for name in names if name in fields}


def differing(wanted: Object, there: Object, hidden: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The names of the wanted fields that a row shows otherwise, of a map's entries as ``metadata.team``.

    What the row does not show at all is not known to differ. ``hidden`` are names that are not compared.
    """
    found: list[str] = []
    for name, value in wanted.items():
        if name in hidden or name not in there:
            continue
        if not isinstance(value, dict):
            found += [] if same(value, there[name]) else [name]
            continue
        shown: Any = there[name]
        entries = cast("Object", shown) if isinstance(shown, dict) else {}
        found += [
            full
            for entry, one in cast("Object", value).items()
            if (full := f"{name}.{entry}") not in hidden and not same(one, entries.get(entry))
        ]
    return tuple(sorted(found))


def same(wanted: Any, there: Any) -> bool:
    """Whether LiteLLM has what is wanted: numbers and times by their value, maps by the wanted keys."""
    if isinstance(wanted, bool) or isinstance(there, bool):
        return wanted is (there or False)
    if isinstance(wanted, int | float) and isinstance(there, int | float):
        return float(wanted) == float(there)
    if isinstance(wanted, dict):
        others = cast("Object", there) if isinstance(there, dict) else {}
        return all(same(value, others.get(name)) for name, value in cast("Object", wanted).items())
    if isinstance(wanted, list) and isinstance(there, list):
        pairs = cast("list[Any]", wanted), cast("list[Any]", there)
        return len(pairs[0]) == len(pairs[1]) and all(map(same, *pairs))
    if wanted == there:
        return True
    times = parsed_time(wanted), parsed_time(there)
    return times[0] is not None and times[1] is not None and abs(times[0] - times[1]) <= _CLOSE
