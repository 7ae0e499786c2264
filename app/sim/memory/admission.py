"""What stands between a request and the store: nulls, defaults, pruning, then everything that may refuse the object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.sim.cluster import Invalid
from app.sim.validation.defaulting import apply_defaults, prune_nulls
from app.sim.validation.field_error import joined
from app.sim.validation.pruning import prune

from . import metadata

if TYPE_CHECKING:
    from app.hooks.objects import Object

    from .kinds import ServedKind


def admit(item: Object, live: Object | None, kind: ServedKind) -> None:
    """Bring an object to the form that is stored, in place; :class:`Invalid` if it may not be. ``live`` is none on create."""
    metadata.tidy(item)
    if kind.schema is None:
        _drop_nulls(item)
    else:
        prune_nulls(item, kind.schema)
        apply_defaults(item, kind.schema)
        prune(item, kind.schema)
    errors = list(metadata.errors(item, kind))
    if live is not None:
        errors += metadata.finalizer_errors(item, live)
    if errors:
        raise Invalid(f'{kind.qualified_kind} "{item["metadata"].get("name", "")}" is invalid: {joined(errors)}')


def _drop_nulls(value: Any) -> None:
    """A null in a built-in kind is a field that is not there."""
    if isinstance(value, dict):
        for name in [name for name, one in value.items() if one is None]:
            del value[name]
        for one in value.values():
            _drop_nulls(one)
    elif isinstance(value, list):
        for one in value:
            _drop_nulls(one)
