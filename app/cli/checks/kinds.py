"""Objects of a kind of ours under an API that does not serve it: a slip in apiVersion, or in the kind."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from app.hooks.objects import resource_key
from app.hooks.observed_fields import object_in, text_in
from app.registry import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hooks.objects import Object

SERVED = {kind.resource.key: kind for kind in KINDS}
"""Our kinds, by kind and version."""
_API_VERSIONS = {kind.resource.kind: kind.resource.api_version for kind in KINDS}
_GROUPS = {kind.resource.group for kind in KINDS}

_ALIKE = 0.8
"""How much of two names has to agree, from 0 to 1."""


def unserved(item: Object, defined: Iterable[tuple[str, str]] = ()) -> str:
    """What the API server says of an object that is meant to be ours and is not; empty for any other.

    A group and kind whose definition is among the files (``defined``) is somebody else's.
    """
    version: str = item["apiVersion"]
    kind: str = item["kind"]
    group = version.rpartition("/")[0]
    ours = group in _GROUPS or kind in _API_VERSIONS
    if not ours or resource_key(item) in SERVED or (group, kind) in defined:
        return ""
    refusal = f'no matches for kind "{kind}" in version "{version}"'
    if kind in _API_VERSIONS:
        return f"{refusal}; the apiVersion of {kind} is {_API_VERSIONS[kind]}"
    alike = get_close_matches(kind, _API_VERSIONS, 1, _ALIKE)
    return f"{refusal}; did you mean {alike[0]}?" if alike else refusal


def definitions(items: Iterable[Object]) -> frozenset[tuple[str, str]]:
    """Group and kind of each definition among the objects."""
    specs = [object_in(item, "spec") for item in items if item["kind"] == "CustomResourceDefinition"]
    return frozenset((text_in(spec, "group"), text_in(object_in(spec, "names"), "kind")) for spec in specs)
