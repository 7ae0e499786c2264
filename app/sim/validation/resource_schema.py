"""Everything a custom resource's schema demands, in one place: what lint and the in-memory API server call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.sim.cel import Engine
from app.sim.validation.defaulting import apply_defaults, prune_nulls
from app.sim.validation.keyed_lists import duplicates
from app.sim.validation.pruning import prune
from app.sim.validation.ratcheting import untouched
from app.sim.validation.rules import NOT_CHECKED, broken_rules, has_rules
from app.sim.validation.schema import StructuralSchema

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hooks.objects import Object
    from app.sim.validation.field_error import FieldError


class ResourceSchema:
    """One version of a kind, compiled once. ``engine`` evaluates its CEL rules."""

    def __init__(self, schema: Object, engine: Engine | None = None) -> None:
        self.schema = schema
        self._structural = StructuralSchema(schema)
        self._has_rules = has_rules(schema)
        self._engine = engine or Engine()

    def complete(self, item: Object, *, keep_nulls: bool = False) -> list[str]:
        """Drop nulls, fill in defaults and drop unknown fields, in place. Returns the paths of the unknown fields.

        ``keep_nulls`` is the way of server-side apply: a null without a default stays, for validation to refuse.
        """
        if not keep_nulls:
            prune_nulls(item, self.schema)
        apply_defaults(item, self.schema)
        return prune(item, self.schema)

    def errors(self, item: Object, old: Object | None = None, earlier: Iterable[FieldError] = ()) -> list[FieldError]:
        """What is wrong with a completed object, CEL rules included. ``old`` is what an update replaces.

        ``earlier`` are errors found elsewhere (in the metadata, say): they come first and may keep the rules from being checked.
        """
        found = [*self._structural.errors(item), *duplicates(item, self.schema)]
        if old is not None:
            found = [error for error in found if not untouched(error.path, item, old, self.schema)]
        found = [*earlier, *found]
        if not self._has_rules:
            return found
        if any(error.blocking for error in found):
            return [*found, NOT_CHECKED]
        return [*found, *broken_rules(self._engine, item, old, self.schema)]
