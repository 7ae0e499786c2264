"""``spec.patches``: the way out where a generated object must differ in what the spec has no field for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.apis.section import Section
from app.apis.types import Json


class PatchTarget(Section):
    """Which generated objects are patched."""

    kind: Annotated[str, Field(min_length=1)]
    """Kind of the objects, e.g. Deployment."""
    name: Annotated[str | None, Field(min_length=1)] = None
    """Name of the one object; absent means every object of the kind."""


class PatchOperation(Section):
    """One operation of a JSON Patch (RFC 6902)."""

    op: Literal["add", "remove", "replace", "move", "copy", "test"]
    """What is done."""
    path: Annotated[str, Field(pattern=r"^(/([^~]|~[01])*)?$")]
    """Where, as a JSON Pointer: /spec/template/spec/priorityClassName."""
    from_: Annotated[str | None, Field(alias="from", pattern=r"^(/([^~]|~[01])*)?$")] = None
    """Where from, for move and copy."""
    value: Json = None
    """What, for add, replace and test. Not null: the API server drops nulls."""


class Patch(Section):
    """A JSON Patch for generated objects, applied last. If it fails, the object stays as it is, and that is said."""

    target: PatchTarget
    patch: Annotated[list[PatchOperation], Field(min_length=1)]
    """The operations, applied in this order."""
