"""All objects of the given files by what the API server would know them by."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from app.cli.checks.kinds import definitions
from app.hooks.objects import object_key, resource_key
from app.sim.simulation import NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.cli.files import Manifest
    from app.hooks.objects import Object

Identity = tuple[str, str]
"""Kind and version, and namespace and name."""

_ALIKE = 0.8
"""How much of two names, and of each word of theirs, has to agree, from 0 to 1, for one to be a slip of the other."""

_WORD = re.compile(r"[^-.]+")


class Folder:
    """The objects of the files, of each the first that is written."""

    def __init__(self, manifests: Sequence[Manifest]) -> None:
        self._first: dict[Identity, Manifest] = {}
        self._names: dict[tuple[str, ...], dict[str, None]] = {}
        self._alike: dict[tuple[str, str, str], str] = {}
        self.definitions = definitions(manifest.item for manifest in manifests)
        """Group and kind of each CustomResourceDefinition."""
        for manifest in manifests:
            item = manifest.item
            self._first.setdefault(identity(item), manifest)
            name: str = item["metadata"]["name"]
            self._names.setdefault((resource_key(item), namespace_of(item), *_numbers(name)), {})[name] = None

    def objects(self) -> Iterable[Manifest]:
        """Each object once, in the order of the files."""
        return self._first.values()

    def first(self, item: Object) -> Manifest:
        """Where this object, one of the files', is written first."""
        return self._first[identity(item)]

    def find(self, kind: str, namespace: str, name: str) -> Manifest | None:
        """The object of a kind (``Secret.v1``), if it is in the files."""
        return self._first.get((kind, f"{namespace}/{name}"))

    def alike(self, kind: str, namespace: str, name: str) -> str:
        """The name of an object of the kind and namespace of which this one may be a slip; empty without one."""
        asked = kind, namespace, name
        if asked not in self._alike:
            names = self._names.get((kind, namespace, *_numbers(name)), ())
            found = get_close_matches(name, names, len(names) or 1, _ALIKE)
            self._alike[asked] = next((other for other in found if _slip(name, other)), "")
        return self._alike[asked]


def _numbers(name: str) -> list[str]:
    return re.findall(r"\d+", name)


def _slip(name: str, other: str) -> bool:
    """Whether two names with the same numbers are meant to be one. With another word they are two of a row: ``-eu``, ``-us``."""
    words, others = _WORD.findall(name), _WORD.findall(other)
    if len(words) != len(others):
        return "".join(words) == "".join(others)
    return all(
        sorted(one) == sorted(another) or get_close_matches(one, (another,), 1, _ALIKE)
        for one, another in zip(words, others, strict=True)
    )


def namespace_of(item: Object) -> str:
    """The namespace that the object goes to."""
    return str(item["metadata"].get("namespace") or NAMESPACE)


def identity(item: Object) -> Identity:
    """What two objects can't share."""
    return resource_key(item), object_key({**item, "metadata": {**item["metadata"], "namespace": namespace_of(item)}})
