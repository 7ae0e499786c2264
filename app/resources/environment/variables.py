"""Lists of environment variables: one entry a name, and each variable before those that use it.

Kubernetes expands ``$(NAME)`` in a value only from what stands earlier in the list, and leaves it as it is otherwise.
Dynamic apply appends a variable that is new to a running Deployment at the end, whatever its place here: a new variable that
an existing one refers to is expanded from the next Deployment on. Values from Secrets are never expanded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.hooks.objects import Object
from app.proxyconfig.variables import variable_problem
from app.resources.errors import Unbuildable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Variable = Object
"""An entry of a container's ``env``."""

_EXPANSION = re.compile(r"\$\$|\$\(([^()]+)\)")


def plain(name: str, value: object) -> Variable:
    """A variable with a value; true and false are written as Python reads them."""
    return {"name": name, "value": str(value)}


def from_secret(name: str, secret: str, key: str) -> Variable:
    """A variable whose value is a key of a Secret."""
    return {"name": name, "valueFrom": {"secretKeyRef": {"name": secret, "key": key}}}


def given(values: dict[str, object]) -> Iterator[Variable]:
    """The variables that have a value: nothing and an empty text leave LiteLLM its default."""
    return (plain(name, value) for name, value in values.items() if value not in (None, ""))


def overlaid(variables: Iterable[Variable], *, keep_first: bool = False) -> list[Variable]:
    """Each name once, in the place where it first stands, with its last value (or its first)."""
    places: dict[str, Variable] = {}
    for variable in variables:
        if not (keep_first and variable["name"] in places):
            places[variable["name"]] = variable
    return list(places.values())


def in_order_of_use(variables: Sequence[Variable]) -> list[Variable]:
    """The same list, with what a value refers to moved in front of it where needed."""
    by_name = {variable["name"]: variable for variable in variables}
    ordered: dict[str, Variable] = {}
    begun: set[str] = set()
    for first in by_name:
        waiting = [first]
        while waiting:
            name = waiting[-1]
            if name in begun:
                # All that it uses is in front of it, but for what uses it in turn.
                ordered.setdefault(name, by_name[waiting.pop()])
                continue
            begun.add(name)
            waiting += reversed([used for used in _used(by_name[name]) if used in by_name and used not in begun])
    return list(ordered.values())


def with_what_it_uses(name: str, variables: Sequence[Variable]) -> list[Variable]:
    """The variable of that name and what its value refers to, from a list in order of use; empty where there is none."""
    by_name = {variable["name"]: variable for variable in variables}
    needed: set[str] = set()
    waiting = [name]
    while waiting:
        if (current := waiting.pop()) in by_name and current not in needed:
            needed.add(current)
            waiting += _used(by_name[current])
    return [variable for variable in variables if variable["name"] in needed]


def checked(variables: Sequence[Variable] | None, field: str) -> Sequence[Variable]:
    """A user's list; raises :class:`Unbuildable` for an entry that Kubernetes takes for no variable."""
    for index, variable in enumerate(variables or ()):
        if (found := variable_problem(variable)) is not None:
            place, problem = found
            raise Unbuildable(f"{field}[{index}].{place}".removesuffix("."), problem)
    return variables or ()


def _used(variable: Variable) -> Iterator[str]:
    value = variable.get("value")
    if isinstance(value, str):
        yield from (match[1] for match in _EXPANSION.finditer(value) if match[1])
