"""The documents of a text in YAML, built from the parser's events.

PyYAML would build dates, bytes, sets and values that contain themselves, take a key twice, and multiply what aliases stand for
without end. Only its parser is used.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import yaml

from app.cli.document import MAX_DEPTH, Document, Malformed
from app.cli.yaml_scalars import Scalar, plain
from app.sim.json_values import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_ALIASED = 1_000_000
"""Values and characters that all aliases of a document may stand for together."""

_TAG = "tag:yaml.org,2002:"
_MERGE = "<<"
_TAGGED: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "bool": (bool,), "null": (type(None),)}


def yaml_documents(text: str) -> Iterator[Document | Malformed]:
    """The documents in their order. After one that is well-formed YAML and no JSON, the next are read all the same."""
    loader: Any = None
    try:
        loader = yaml.CSafeLoader(text)
        while not isinstance(event := loader.get_event(), yaml.StreamEndEvent):
            if isinstance(event, yaml.DocumentStartEvent):
                yield _next_document(loader)
    except yaml.MarkedYAMLError as error:
        yield Malformed(f"not valid YAML: {error.problem}", error.problem_mark.line + 1 if error.problem_mark else 0)
    except yaml.YAMLError as error:
        yield Malformed(f"not valid YAML: {error}".partition("\n")[0], 0)
    finally:
        if loader is not None:
            loader.dispose()


def _next_document(loader: Any) -> Document | Malformed:
    event = loader.get_event()
    try:
        return Document(event.start_mark.line + 1, _Builder(loader).value(event, 0))
    except Malformed as error:
        while not isinstance(loader.get_event(), yaml.DocumentEndEvent):
            pass
        return error


class _Builder:
    """Builds the values of one document from the parser's events."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader
        self._anchored: dict[str, tuple[Any, int]] = {}
        """By anchor: the value, and how much it is with all that its own aliases stand for."""
        self._unfinished: set[str] = set()
        self._built = 0
        self._aliased = 0

    def value(self, event: Any, depth: int) -> Any:
        """The value that begins with this event; the events up to its end are taken."""
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        if depth > MAX_DEPTH:
            raise _malformed(f"maps and lists are nested deeper than {MAX_DEPTH} levels", event, "write less deeply")
        before = self._built
        self._unfinished.add(event.anchor)
        if isinstance(event, yaml.ScalarEvent):
            value: Any = _scalar(event)
            self._built += 1 + len(event.value)
        else:
            _check_tag(event)
            self._built += 1
            value = self._list(depth) if isinstance(event, yaml.SequenceStartEvent) else self._map(depth)
        self._unfinished.discard(event.anchor)
        if event.anchor:
            self._anchored[event.anchor] = value, self._built - before
        return value

    def _alias(self, event: Any) -> Any:
        if event.anchor in self._unfinished:
            raise _malformed(f"the anchor &{event.anchor} contains itself", event, "write out what is meant")
        if event.anchor not in self._anchored:
            raise _malformed(f"the alias *{event.anchor} has no anchor before it", event)
        value, size = self._anchored[event.anchor]
        self._built += size
        self._aliased += size
        if self._aliased > MAX_ALIASED:
            raise _malformed("the aliases of the document stand for too much", event, "kubectl refuses it too; write it out")
        return value

    def _list(self, depth: int) -> list[Any]:
        values: list[Any] = []
        while not isinstance(event := self._loader.get_event(), yaml.SequenceEndEvent):
            values.append(self.value(event, depth + 1))
        return values

    def _map(self, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        while not isinstance(event := self._loader.get_event(), yaml.MappingEndEvent):
            merges = isinstance(event, yaml.ScalarEvent) and event.value == _MERGE and event.implicit[0]
            key = self._key(event, depth)
            begin = self._loader.get_event()
            value = self.value(begin, depth + 1)
            if merges:
                for source in value if is_list(value) else [value]:
                    if not is_object(source):
                        raise _malformed(f"{_MERGE} merges maps only", begin)
                    merged = {**source, **merged}
            elif key in values:
                raise _malformed(f"the key {key!r} stands twice", event)
            else:
                values[key] = value
        return {**merged, **values}

    def _key(self, event: Any, depth: int) -> str:
        key = self.value(event, depth + 1)
        if isinstance(key, str):
            return key
        if isinstance(event, yaml.ScalarEvent):
            raise _malformed(f"the key {event.value!r} is no text", event, "quote it")
        raise _malformed("a key is no text", event, "keys are texts")


def _malformed(what: str, event: Any, remedy: str = "") -> Malformed:
    return Malformed(what, event.start_mark.line + 1, remedy)


def _scalar(event: Any) -> Scalar:
    tag, text = (event.tag or "").removeprefix(_TAG), event.value
    if tag in ("str", "!") or (not tag and not event.implicit[0]):
        return text
    if tag and tag not in _TAGGED:
        raise _malformed(f"the tag {_shown(event.tag)} is none that JSON has", event, "leave it out")
    value = plain(text)
    if isinstance(value, float) and not isfinite(value):
        raise _malformed(f"{text} is no number of JSON", event, "write a number, or quote it")
    if tag and (not isinstance(value, _TAGGED[tag]) or (isinstance(value, bool) and tag != "bool")):
        raise _malformed(f"{text!r} is no {_shown(event.tag)}", event)
    return value


def _check_tag(event: Any) -> None:
    if (event.tag or "!").removeprefix(_TAG) not in ("!", "map" if isinstance(event, yaml.MappingStartEvent) else "seq"):
        raise _malformed(f"the tag {_shown(event.tag)} is none that JSON has", event, "leave it out")


def _shown(tag: str) -> str:
    return f"!!{tag.removeprefix(_TAG)}" if tag.startswith(_TAG) else tag
