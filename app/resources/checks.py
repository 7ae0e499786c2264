"""What the schema lets pass and the API server then refuses in a generated object; each raises :class:`Unbuildable`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.hooks.canonical.quantities import MILLI, QuantityError, canonical_quantity
from app.hooks.names import name_problem
from app.resources.durations import DurationError, whole_seconds
from app.resources.errors import Unbuildable

if TYPE_CHECKING:
    from collections.abc import Iterable

_LABEL_VALUE = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?", re.ASCII)


def at_least(least: int, value: int, field: str) -> int:
    """The number, which must not be smaller."""
    if value < least:
        raise Unbuildable(field, f"must be at least {least}")
    return value


def port(value: int, field: str) -> int:
    """A TCP port."""
    if not 1 <= value <= 65535:
        raise Unbuildable(field, "must be a port from 1 to 65535")
    return value


def one_of(choices: Iterable[str], value: str, field: str) -> str:
    """One of a few words."""
    if value not in (listed := tuple(choices)):
        raise Unbuildable(field, f"must be one of {', '.join(listed)}")
    return value


def object_name(value: str, field: str) -> str:
    """The name of an object of any kind whose name is a DNS subdomain."""
    if problem := name_problem("", value):
        raise Unbuildable(field, problem)
    return value


def host(value: str, field: str) -> str:
    """A host name; its first label may be ``*``."""
    if problem := name_problem("", value.removeprefix("*.")):
        raise Unbuildable(field, f"{problem}, or one behind '*.'" if problem.startswith("must") else problem)
    return value


def label_value(value: str, field: str) -> str:
    """The value of a label that pods or namespaces are selected by."""
    if not _LABEL_VALUE.fullmatch(value):
        raise Unbuildable(field, "must be a label value of at most 63 characters")
    return value


def quantity(value: object, field: str) -> str:
    """An amount of a resource that is not negative, in the form in which it is stored."""
    try:
        form = canonical_quantity(value, MILLI) if isinstance(value, str | int | float) and not isinstance(value, bool) else "-"
    except QuantityError as error:
        raise Unbuildable(field, str(error)) from None
    if form.startswith("-"):
        raise Unbuildable(field, "must be a quantity such as 500m, 2 or 1Gi")
    return form


def seconds(value: str, field: str) -> int:
    """A positive Go duration in whole seconds."""
    try:
        return whole_seconds(value)
    except DurationError as error:
        raise Unbuildable(field, str(error)) from None
