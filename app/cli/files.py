"""Kubernetes objects from YAML and JSON files, each with the place it came from.

Read as kubectl reads them: ``kind: List`` is taken apart, empty documents are skipped, a key may stand only once, dates stay
text.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from app.cli.problem import FaultyManifest, Problem
from app.hooks.objects import reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from app.hooks.objects import Object

SUFFIXES = (".yaml", ".yml", ".json")
STDIN = "-"


@dataclass(frozen=True, slots=True)
class Manifest:
    """One object and where it is written, ``path:line``."""

    item: Object
    origin: str

    def __str__(self) -> str:
        return reference(self.item)


def read(paths: Iterable[str]) -> list[Manifest]:
    """The objects of files, of folders (all below them) and of ``-``, standard input. At least one must be there.

    Raises the first :class:`FaultyManifest`.
    """
    manifests, faults = read_all(paths)
    if faults:
        raise faults[0]
    return manifests


def read_all(paths: Iterable[str]) -> tuple[list[Manifest], list[FaultyManifest]]:
    """As :func:`read`, but a fault is given beside the objects and stops nothing but the reading of its own text."""
    found = [one for path in paths for one in _found_at(path)]
    if not found:
        raise Problem("no Kubernetes object in the given files", remedy="each needs apiVersion, kind and metadata.name")
    faults = [one for one in found if isinstance(one, FaultyManifest)]
    return [one for one in found if isinstance(one, Manifest)], faults


def parse(text: str, name: str) -> Iterator[Manifest | FaultyManifest]:
    """The objects of one text, and what is in their place where one is wrong; ``name`` is how errors call the text."""
    loader = _Loader(text)
    try:
        while loader.check_node():
            node = loader.get_node()
            mark = node.start_mark if node else None
            origin = f"{name}:{mark.line + 1}" if mark else name
            document: object = loader.construct_document(node)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
            if document is not None:
                yield from _objects(document, origin)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        yield FaultyManifest(f"not valid YAML: {error.problem}", where=f"{name}{line}")
    except yaml.YAMLError as error:
        yield FaultyManifest(f"not valid YAML: {error}".partition("\n")[0], where=name)
    finally:
        loader.dispose()


def _objects(document: Any, origin: str) -> Iterator[Manifest | FaultyManifest]:
    if not isinstance(document, dict):
        remedy = "a document is a map with apiVersion, kind and metadata"
        yield FaultyManifest("not a Kubernetes object", where=origin, remedy=remedy)
        return
    item: Object = document  # pyright: ignore[reportUnknownVariableType]
    if str(item.get("kind", "")).endswith("List") and isinstance(item.get("items"), list):
        for entry in item["items"]:
            yield from _objects(entry, origin)
        return
    metadata: Any = item.get("metadata")
    name: Any = metadata.get("name") if isinstance(metadata, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    needed: dict[str, Any] = {"apiVersion": item.get("apiVersion"), "kind": item.get("kind"), "metadata.name": name}
    lacking = [field for field, value in needed.items() if not isinstance(value, str) or not value]
    if lacking:
        yield FaultyManifest(f"{lacking[0]} is missing or no text", where=origin)
    else:
        yield Manifest(item, origin)


def _found_at(path: str) -> Iterator[Manifest | FaultyManifest]:
    if path == STDIN:
        yield from _parsed(sys.stdin.read, "stdin")
        return
    place = Path(path)
    if not place.exists():
        raise Problem("no such file or folder", where=path)
    files = sorted(found for found in place.rglob("*") if found.suffix in SUFFIXES) if place.is_dir() else [place]
    for file in files:
        yield from _parsed(partial(file.read_text, encoding="utf-8"), str(file))


def _parsed(text: Callable[[], str], name: str) -> Iterator[Manifest | FaultyManifest]:
    try:
        yield from parse(text(), name)
    except UnicodeDecodeError as error:
        yield FaultyManifest(f"not UTF-8 text: {error.reason} at byte {error.start}", where=name)
    except OSError as error:
        raise Problem(f"can't be read: {error.strerror}", where=name) from error


class _Loader(yaml.CSafeLoader):
    """YAML as the API server's clients read it: dates are text, keys are text and stand once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[object] = set()
        for key, _ in node.value:
            if key.tag == "tag:yaml.org,2002:merge":
                continue
            if key.tag != "tag:yaml.org,2002:str":
                raise yaml.constructor.ConstructorError(None, None, f"the key {key.value!r} is no text; quote it", key.start_mark)
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"the key {key.value!r} stands twice", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
