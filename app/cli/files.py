"""Kubernetes objects from YAML and JSON files, each with the place it came from.

Read as kubectl reads them: ``kind: List`` is taken apart, empty documents are skipped, dates stay text. A key may stand only
once. Whatever leaves here is JSON of a bounded depth and size (:mod:`.document`), so nothing behind it need ask.
"""

from __future__ import annotations

import codecs
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.document import Malformed
from app.cli.json_documents import json_documents
from app.cli.problem import FaultyManifest, Problem
from app.cli.yaml_documents import yaml_documents
from app.hooks.objects import reference
from app.sim.json_values import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from app.hooks.objects import Object

SUFFIXES = (".yaml", ".yml", ".json")
STDIN = "-"
MAX_MEBIBYTES = 32
"""Of one file; the API server takes three in one object."""

NEEDED = "each needs apiVersion, kind and metadata.name"


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
        raise Problem("no Kubernetes object in the given files", remedy=NEEDED)
    faults = [one for one in found if isinstance(one, FaultyManifest)]
    return [one for one in found if isinstance(one, Manifest)], faults


def parse(text: str, name: str) -> Iterator[Manifest | FaultyManifest]:
    """The objects of one text, and what is in their place where one is wrong; ``name`` is how errors call the text."""
    for document in json_documents(text) or yaml_documents(text):
        origin = f"{name}:{document.line}" if document.line else name
        if isinstance(document, Malformed):
            yield FaultyManifest(document.what, where=origin, remedy=document.remedy)
        elif document.value is not None:
            yield from _objects(document.value, origin)


def _objects(document: Any, origin: str, path: str = "") -> Iterator[Manifest | FaultyManifest]:
    """``path`` leads to the object in a List, with a dot behind it."""
    if not is_object(document):
        what = f"{path.removesuffix('.')} is no Kubernetes object" if path else "not a Kubernetes object"
        yield FaultyManifest(what, where=origin, remedy="a document is a map with apiVersion, kind and metadata")
        return
    if str(document.get("kind", "")).endswith("List") and is_list(entries := document.get("items")):
        for position, entry in enumerate(entries):
            yield from _objects(entry, origin, f"{path}items[{position}].")
        return
    metadata = document.get("metadata")
    name = metadata.get("name") if is_object(metadata) else None
    needed = {"apiVersion": document.get("apiVersion"), "kind": document.get("kind"), "metadata.name": name}
    lacking = [field for field, value in needed.items() if not isinstance(value, str) or not value]
    if lacking:
        yield FaultyManifest(f"{path}{lacking[0]} is missing or no text", where=origin, remedy=NEEDED)
    else:
        yield Manifest(document, origin)


def _found_at(path: str) -> Iterator[Manifest | FaultyManifest]:
    """What is named and can't be opened is a wrong call; what is found in a folder is a fault beside the others."""
    name = _shown(path)
    place = Path(path)
    try:
        if path == STDIN:
            yield from _parsed(_standard_input(), "stdin")
        elif place.is_dir() and path:
            files = sorted(file for file in place.rglob("*") if file.suffix in SUFFIXES and not file.is_dir())
            for file in files:
                yield from _found_in_folder(file)
        elif place.exists() and path:
            with place.open("rb") as file:
                yield from _parsed(file, name)
        else:
            raise Problem("no such file or folder", where=name or "''")
    except OSError as error:
        raise Problem(f"can't be read: {error.strerror}", where=name[:_SHOWN_NAME]) from error


def _standard_input() -> BinaryIO:
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]
        raise Problem("standard input is closed", remedy="name a file, or pipe one in")
    return sys.stdin.buffer


_SHOWN_NAME = 200
"""Characters of a name that the system itself finds too long."""


def _found_in_folder(place: Path) -> Iterator[Manifest | FaultyManifest]:
    name = _shown(place)
    try:
        if place.exists() and not place.is_file():
            yield FaultyManifest("not a regular file", where=name, remedy="name it itself if it is meant to be read")
            return
        with place.open("rb") as file:
            yield from _parsed(file, name)
    except OSError as error:
        remedy = "the link leads nowhere" if place.is_symlink() and not place.exists() else ""
        yield FaultyManifest(f"can't be read: {error.strerror}", where=name, remedy=remedy)


def _parsed(file: BinaryIO, name: str) -> Iterator[Manifest | FaultyManifest]:
    data = file.read(MAX_MEBIBYTES * 2**20 + 1)
    if len(data) > MAX_MEBIBYTES * 2**20:
        yield FaultyManifest(f"more than {MAX_MEBIBYTES} MiB", where=name, remedy="split the file")
        return
    try:
        text = data.decode("utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")
    except UnicodeDecodeError as error:
        yield FaultyManifest(f"not UTF-8 text: {error.reason} at byte {error.start}", where=name)
    else:
        yield from parse(text, name)


def _shown(path: str | Path) -> str:
    """A file's name as text: the system permits bytes that are none."""
    return os.fsencode(path).decode(errors="replace")
